//! An existing description, to which the security of handlers and the schemas of forms are added.

use core::fmt;
use std::collections::BTreeMap;

use http::Method;
use serde_json::{Map, Value, json};

use super::operation::{Operation, Requirement, SecurityRequirement, both};
use super::{EXTENSION, FormSchema, answers};

/// A description as JSON, whichever tool wrote it, into which the security of handlers and the schemas of forms are put.
///
/// See the [module](super) for an example.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    json: Value,
}

impl Document {
    /// Takes an [OpenAPI Object](https://spec.openapis.org/oas/v3.1.1.html#openapi-object). If utoipa wrote it, what `#[secured]` has put
    /// into its operations goes to its place, as by `secure`.
    ///
    /// # Errors
    ///
    /// Returns an error when two schemes of one name have different content.
    pub fn new(json: Value) -> Result<Self, DocumentError> {
        let mut document = Self { json };
        for place in Vec::from_iter(document.places()) {
            document.at(place).secure_carried()?;
        }
        Ok(document)
    }

    /// The operation of this `operationId`.
    ///
    /// # Errors
    ///
    /// Returns an error when there is none.
    pub fn operation(&mut self, id: &str) -> Result<OperationMut<'_>, DocumentError> {
        let place = self
            .places()
            .find(|(path, method)| self.json["paths"][path][method]["operationId"] == id)
            .ok_or_else(|| DocumentError::NoOperation(id.to_owned()))?;
        Ok(self.at(place))
    }

    /// The operation of a method on a path, as it is written in the document.
    ///
    /// # Errors
    ///
    /// Returns an error when there is none.
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

    /// Puts a requirement into every operation of the document, as for a layer around all routes.
    ///
    /// # Errors
    ///
    /// Returns an error for a scheme that is there with another content.
    pub fn secure(&mut self, operation: &Operation) -> Result<(), DocumentError> {
        for place in Vec::from_iter(self.places()) {
            self.at(place).secure(operation)?;
        }
        Ok(())
    }

    /// The description with all that was put into it.
    #[must_use]
    pub fn into_json(self) -> Value {
        self.json
    }

    /// The path and the method of each operation.
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

    fn add_scheme(&mut self, name: &str, scheme: Value) -> Result<(), DocumentError> {
        let components = field(object(&mut self.json), "components");
        let found = field(components, "securitySchemes")
            .entry(name)
            .or_insert_with(|| scheme.clone());
        if *found == scheme {
            Ok(())
        } else {
            Err(DocumentError::SchemeClash(name.to_owned()))
        }
    }
}

/// The fields of a [Path Item Object](https://spec.openapis.org/oas/v3.1.1.html#path-item-object) that hold operations.
const METHODS: [&str; 8] = [
    "get", "put", "post", "delete", "options", "head", "patch", "trace",
];

/// An object, in the place of anything else.
fn object(value: &mut Value) -> &mut Map<String, Value> {
    match value {
        Value::Object(object) => object,
        other => {
            *other = Value::Object(Map::new());
            object(other)
        }
    }
}

/// An object in a field of another.
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
    /// Puts in a requirement: the `security`, together with that of the operation or, if it has none, of the whole document; the
    /// responses to refused requests, unless one of that status is written already; and the schemes.
    ///
    /// # Errors
    ///
    /// Returns an error for a scheme that is there with another content.
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

    /// Puts in the requirement that the operation itself carries, if any.
    fn secure_carried(&mut self) -> Result<(), DocumentError> {
        if let Some(carried) = self.fields().remove(EXTENSION) {
            self.put(Requirement::read(carried)?)?;
        }
        Ok(())
    }

    fn put(&mut self, requirement: Requirement) -> Result<&mut Self, DocumentError> {
        for (name, scheme) in requirement.schemes {
            self.document.add_scheme(&name, scheme)?;
        }
        if !requirement.security.is_empty() {
            let security = both(self.security()?, requirement.security);
            self.fields().insert("security".to_owned(), json!(security));
        }
        self.add_responses(requirement.responses);
        Ok(self)
    }

    /// Adds the responses whose status has none.
    fn add_responses(&mut self, added: BTreeMap<String, Value>) {
        let responses = field(self.fields(), "responses");
        for (status, response) in added {
            responses.entry(status).or_insert(response);
        }
    }

    /// Puts in the request body: a form, by its schema, beside what is written of the body already; and the responses to a faulty form,
    /// `400` and `413`, unless one of that status is written already.
    pub fn read_form(&mut self, schema: &FormSchema) -> &mut Self {
        let body = field(self.fields(), "requestBody");
        body.entry("required").or_insert(Value::Bool(true));
        let form = field(field(body, "content"), FormSchema::CONTENT_TYPE);
        form.insert("schema".to_owned(), json!(schema));
        self.add_responses(answers::form_errors());
        self
    }

    fn security(&mut self) -> Result<Vec<SecurityRequirement>, DocumentError> {
        // An operation without a list of its own has that of the whole document.
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

/// A description cannot be completed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentError {
    /// No operation has this `operationId`, or stands at this method and path.
    NoOperation(String),
    /// Two schemes of this name have different content.
    SchemeClash(String),
    /// What stands at this place is not what OpenAPI has there.
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
            Self::Invalid(place) => write!(f, "`{place}` is not what OpenAPI has there"),
        }
    }
}

impl core::error::Error for DocumentError {}
