//! Adds the security of handlers and the schemas of forms to an existing description.

use core::fmt;
use std::collections::BTreeMap;

use http::Method;
use serde_json::{Map, Value, json};

use super::operation::{Operation, Requirement, SecurityRequirement, both};
use super::{EXTENSION, FormSchema, answers};

/// A description as JSON, written by any tool. The security of handlers and the schemas of forms
/// can be added to it.
///
/// See the [module](super) for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    json: Value,
}

impl Document {
    /// Takes an [OpenAPI Object](https://spec.openapis.org/oas/v3.1.1.html#openapi-object). If
    /// utoipa wrote it, the requirements that `#[secured]` has left in its operations are moved
    /// into place, as `openapi::secure` does.
    ///
    /// # Errors
    ///
    /// Returns an error if two schemes have the same name but different content.
    pub fn new(json: Value) -> Result<Self, DocumentError> {
        let mut document = Self { json };
        for place in Vec::from_iter(document.places()) {
            document.at(place).secure_carried()?;
        }
        Ok(document)
    }

    /// Returns the operation with this `operationId`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such operation.
    pub fn operation(&mut self, id: &str) -> Result<OperationMut<'_>, DocumentError> {
        let place = self
            .places()
            .find(|(path, method)| self.json["paths"][path][method]["operationId"] == id)
            .ok_or_else(|| DocumentError::NoOperation(id.to_owned()))?;
        Ok(self.at(place))
    }

    /// Returns the operation for a method and a path, which is written as in the document.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such operation.
    pub fn operation_at(
        &mut self,
        method: &Method,
        path: &str,
    ) -> Result<OperationMut<'_>, DocumentError> {
        let place = self
            .places()
            .find(|place| place.0 == path && place.1.eq_ignore_ascii_case(method.as_str()))
            .ok_or_else(|| DocumentError::NoOperation(format!("{method} {path}")))?;
        Ok(self.at(place))
    }

    /// Adds a requirement to every operation of the document, as for a layer around all routes.
    ///
    /// # Errors
    ///
    /// Returns an error if the document already has a scheme with the same name but different
    /// content.
    pub fn secure(&mut self, operation: &Operation) -> Result<(), DocumentError> {
        for place in Vec::from_iter(self.places()) {
            self.at(place).secure(operation)?;
        }
        Ok(())
    }

    /// Returns the description with everything that was added.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.json
    }

    /// Returns the path and the method of each operation.
    fn places(&self) -> impl Iterator<Item = (String, &'static str)> {
        let paths = self.json["paths"].as_object().into_iter().flatten();
        paths.flat_map(|(path, item)| {
            let methods = METHODS.into_iter();
            methods
                .filter(|method| item[*method].is_object())
                .map(|method| (path.clone(), method))
        })
    }

    fn at(&mut self, (path, method): (String, &'static str)) -> OperationMut<'_> {
        OperationMut {
            document: self,
            path,
            method,
        }
    }

    /// Adds a component of a kind. One of the same name must have the same content.
    fn add_component(
        &mut self,
        kind: &str,
        name: &str,
        component: Value,
    ) -> Result<(), DocumentError> {
        let components = field(object(&mut self.json), "components");
        let found = field(components, kind)
            .entry(name)
            .or_insert_with(|| component.clone());
        match kind {
            _ if *found == component => Ok(()),
            SCHEMES => Err(DocumentError::SchemeClash(name.to_owned())),
            _ => Err(DocumentError::SchemaClash(name.to_owned())),
        }
    }
}

/// The fields of a [Path Item Object](https://spec.openapis.org/oas/v3.1.1.html#path-item-object)
/// that hold operations.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// The components that are security schemes.
const SCHEMES: &str = "securitySchemes";

/// Returns the value as an object. Replaces any other value with an empty object.
fn object(value: &mut Value) -> &mut Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => {
            *other = Value::Object(Map::new());
            object(other)
        }
    }
}

/// Returns a field of an object, as an object.
fn field<'v>(of: &'v mut Map<String, Value>, name: &str) -> &'v mut Map<String, Value> {
    object(of.entry(name).or_insert(Value::Null))
}

/// An operation of a [`Document`].
#[derive(Debug)]
pub struct OperationMut<'d> {
    document: &'d mut Document,
    path: String,
    method: &'static str,
}

impl OperationMut<'_> {
    /// Adds a requirement. Its `security` is combined with that of the operation or, if the
    /// operation has none, with that of the whole document. The responses to refused requests are
    /// added for each status that has no response yet. The schemes are added to the document.
    ///
    /// # Errors
    ///
    /// Returns an error if the document already has a scheme with the same name but different
    /// content.
    pub fn secure(&mut self, operation: &Operation) -> Result<&mut Self, DocumentError> {
        let schemes = operation.schemes();
        let schemes = schemes.map(|scheme| (scheme.scheme_name.to_owned(), json!(scheme)));
        let responses = operation.responses().into_iter();
        self.put(Requirement {
            schemes: schemes.collect(),
            security: operation.security(),
            responses: responses
                .map(|(status, response)| (status, json!(response)))
                .collect(),
        })
    }

    /// Adds the requirement that the operation itself carries, if any.
    fn secure_carried(&mut self) -> Result<(), DocumentError> {
        if let Some(carried) = self.fields().remove(EXTENSION) {
            self.put(Requirement::read(carried)?)?;
        }
        Ok(())
    }

    fn put(&mut self, requirement: Requirement) -> Result<&mut Self, DocumentError> {
        for (name, scheme) in requirement.schemes {
            self.document.add_component(SCHEMES, &name, scheme)?;
        }
        if !requirement.security.is_empty() {
            let security = both(self.security()?, requirement.security);
            self.fields().insert("security".to_owned(), json!(security));
        }
        self.add_responses(requirement.responses);
        Ok(self)
    }

    /// Adds each response whose status has no response yet.
    fn add_responses(&mut self, added: BTreeMap<String, Value>) {
        let responses = field(self.fields(), "responses");
        for (status, response) in added {
            responses.entry(status).or_insert(response);
        }
    }

    /// Adds a form with this schema as the request body, and keeps everything else that is written
    /// about the body. The forms of several grants are added to the document's schemas. Adds the
    /// responses to a faulty form, `400` and `413`, for each status that has no response yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the document already has a schema with the same name but different
    /// content.
    pub fn read_form(&mut self, schema: &FormSchema) -> Result<&mut Self, DocumentError> {
        for (name, form) in schema.components() {
            self.document.add_component("schemas", name, json!(form))?;
        }
        let body = field(self.fields(), "requestBody");
        body.entry("required").or_insert(Value::Bool(true));
        let form = field(field(body, "content"), FormSchema::CONTENT_TYPE);
        form.insert("schema".to_owned(), json!(schema));
        self.add_responses(answers::form_errors());
        Ok(self)
    }

    fn security(&mut self) -> Result<Vec<SecurityRequirement>, DocumentError> {
        // An operation without its own list uses that of the whole document.
        let written = match self.fields().get("security") {
            Some(security) => Some(security),
            None => self.document.json.get("security"),
        };
        match written {
            None => Ok(Vec::new()),
            Some(security) => serde::Deserialize::deserialize(security).map_err(|_| {
                DocumentError::Invalid(format!("{} {}: security", self.method, self.path))
            }),
        }
    }

    fn fields(&mut self) -> &mut Map<String, Value> {
        let paths = field(object(&mut self.document.json), "paths");
        field(field(paths, &self.path), self.method)
    }
}

/// The error returned when a description cannot be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentError {
    /// No operation has this `operationId`, or this method and path.
    NoOperation(String),
    /// Two schemes with this name have different content.
    SchemeClash(String),
    /// Two schemas with this name have different content.
    SchemaClash(String),
    /// utoipa has no name for the HTTP authentication scheme of this scheme.
    UnknownScheme(String),
    /// The value at this place is not what OpenAPI expects there.
    Invalid(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOperation(operation) => {
                write!(f, "the description has no operation `{operation}`")
            }
            Self::SchemeClash(name) => write!(
                f,
                "two security schemes are named `{name}` and differ; give one of them another `scheme_name`"
            ),
            Self::SchemaClash(name) => write!(
                f,
                "two schemas are named `{name}` and differ; give one of them another `schema_name`"
            ),
            Self::UnknownScheme(name) => write!(
                f,
                "utoipa has no name for the HTTP authentication scheme of `{name}`; complete the description as JSON, with \
                 `openapi::Document`"
            ),
            Self::Invalid(place) => write!(f, "`{place}` is not what OpenAPI has there"),
        }
    }
}

impl core::error::Error for DocumentError {}
