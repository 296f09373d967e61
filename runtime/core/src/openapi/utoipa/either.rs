//! Support for the version of utoipa that the module above names: adds the requirements that
//! `#[secured]` has left in the operations of a document, and implements the schema traits.

use core::any::type_name;
use core::marker::PhantomData;
use core::mem;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use super::utoipa::openapi::RefOr;
use super::utoipa::openapi::extensions::Extensions;
use super::utoipa::openapi::path::{Operation, PathItem};
use super::utoipa::openapi::response::Response;
pub use super::utoipa::openapi::schema::Schema;
use super::utoipa::openapi::schema::{Components, Object, OneOf, SchemaType};
use super::utoipa::openapi::security::{
    AuthorizationCode, ClientCredentials, Flow, Implicit, OAuth2, Password, Scopes,
    SecurityRequirement, SecurityScheme,
};
use super::utoipa::openapi::{OpenApi, Ref};
use super::utoipa::{IntoResponses, Modify};
pub use super::utoipa::{PartialSchema, ToSchema};
use super::visit;
use crate::form::FormError;
use crate::form::password::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict};
#[cfg(feature = "testing")]
use crate::openapi::filled;
use crate::openapi::location::SHARED_RESPONSE;
use crate::openapi::operation::{Requirement, alternatives_of, both, security_of, with_reason};
use crate::openapi::scheme::difference;
use crate::openapi::utoipa::{SecurityAddon, Unset, UtoipaDocument, modify};
use crate::openapi::{Document, DocumentError, EXTENSION, FormSchema, VIA, answers, deciding};
use crate::refusal::own_error::description::BodySchema;
use crate::syntax::json::tree::{Json, Object as Members, Tree};
use crate::token_endpoint::{
    ClientCredentialsGrant, RefreshTokenGrant, RevocationForm, TokenError, TokenResponse,
};

impl Modify for SecurityAddon {
    /// Describes the security of every secured handler.
    ///
    /// If a URL of a scheme is a [`Setting`](crate::scheme::Setting) that is not set, the document
    /// lacks the flow with this URL, and OpenID Connect is described as HTTP bearer tokens. This is
    /// an `ERROR` event (feature `tracing`), and a line on stderr in debug builds. Use
    /// [`secure`](crate::openapi::secure) for an error instead.
    ///
    /// # Panics
    ///
    /// Panics if [`secure`](crate::openapi::secure) returns any other error. It depends only on the
    /// program, so it shows when the document is first built.
    fn modify(&self, openapi: &mut OpenApi) {
        modify(openapi);
    }
}

impl UtoipaDocument for OpenApi {
    fn describe(
        &mut self,
        layer: Option<&crate::openapi::Operation>,
        unset: Unset<'_>,
    ) -> Result<(), DocumentError> {
        let Some(layer) = layer else {
            return add_to_operations(self, |_, operation| take_extension(operation), unset);
        };
        let requirement = Requirement::of(layer);
        add_to_operations(self, |is_route, _| Ok(is_route.then(|| requirement.clone())), unset)
    }
}

/// Adds the requirement that `requirement_of` finds for an operation to it, if any. It is told
/// whether the operation is a route of the service. `unset` decides about a scheme with a setting
/// that cannot be used.
fn add_to_operations(
    openapi: &mut OpenApi,
    requirement_of: impl Fn(bool, &mut Operation) -> Result<Option<Requirement>, DocumentError>,
    unset: Unset<'_>,
) -> Result<(), DocumentError> {
    let mut adding = Adding::to(openapi);
    let mut add = |place: &Place<'_>, method: &str, operation: &mut Operation| {
        let Some(requirement) = requirement_of(place.is_route, operation)? else {
            return Ok(());
        };
        requirement.unset().try_for_each(&mut *unset)?;
        #[cfg(feature = "testing")]
        let plan = {
            let before = Tree::of(operation).unwrap_or(Tree::Null);
            let recalled = filled::recalled(method, place.path, &before);
            requirement.plan.as_deref().map(Into::into).or(recalled)
        };
        adding.add(&requirement, place, method, operation)?;
        #[cfg(feature = "testing")]
        if let Some(operation) = Tree::of(operation).ok().filter(|_| place.is_route) {
            filled::remember(method, place.path, &operation, plan);
        }
        Ok(())
    };
    visit(openapi, &mut add)?;
    adding.finish(openapi)
}

/// What requirements add to a document.
struct Adding {
    /// The security of an operation without its own.
    root: Option<Vec<SecurityRequirement>>,
    /// The responses to which operations refer.
    shared: BTreeMap<String, RefOr<Response>>,
    schemes: BTreeMap<String, SecurityScheme>,
    schemas: BTreeMap<String, RefOr<Schema>>,
}

impl Adding {
    fn to(openapi: &OpenApi) -> Self {
        let components = openapi.components.as_ref();
        Self {
            root: openapi.security.clone(),
            shared: components.map(|found| found.responses.clone()).unwrap_or_default(),
            schemes: BTreeMap::new(),
            schemas: BTreeMap::new(),
        }
    }

    /// Adds a requirement to an operation.
    fn add(
        &mut self,
        requirement: &Requirement,
        place: &Place<'_>,
        method: &str,
        operation: &mut Operation,
    ) -> Result<(), DocumentError> {
        for (name, scheme) in requirement.schemes.iter() {
            add_scheme(&mut self.schemes, name, security_scheme(name, scheme)?)?;
        }
        self.schemas.extend(requirement.schemas.iter().map(|(name, schema)| {
            // utoipa writes schemas that it cannot read.
            (name.to_owned(), read(schema).unwrap_or_else(|_| any_value()))
        }));
        self.require(requirement, operation)?;
        if place.is_route {
            let of_operation = Tree::of(&operation.parameters).ok();
            let declared = [of_operation, place.parameters.clone()];
            for parameter in requirement.parameters_of(place.path, &declared) {
                operation.parameters.get_or_insert_default().push(read(&parameter)?);
            }
        }
        let responses = &mut operation.responses.responses;
        for (status, response) in requirement.responses_to(method).iter() {
            if let Entry::Vacant(place) = responses.entry(status.to_owned()) {
                place.insert(read(response)?);
            }
        }
        for (status, names) in requirement.deciding.iter() {
            if let Some(response) = responses.get_mut(status) {
                let description = self.description_of(response);
                *description = deciding::named(description, status, names);
            }
        }
        Ok(())
    }

    /// Adds the security of an operation: its schemes, the dependencies that decide beside them, or
    /// the reason why it is public.
    fn require(
        &self,
        requirement: &Requirement,
        operation: &mut Operation,
    ) -> Result<(), DocumentError> {
        if !requirement.security.is_empty() {
            // An operation without its own list uses that of the whole document.
            let written = operation.security.as_ref().or(self.root.as_ref());
            let written = written.map_or(Ok(Vec::new()), |written| {
                let written = Tree::of(written).ok();
                written.and_then(|written| alternatives_of(&written)).ok_or_else(not_read)
            })?;
            let security = both(written, &requirement.security);
            operation.security = Some(read(&security_of(&security))?);
        }
        let extensions = operation.extensions.as_ref();
        let written = extensions.and_then(|extensions| Tree::of(extensions.get(VIA)?).ok());
        if let Some(via) = requirement.via_beside(written.as_ref()) {
            let extensions = operation.extensions.get_or_insert_default();
            extensions.insert(VIA.to_owned(), via.into());
        }
        if let Some(reason) = &requirement.reason {
            operation.security.get_or_insert_default();
            let description = operation.description.as_deref();
            operation.description = Some(with_reason(description, reason));
        }
        Ok(())
    }

    /// Returns the description of a response. One beside a reference replaces that of the response
    /// to which it refers, so it starts as a copy.
    fn description_of<'r>(&self, response: &'r mut RefOr<Response>) -> &'r mut String {
        match response {
            RefOr::T(response) => &mut response.description,
            RefOr::Ref(reference) => {
                let name = reference.ref_location.strip_prefix(SHARED_RESPONSE);
                let shared = name.and_then(|name| self.shared.get(name));
                if let Some(RefOr::T(shared)) = shared.filter(|_| reference.description.is_empty())
                {
                    reference.description.clone_from(&shared.description);
                }
                &mut reference.description
            }
        }
    }

    /// Adds the schemes and the schemas to the components.
    fn finish(self, openapi: &mut OpenApi) -> Result<(), DocumentError> {
        if self.schemes.is_empty() {
            return Ok(());
        }
        let components = openapi.components.get_or_insert_with(Components::new);
        for (name, scheme) in self.schemes {
            add_scheme(&mut components.security_schemes, &name, scheme)?;
        }
        for (name, schema) in self.schemas {
            components.schemas.entry(name).or_insert(schema);
        }
        Ok(())
    }
}

/// Adds a scheme. One of the same name must be the same scheme.
fn add_scheme<S: Serialize>(
    schemes: &mut BTreeMap<String, S>,
    name: &str,
    scheme: impl Into<S>,
) -> Result<(), DocumentError> {
    let scheme = scheme.into();
    let tree = |scheme: &S| Tree::of(scheme).unwrap_or(Tree::Null);
    let new = tree(&scheme);
    let found = schemes.entry(name.to_owned()).or_insert(scheme);
    match difference(&tree(found), &new) {
        None => Ok(()),
        Some(member) => Err(DocumentError::SchemeClash(name.to_owned(), member)),
    }
}

/// The place of an operation, apart from its method.
pub(super) struct Place<'p> {
    path: &'p str,
    /// The parameters of all operations at the path.
    parameters: Option<Tree>,
    /// `true` if the service has this route.
    is_route: bool,
}

impl<'p> Place<'p> {
    pub(super) fn new(path: &'p str, item: &PathItem, is_route: bool) -> Self {
        Self { path, parameters: Tree::of(&item.parameters).ok(), is_route }
    }
}

/// Called with the place of each operation, its method, and itself.
pub(super) type Add<'a> =
    &'a mut dyn FnMut(&Place<'_>, &str, &mut Operation) -> Result<(), DocumentError>;

/// Returns the operations of an item that every version knows, each with its method.
pub(super) fn operations(
    item: &mut PathItem,
) -> impl Iterator<Item = (&'static str, &mut Operation)> {
    let operations = [
        ("get", &mut item.get),
        ("put", &mut item.put),
        ("post", &mut item.post),
        ("delete", &mut item.delete),
        ("options", &mut item.options),
        ("head", &mut item.head),
        ("patch", &mut item.patch),
        ("trace", &mut item.trace),
    ];
    operations.into_iter().filter_map(|(method, found)| Some((method, found.as_mut()?)))
}

/// Takes the requirement that an operation carries.
fn take_extension(operation: &mut Operation) -> Result<Option<Requirement>, DocumentError> {
    let Some(extensions) = &mut operation.extensions else {
        return Ok(None);
    };
    let carried = extensions.remove(EXTENSION);
    if extensions.is_empty() {
        operation.extensions = None;
    }
    let read = |carried: Value| {
        let carried = Tree::of(&carried).ok();
        carried.and_then(Requirement::unpacked).ok_or_else(not_read)
    };
    carried.map(read).transpose()
}

/// Converts a part of a description into a type of utoipa.
fn read<T: DeserializeOwned>(part: &Tree) -> Result<T, DocumentError> {
    T::deserialize(Value::from(part.clone())).map_err(|_| not_read())
}

fn not_read() -> DocumentError {
    DocumentError::Invalid(EXTENSION.to_owned())
}

/// Converts a scheme into utoipa's types. utoipa reads every flow as the implicit one, so those of
/// an OAuth2 scheme are built here.
fn security_scheme(name: &str, scheme: &Tree) -> Result<SecurityScheme, DocumentError> {
    if text(scheme, "type") != Some("oauth2") {
        return read(scheme).map_err(|_| DocumentError::UnknownScheme(name.to_owned()));
    }
    let flows = members(scheme, "flows");
    let mut oauth2 = OAuth2::new([]);
    oauth2.flows =
        flows.filter_map(|(name, object)| Some((name.to_owned(), flow(name, object)?))).collect();
    oauth2.description = text(scheme, "description").map(str::to_owned);
    Ok(SecurityScheme::OAuth2(oauth2))
}

/// Returns the members of an object's member that is an object too.
fn members<'t>(of: &'t Tree, name: &str) -> impl Iterator<Item = (&'t str, &'t Tree)> {
    let found = of.get(name).and_then(Tree::as_object);
    found.into_iter().flat_map(Members::iter)
}

/// Returns an object's member that is a text.
fn text<'t>(of: &'t Tree, name: &str) -> Option<&'t str> {
    of.get(name)?.as_str()
}

fn flow(name: &str, object: &Tree) -> Option<Flow> {
    let url = |name: &str| text(object, name).map(str::to_owned);
    let [authorization_url, token_url] =
        ["authorizationUrl", "tokenUrl"].map(|name| url(name).unwrap_or_default());
    let scopes: Scopes = members(object, "scopes")
        .map(|(name, description)| (name, description.as_str().unwrap_or_default()))
        .collect();
    macro_rules! flow {
        ($flow:ident, $new:expr) => {{
            let mut flow = $new;
            flow.refresh_url = url("refreshUrl");
            Some(Flow::$flow(flow))
        }};
    }
    match name {
        "implicit" => flow!(Implicit, Implicit::new(authorization_url, scopes)),
        "password" => flow!(Password, Password::new(token_url, scopes)),
        "clientCredentials" => flow!(ClientCredentials, ClientCredentials::new(token_url, scopes)),
        "authorizationCode" => {
            flow!(AuthorizationCode, AuthorizationCode::new(authorization_url, token_url, scopes))
        }
        _ => None,
    }
}

/// Converts the schema of a form into utoipa's types.
#[must_use]
pub fn form_schema(schema: &FormSchema) -> RefOr<Schema> {
    let json = schema.tree();
    if let Some(references) = json.get("oneOf").and_then(Tree::as_array) {
        return RefOr::T(Schema::OneOf(one_of(references, json.get("discriminator"))));
    }
    let mut object = Object::new();
    object.properties = members(&json, "properties")
        .map(|(name, property)| (name.to_owned(), form_property(property)))
        .collect();
    let required = json.get("required").map(read);
    object.required = required.and_then(Result::ok).unwrap_or_default();
    RefOr::T(Schema::Object(object))
}

fn one_of(references: &[Tree], discriminator: Option<&Tree>) -> OneOf {
    let references = references.iter().filter_map(|reference| text(reference, "$ref"));
    let mut one_of = OneOf::new();
    one_of.items = references.map(|reference| RefOr::Ref(Ref::new(reference))).collect();
    one_of.discriminator = discriminator.and_then(|discriminator| read(discriminator).ok());
    one_of
}

/// Adds the schemas that the schema of a form refers to.
pub fn form_components(schema: &FormSchema, schemas: &mut Vec<(String, RefOr<Schema>)>) {
    let components = schema.components();
    schemas.extend(components.map(|(name, form)| (name.to_owned(), form_schema(form))));
}

fn any_value() -> RefOr<Schema> {
    RefOr::T(Schema::Object(Object::with_type(SchemaType::AnyValue)))
}

fn form_property(json: &Tree) -> RefOr<Schema> {
    // utoipa writes a schema without a type, but cannot read one.
    let mut property = read(json).unwrap_or_else(|_| any_value());
    // utoipa has no `format` next to `anyOf`, but it writes extensions.
    if let RefOr::T(Schema::AnyOf(any_of)) = &mut property
        && let Some(format) = json.get("format")
    {
        let format = Value::from(format.clone());
        any_of.extensions = Some(Extensions::from_iter([("format", format)]));
    }
    property
}

#[cfg(feature = "pkce")]
crate::__to_schema_of!([self] [] crate::token_endpoint::AuthorizationCodeGrant, "AuthorizationCodeGrant", []);
crate::__to_schema_of!([self] [] ClientCredentialsGrant, "ClientCredentialsGrant", []);
crate::__to_schema_of!([self] [] RefreshTokenGrant, "RefreshTokenGrant", []);
crate::__to_schema_of!([self] [] RevocationForm, "RevocationForm", []);
crate::__to_schema_of!([self] [] OAuth2PasswordRequestForm, "OAuth2PasswordRequestForm", []);
crate::__to_schema_of!([self] [] OAuth2PasswordRequestFormStrict, "OAuth2PasswordRequestFormStrict", []);

/// Converts a utoipa document into JSON, with the security of every secured handler. The JSON keeps
/// the order in which a scheme declares its scopes; utoipa's own types do not. They keep that of a
/// form's fields if the program switches on `utoipa/preserve_order`.
impl TryFrom<OpenApi> for Document {
    type Error = DocumentError;

    fn try_from(openapi: OpenApi) -> Result<Self, DocumentError> {
        Self::new(openapi)
    }
}

macro_rules! to_schema {
    ($($answer:ident: $schema:expr;)*) => {$(
        impl PartialSchema for $answer {
            fn schema() -> RefOr<Schema> {
                read(&$schema).unwrap_or_else(|_| RefOr::T(Schema::default()))
            }
        }

        impl ToSchema for $answer {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed(stringify!($answer))
            }
        }
    )*};
}

to_schema! {
    TokenResponse: answers::token_response();
    TokenError: answers::token_error();
}

/// The responses `400` and `413`: `responses((status = 200, body = TokenResponse), FormError)`.
impl IntoResponses for FormError {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses(answers::form_errors())
    }
}

/// The responses `400`, `401` and `413`.
impl IntoResponses for TokenError {
    fn responses() -> BTreeMap<String, RefOr<Response>> {
        responses(answers::token_errors())
    }
}

fn responses(answers: Members) -> BTreeMap<String, RefOr<Response>> {
    let responses = answers.iter();
    responses
        .filter_map(|(status, response)| Some((status.to_owned(), read(response).ok()?)))
        .collect()
}

/// The responses of a type: `<ResponsesOf<T>>::RESPONSES`.
#[derive(Debug)]
pub struct ResponsesOf<T>(PhantomData<T>);

/// The responses of any other type.
pub trait AnyResponses {
    /// The responses by status.
    const RESPONSES: Option<fn() -> Json> = None;
}

impl<T> AnyResponses for ResponsesOf<T> {}

impl<T: IntoResponses> ResponsesOf<T> {
    /// The responses by status.
    pub const RESPONSES: Option<fn() -> Json> =
        Some(|| Json(Tree::of(&T::responses()).unwrap_or(Tree::Null)));
}

/// The schema of a type: `<SchemaOf<T>>::SCHEMA`.
#[derive(Debug)]
pub struct SchemaOf<T>(PhantomData<T>);

/// The schema of any other type.
pub trait AnySchema {
    /// The schema.
    const SCHEMA: Option<fn() -> BodySchema> = None;
}

impl<T> AnySchema for SchemaOf<T> {}

impl<T: ToSchema> SchemaOf<T> {
    /// The schema.
    pub const SCHEMA: Option<fn() -> BodySchema> = Some(|| {
        let tree = |schema: &RefOr<Schema>| Tree::of(schema).unwrap_or(Tree::Bool(true));
        let mut components = Vec::new();
        T::schemas(&mut components);
        let mut schema = T::schema();
        // The name of a generic type says nothing of its parameters.
        if matches!(schema, RefOr::T(_)) && !type_name::<T>().contains('<') {
            let reference = RefOr::Ref(Ref::from_schema_name(T::name()));
            components.push((T::name().into_owned(), mem::replace(&mut schema, reference)));
        }
        let components = components.iter().map(|(name, schema)| (name.clone(), tree(schema)));
        BodySchema { schema: tree(&schema), components: components.collect() }
    });
}
