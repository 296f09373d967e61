//! Adds the security of handlers and the schemas of forms to an existing description.

use core::fmt;
use core::str::FromStr;

use http::Method;
use serde::{Serialize, Serializer};

use crate::openapi::location::{Location, SHARED_RESPONSE};
use crate::openapi::operation::{
    Operation, Requirement, alternatives_of, both, security_of, with_reason,
};
use crate::openapi::scheme::difference;
use crate::openapi::{EXTENSION, FormSchema, Json, VIA, answers, deciding, v3_0};
use crate::plan::alternatives::Alternative;
use crate::syntax::debug_text::debug_as_display;
use crate::syntax::json::tree::{Object, Tree};

/// A description as JSON, written by any tool. The security of handlers and the schemas of forms
/// can be added to it. Everything else stays as it is written, in its order.
///
/// See the [module](super) for an example.
#[derive(Clone, Debug)]
pub struct Document {
    pub(super) json: Tree,
    /// The operations that are filled so far, because the finished document does not say by what.
    #[cfg(feature = "testing")]
    pub(super) filled: super::filled::Filled,
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Document {
    /// Takes an [OpenAPI Object](https://spec.openapis.org/oas/v3.1.1.html#openapi-object) of any
    /// type that serializes into it. Text is read by [`str::parse`]. If utoipa wrote it, the
    /// requirements that `#[secured]` has left in its operations are moved into place, as
    /// `openapi::secure` does.
    ///
    /// Additions to a document of OpenAPI 3.0 are written as 3.0 requires: without scopes at a
    /// scheme that is neither OAuth2 nor OpenID Connect, and with `nullable` instead of the type
    /// `null`. A document without a version is taken as one of OpenAPI 3.1.
    ///
    /// # Errors
    ///
    /// Returns an error if the value is not a JSON object, if its version is not one of OpenAPI 3,
    /// such as `"swagger": "2.0"`, if two schemes have the same name but
    /// different content, or if a URL of a scheme is a
    /// [`Setting`](crate::scheme::Setting) that is not set.
    pub fn new(json: impl Serialize) -> Result<Self, DocumentError> {
        Self::of(Tree::of(&json))
    }

    fn of(json: Result<Tree, serde_json::Error>) -> Result<Self, DocumentError> {
        let mut document = Self::read(json)?;
        for place in Location::all(&document.json) {
            document.at(place).secure_carried()?;
        }
        match document.carried() {
            None => Ok(document),
            Some(pointer) => Err(DocumentError::Invalid(pointer)),
        }
    }

    /// Takes a document as it is written.
    pub(super) fn read(json: Result<Tree, serde_json::Error>) -> Result<Self, DocumentError> {
        let json = json.map_err(|error| DocumentError::Malformed(error.to_string()))?;
        if json.as_object().is_none() {
            let reason = "it is not a JSON object; read text with `str::parse`";
            return Err(DocumentError::Malformed(reason.to_owned()));
        }
        let version = json.get("swagger").or_else(|| json.get("openapi"));
        if let Some(version) = version.filter(|version| !is_of("3", version)) {
            let reason = format!(
                "it is of OpenAPI {}, and has to be of \"3.2\", \"3.1\" or \"3.0\"; convert it first",
                Json(version.clone())
            );
            return Err(DocumentError::Malformed(reason));
        }
        let document = Self {
            json,
            #[cfg(feature = "testing")]
            filled: super::filled::Filled::default(),
        };
        #[cfg(feature = "testing")]
        let document = document.recall_filled();
        Ok(document)
    }

    /// Returns where a requirement is that `#[secured]` has left, if there is one.
    pub(super) fn carried(&self) -> Option<String> {
        pointer_to(EXTENSION, &self.json)
    }

    /// Returns the operation with this `operationId`.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no such operation.
    pub fn operation(&mut self, id: &str) -> Result<OperationMut<'_>, DocumentError> {
        let has_id = |operation: &Object| {
            let found = operation.get("operationId");
            found.and_then(Tree::as_str) == Some(id)
        };
        let mut places = Location::all(&self.json).into_iter();
        let place = places.find(|place| place.find(&mut self.json).is_some_and(|at| has_id(at)));
        match place {
            Some(place) => Ok(self.at(place)),
            None => Err(DocumentError::NoOperation(id.to_owned())),
        }
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
        let place = Location::all(&self.json).into_iter().find(|place| {
            let has_method = place.method.eq_ignore_ascii_case(method.as_str());
            place.is_route && place.path == path && has_method
        });
        match place {
            Some(place) => Ok(self.at(place)),
            None => Err(DocumentError::NoOperation(format!("{method} {path}"))),
        }
    }

    /// Adds a requirement to every route of the document, as for a layer around all of them. The
    /// operations of webhooks and callbacks are not routes of the service.
    ///
    /// # Errors
    ///
    /// Returns an error if the document already has a scheme with the same name but different
    /// content, or if a URL of a scheme is a [`Setting`](crate::scheme::Setting) that is not set.
    pub fn secure(&mut self, operation: &Operation) -> Result<(), DocumentError> {
        let places = Location::all(&self.json).into_iter();
        for place in places.filter(|place| place.is_route) {
            self.at(place).secure(operation)?;
        }
        Ok(())
    }

    /// Returns the description with everything that was added.
    #[must_use]
    pub fn into_json(self) -> Json {
        Json(self.json)
    }

    fn is_v3_0(&self) -> bool {
        self.json.get("openapi").is_some_and(|version| is_of("3.0", version))
    }

    pub(super) fn at(&mut self, place: Location) -> OperationMut<'_> {
        OperationMut { document: self, place }
    }

    /// Adds a schema. One of the same name must have the same content.
    fn add_schema(&mut self, name: &str, schema: &Tree) -> Result<(), DocumentError> {
        let found = self.component("schemas", name, schema);
        if found == *schema { Ok(()) } else { Err(DocumentError::SchemaClash(name.to_owned())) }
    }

    /// Adds a scheme. One of the same name must be the same scheme.
    fn add_scheme(&mut self, name: &str, scheme: &Tree) -> Result<(), DocumentError> {
        let found = self.component("securitySchemes", name, scheme);
        match difference(&found, scheme) {
            None => Ok(()),
            Some(member) => Err(DocumentError::SchemeClash(name.to_owned(), member)),
        }
    }

    /// Returns the component of a kind with this name, which is the new one if there is none.
    fn component(&mut self, kind: &str, name: &str, new: &Tree) -> Tree {
        self.json.make_object().update_object("components", |components| {
            components.update_object(kind, |named| {
                named.add(name, new.clone());
                named.get(name).cloned().unwrap_or(Tree::Null)
            })
        })
    }
}

/// Serializes into the description.
impl Serialize for Document {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json.serialize(serializer)
    }
}

/// Reads the text of a description, as [`Document::new`] takes a value.
impl FromStr for Document {
    type Err = DocumentError;

    fn from_str(text: &str) -> Result<Self, DocumentError> {
        Self::of(Tree::parse(text))
    }
}

/// Returns `true` if a version is this one, or one of its patches.
fn is_of(release: &str, version: &Tree) -> bool {
    let patch = version.as_str().and_then(|version| version.strip_prefix(release));
    patch.is_some_and(|patch| patch.is_empty() || patch.starts_with('.'))
}

/// Returns the pointer ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)) to a member with this
/// name, wherever it is.
fn pointer_to(name: &str, within: &Tree) -> Option<String> {
    match within {
        Tree::Object(object) => object.iter().find_map(|(member, value)| {
            let below = if member == name { String::new() } else { pointer_to(name, value)? };
            let member = member.replace('~', "~0").replace('/', "~1");
            Some(format!("/{member}{below}"))
        }),
        Tree::Array(items) => {
            let mut items = items.iter().enumerate();
            items.find_map(|(index, item)| Some(format!("/{index}{}", pointer_to(name, item)?)))
        }
        _ => None,
    }
}

/// An operation of a [`Document`].
#[derive(Debug)]
pub struct OperationMut<'d> {
    pub(super) document: &'d mut Document,
    pub(super) place: Location,
}

impl OperationMut<'_> {
    /// Adds a requirement. Its `security` is combined with that of the operation or, if the
    /// operation has none, with that of the whole document. The responses to refused requests are
    /// added for each status that has no response yet. The description of a refusal names the
    /// dependencies with arguments that decide about it, also one that is written already; to a
    /// reference, OpenAPI 3.0 has no place for a description. The schemes are added to the document.
    ///
    /// A parameter of the path that is not described, while a dependency takes extractors, is added
    /// as text: the dependency is all that may take it.
    ///
    /// An operation that is public gets an empty `security`, so that of the whole document does not
    /// count for it, and the reason at the end of its `description`.
    ///
    /// # Errors
    ///
    /// Returns an error if the document already has a scheme with the same name but different
    /// content, or if a URL of a scheme is a [`Setting`](crate::scheme::Setting) that is not set.
    pub fn secure(&mut self, operation: &Operation) -> Result<&mut Self, DocumentError> {
        self.put(Requirement::of(operation))
    }

    /// Adds the requirement that the operation itself carries, if any.
    fn secure_carried(&mut self) -> Result<(), DocumentError> {
        if let Some(carried) = self.fields()?.remove(EXTENSION) {
            let requirement = Requirement::unpacked(carried);
            self.put(requirement.ok_or_else(|| self.invalid(EXTENSION))?)?;
        }
        Ok(())
    }

    fn put(&mut self, mut requirement: Requirement) -> Result<&mut Self, DocumentError> {
        #[cfg(feature = "testing")]
        self.note_filled(&requirement)?;
        if self.document.is_v3_0() {
            requirement = requirement.of_v3_0();
        }
        if let Some(error) = requirement.unset().next() {
            return Err(error);
        }
        for (name, scheme) in requirement.schemes.iter() {
            self.document.add_scheme(name, scheme)?;
        }
        for (name, schema) in requirement.schemas.iter() {
            self.document.add_schema(name, schema)?;
        }
        if !requirement.security.is_empty() {
            let security = both(self.security()?.unwrap_or_default(), &requirement.security);
            let fields = self.fields()?;
            fields.update("security", |written| *written = security_of(&security));
        }
        if let Some(via) = requirement.via_beside(self.fields()?.get(VIA)) {
            self.fields()?.update(VIA, |written| *written = via);
        }
        if let Some(reason) = &requirement.reason {
            let fields = self.fields()?;
            fields.add("security", security_of(&[]));
            fields.update("description", |written| {
                *written = with_reason(written.as_str(), reason).into();
            });
        }
        if self.place.is_route {
            self.add_parameters(&requirement)?;
        }
        self.add_responses(requirement.responses_to(&self.place.method))?;
        for (status, names) in requirement.deciding.iter() {
            self.name_deciding(status, names)?;
        }
        Ok(self)
    }

    /// Names the dependencies that decide about a refusal in its description. Next to a reference,
    /// OpenAPI 3.0 ignores it.
    fn name_deciding(&mut self, status: &str, names: &Tree) -> Result<(), DocumentError> {
        let responses = self.fields()?.get("responses");
        let reference = responses.and_then(|responses| responses.get(status)?.get("$ref"));
        let reference = reference.and_then(Tree::as_str).map(str::to_owned);
        if reference.is_some() && self.document.is_v3_0() {
            return Ok(());
        }
        let referenced = reference.and_then(|reference| {
            let name = reference.strip_prefix(SHARED_RESPONSE)?;
            let responses = self.document.json.get("components")?.get("responses")?;
            responses.get(name)?.get("description")?.as_str().map(str::to_owned)
        });
        self.fields()?.update_object("responses", |responses| {
            responses.update_object(status, |response| {
                deciding::add(response, referenced.as_deref(), status, names);
            });
        });
        Ok(())
    }

    /// Adds the parameters of the path that only a dependency takes.
    fn add_parameters(&mut self, requirement: &Requirement) -> Result<(), DocumentError> {
        let of_item = self.document.json.get("paths");
        let of_item = of_item.and_then(|paths| paths.get(&self.place.path)?.get("parameters"));
        let of_item = of_item.cloned();
        let path = self.place.path.clone();
        let fields = self.fields()?;
        let declared = [fields.get("parameters").cloned(), of_item];
        let added = requirement.parameters_of(&path, &declared);
        if !added.is_empty() {
            let [written, _] = declared;
            let written = written.iter().filter_map(Tree::as_array).flatten().cloned();
            let parameters = written.chain(added).collect();
            fields.update("parameters", |written| *written = parameters);
        }
        Ok(())
    }

    /// Adds each response whose status has no response yet.
    fn add_responses(&mut self, added: &Object) -> Result<(), DocumentError> {
        self.fields()?.update_object("responses", |responses| {
            for (status, response) in added.iter() {
                responses.add(status, response.clone());
            }
        });
        Ok(())
    }

    /// Adds a form with this schema as the request body, and keeps everything else that is written
    /// about the body. The forms of several grants are added to the document's schemas. Adds the
    /// responses to a faulty form, `400` and `413`, for each status that has no response yet.
    ///
    /// # Errors
    ///
    /// Returns an error if the document already has a schema with the same name but different
    /// content.
    pub fn add_form(&mut self, schema: &FormSchema) -> Result<&mut Self, DocumentError> {
        let is_v3_0 = self.document.is_v3_0();
        let tree = |form: &FormSchema| match is_v3_0 {
            true => v3_0::schema(&form.tree()),
            false => form.tree(),
        };
        for (name, form) in schema.components() {
            self.document.add_schema(name, &tree(form))?;
        }
        self.fields()?.update_object("requestBody", |body| {
            body.add("required", true.into());
            body.update_object("content", |content| {
                content.update_object(FormSchema::CONTENT_TYPE, |form| {
                    form.update("schema", |written| *written = tree(schema));
                });
            });
        });
        self.add_responses(&answers::form_errors())?;
        Ok(self)
    }

    /// Returns the alternatives of which one must pass, or `None` if nothing says what they are.
    pub(super) fn security(&mut self) -> Result<Option<Vec<Alternative>>, DocumentError> {
        // An operation without its own list uses that of the whole document.
        let written = match self.fields()?.get("security").cloned() {
            Some(security) => Some(security),
            None => self.document.json.get("security").cloned(),
        };
        let alternatives = written.map(|security| alternatives_of(&security));
        let alternatives = alternatives.map(|read| read.ok_or_else(|| self.invalid("security")));
        alternatives.transpose()
    }

    pub(super) fn fields(&mut self) -> Result<&mut Object, DocumentError> {
        let fields = self.place.find(&mut self.document.json);
        fields.ok_or_else(|| DocumentError::NoOperation(self.place.path.clone()))
    }

    /// The error because of a member of the operation.
    fn invalid(&self, member: &str) -> DocumentError {
        let Location { method, path, .. } = &self.place;
        DocumentError::Invalid(format!("{method} {path}: {member}"))
    }
}

/// The error returned when a description cannot be completed.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentError {
    /// No operation has this `operationId`, or this method and path.
    NoOperation(String),
    /// Two schemes with this name differ in this member, such as `flows.password.tokenUrl`.
    SchemeClash(String, String),
    /// Two schemas with this name have different content.
    SchemaClash(String),
    /// The description cannot be read, for this reason.
    Malformed(String),
    /// A URL of a scheme is a [`Setting`](crate::scheme::Setting) that cannot be used.
    #[non_exhaustive]
    Setting {
        /// The name of the scheme.
        scheme: String,
        /// Which setting it is, and why it cannot be used.
        reason: String,
    },
    /// utoipa has no name for the HTTP authentication scheme of this scheme.
    UnknownScheme(String),
    /// The value at this place is not what OpenAPI expects there.
    Invalid(String),
    /// What a `#[secured]` handler requires is still at this place, where no client looks.
    NotDescribed(String),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoOperation(operation) => {
                write!(f, "the description has no operation `{operation}`")
            }
            Self::SchemeClash(name, member) => write!(
                f,
                "two security schemes are named `{name}` and differ in `{member}`; give one of them another `scheme_name`"
            ),
            Self::SchemaClash(name) => write!(
                f,
                "two schemas are named `{name}` and differ; give one of them another `schema_name`"
            ),
            Self::Setting { scheme, reason } => {
                write!(f, "the security scheme `{scheme}` has a URL that is not known: {reason}")
            }
            Self::UnknownScheme(name) => write!(
                f,
                "utoipa has no name for the HTTP authentication scheme of `{name}`; complete the description as JSON, with \
                 `openapi::Document`"
            ),
            Self::Malformed(reason) => write!(f, "the description cannot be read: {reason}"),
            Self::Invalid(place) => write!(f, "`{place}` is not what OpenAPI has there"),
            Self::NotDescribed(place) => write!(
                f,
                "the description does not say what is required, which is still at `{place}`; add `modifiers(&SecurityAddon)` to \
                 it, or call `openapi::secure`"
            ),
        }
    }
}

impl core::error::Error for DocumentError {}

debug_as_display!(DocumentError);
