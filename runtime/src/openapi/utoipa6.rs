//! Support for utoipa 6: adds the requirements that `#[secured]` has left in the operations of a
//! document, and implements the schema traits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::de::DeserializeOwned;
use serde_json::Value;
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Callback, Operation, PathItem};
use utoipa::openapi::response::Response;
use utoipa::openapi::schema::{Components, Object, OneOf, Schema, SchemaType};
use utoipa::openapi::security::{
    AuthorizationCode, ClientCredentials, Flow, Implicit, OAuth2, Password, Scopes, SecurityScheme,
};
use utoipa::openapi::{OpenApi, Ref, RefOr};
use utoipa::{IntoResponses, Modify, PartialSchema, ToSchema};

use crate::form::FormError;
use crate::form::password::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict};
use crate::json::tree::{Object as Members, Tree};
use crate::notice;
use crate::openapi::location::SHARED_ROUTE;
use crate::openapi::operation::{Requirement, alternatives_of, both, security_of, with_reason};
use crate::openapi::{Document, DocumentError, EXTENSION, FormSchema, answers};
use crate::token_endpoint::{
    ClientCredentialsGrant, RefreshTokenGrant, RevocationForm, TokenError, TokenResponse,
};
use crate::trace;

/// A modifier that describes the security of every secured handler in a utoipa document. It takes
/// one line in the document's `OpenApi`.
///
/// `#[secured]` goes above `#[utoipa::path]`, and nothing is written twice. For documents that
/// `utoipa-axum` gathers, call [`secure`] instead. Apply either to the outermost document only:
/// nested operations arrive there unchanged, and two schemes with the same name can only be
/// compared there.
///
/// ```
/// use tollgate::openapi::SecurityAddon;
/// use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, secured};
/// use utoipa::OpenApi;
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[dependency]
/// fn user(#[security(OAuth2)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
///     Err(scopes.invalid_token()) // nobody, until tokens are verified here
/// }
///
/// #[secured(user, scopes("items"))]
/// #[utoipa::path(get, path = "/items", responses((status = 200)))]
/// async fn items() {}
///
/// #[derive(OpenApi)]
/// #[openapi(paths(items), modifiers(&SecurityAddon))]
/// struct ApiDoc;
///
/// let document = serde_json::json!(ApiDoc::openapi());
/// let operation = &document["paths"]["/items"]["get"];
/// assert_eq!(operation["security"], serde_json::json!([{ "OAuth2": ["items"] }]));
/// assert_eq!(operation["responses"]["401"]["description"], "Unauthorized");
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct SecurityAddon;

impl Modify for SecurityAddon {
    /// Describes the security of every secured handler.
    ///
    /// If a URL of a scheme is a [`Setting`](crate::scheme::Setting) that is not set, the document
    /// lacks the flow with this URL, and OpenID Connect is described as HTTP bearer tokens. This is
    /// an `ERROR` event (feature `tracing`), and a line on stderr in debug builds. Use [`secure`]
    /// for an error instead.
    ///
    /// # Panics
    ///
    /// Panics if [`secure`] returns any other error. It depends only on the program, so it shows
    /// when the document is first built.
    #[expect(
        clippy::panic,
        reason = "`Modify` cannot return an error, and a wrong document is worse"
    )]
    fn modify(&self, openapi: &mut OpenApi) {
        let mut reported = Vec::new();
        let secured = add_to_operations(
            openapi,
            |_, operation| take_extension(operation),
            |error| {
                if !reported.contains(&error) {
                    report(&error);
                    reported.push(error);
                }
                Ok(())
            },
        );
        if let Err(error) = secured {
            panic!("{error}");
        }
    }
}

/// Says that the description of a scheme is not complete.
fn report(error: &DocumentError) {
    if let DocumentError::Setting { scheme, reason } = error {
        trace::scheme_not_described(scheme, reason);
        notice::once(format_args!(
            "the description of `{scheme}` is not complete: {reason}"
        ));
    }
}

/// Describes the security of every secured handler in a document: its schemes, the `security` of
/// each operation, and the responses to refused requests. Operations of webhooks and callbacks are
/// described too.
///
/// # Errors
///
/// Returns an error if two schemes have the same name but different content, if a URL of a scheme
/// is a [`Setting`](crate::scheme::Setting) that is not set, or if utoipa has no name for the HTTP
/// authentication scheme of a scheme.
pub fn secure(openapi: &mut OpenApi) -> Result<(), DocumentError> {
    add_to_operations(openapi, |_, operation| take_extension(operation), Err)
}

/// Adds one requirement to every route of a document, such as that of a layer around a whole
/// router: `secure_all(&mut openapi, &layer.plan().operation())`. The operations of webhooks and
/// callbacks are no routes of the service.
///
/// Handlers below the layer may have requirements too; [`secure`] adds those, before or after. For
/// a layer around a nested router, call this on the document of that router, before it is nested.
/// Schemes with the same name in different documents are not compared then.
///
/// ```
/// use tollgate::openapi::secure_all;
/// use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, layer, http_bearer};
/// use utoipa::OpenApi;
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[dependency]
/// fn user(#[security(OAuth2)] _token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
///     Err(scopes.invalid_token()) // nobody, until tokens are verified here
/// }
///
/// #[utoipa::path(get, path = "/items", responses((status = 200)))]
/// async fn items() {}
///
/// #[derive(OpenApi)]
/// #[openapi(paths(items))]
/// struct ApiDoc;
///
/// let layer = layer!(user, scopes("items"));
/// let mut document = ApiDoc::openapi();
/// secure_all(&mut document, &layer.plan().operation())?;
///
/// let document = serde_json::json!(document);
/// assert_eq!(document["paths"]["/items"]["get"]["security"], serde_json::json!([{ "OAuth2": ["items"] }]));
/// # Ok::<(), tollgate::openapi::DocumentError>(())
/// ```
///
/// # Errors
///
/// Returns an error if two schemes have the same name but different content, if a URL of a scheme
/// is a [`Setting`](crate::scheme::Setting) that is not set, or if utoipa has no name for the HTTP
/// authentication scheme of a scheme.
pub fn secure_all(
    openapi: &mut OpenApi,
    requirement: &crate::openapi::Operation,
) -> Result<(), DocumentError> {
    let requirement = Requirement::of(requirement);
    add_to_operations(
        openapi,
        |is_route, _| Ok(is_route.then(|| requirement.clone())),
        Err,
    )
}

/// Adds the requirement that `requirement_of` finds for an operation to it, if any. It is told
/// whether the operation is a route of the service. `unset` decides about a scheme with a setting
/// that cannot be used.
fn add_to_operations(
    openapi: &mut OpenApi,
    requirement_of: impl Fn(bool, &mut Operation) -> Result<Option<Requirement>, DocumentError>,
    mut unset: impl FnMut(DocumentError) -> Result<(), DocumentError>,
) -> Result<(), DocumentError> {
    let root = openapi.security.as_ref();
    let mut schemes = BTreeMap::new();
    let mut add = |is_route: bool, method: &str, operation: &mut Operation| {
        let Some(requirement) = requirement_of(is_route, operation)? else {
            return Ok(());
        };
        requirement.unset().try_for_each(&mut unset)?;
        for (name, scheme) in requirement.schemes.iter() {
            let scheme = RefOr::T(security_scheme(name, scheme)?);
            add_scheme(&mut schemes, name, scheme)?;
        }
        if !requirement.security.is_empty() {
            // An operation without its own list uses that of the whole document.
            let written =
                operation
                    .security
                    .as_ref()
                    .or(root)
                    .map_or(Ok(Vec::new()), |written| {
                        let written = Tree::of(written).ok();
                        written
                            .and_then(|written| alternatives_of(&written))
                            .ok_or_else(not_read)
                    })?;
            let security = both(written, &requirement.security);
            operation.security = Some(read(&security_of(&security))?);
        }
        if let Some(reason) = &requirement.reason {
            operation.security.get_or_insert_default();
            let description = operation.description.as_deref();
            operation.description = Some(with_reason(description, reason));
        }
        for (status, response) in requirement.responses_to(method).iter() {
            if let Entry::Vacant(place) = operation.responses.responses.entry(status.to_owned()) {
                place.insert(read(response)?);
            }
        }
        Ok(())
    };
    let routes = openapi.paths.paths.values();
    let shared = routes.filter_map(|item| item.ref_path.as_deref()?.strip_prefix(SHARED_ROUTE));
    let shared = Vec::from_iter(shared.map(str::to_owned));
    for item in openapi.paths.paths.values_mut() {
        visit(item, true, &mut add)?;
    }
    for item in openapi
        .webhooks
        .iter_mut()
        .flat_map(|hooks| hooks.paths.values_mut())
    {
        visit(item, false, &mut add)?;
    }
    if let Some(components) = &mut openapi.components {
        for (name, item) in &mut components.path_items {
            visit(item, shared.contains(name), &mut add)?;
        }
        visit_callbacks(&mut components.callbacks, &mut add)?;
    }
    if !schemes.is_empty() {
        let components = openapi.components.get_or_insert_with(Components::new);
        for (name, scheme) in schemes {
            add_scheme(&mut components.security_schemes, &name, scheme)?;
        }
    }
    Ok(())
}

/// Adds a scheme. One of the same name must have the same content.
fn add_scheme(
    schemes: &mut BTreeMap<String, RefOr<SecurityScheme>>,
    name: &str,
    scheme: RefOr<SecurityScheme>,
) -> Result<(), DocumentError> {
    match schemes.entry(name.to_owned()) {
        Entry::Vacant(place) => {
            place.insert(scheme);
        }
        Entry::Occupied(found) if *found.get() == scheme => {}
        Entry::Occupied(_) => return Err(DocumentError::SchemeClash(name.to_owned())),
    }
    Ok(())
}

/// Called with each operation and its method, and whether it is a route of the service.
type Add<'a> = &'a mut dyn FnMut(bool, &str, &mut Operation) -> Result<(), DocumentError>;

fn visit(item: &mut PathItem, is_route: bool, add: Add<'_>) -> Result<(), DocumentError> {
    let operations = [
        ("get", &mut item.get),
        ("put", &mut item.put),
        ("post", &mut item.post),
        ("delete", &mut item.delete),
        ("options", &mut item.options),
        ("head", &mut item.head),
        ("patch", &mut item.patch),
        ("trace", &mut item.trace),
        ("query", &mut item.query),
    ];
    let operations = operations
        .into_iter()
        .filter_map(|(method, found)| Some((method, found.as_mut()?)));
    let others = item
        .additional_operations
        .iter_mut()
        .map(|(method, operation)| (method.as_str(), operation));
    for (method, operation) in operations.chain(others) {
        add(is_route, method, operation)?;
        visit_callbacks(&mut operation.callbacks, add)?;
    }
    Ok(())
}

fn visit_callbacks(
    callbacks: &mut BTreeMap<String, RefOr<Callback>>,
    add: Add<'_>,
) -> Result<(), DocumentError> {
    for callback in callbacks.values_mut() {
        let RefOr::T(callback) = callback else {
            continue;
        };
        for item in callback.values_mut() {
            if let RefOr::T(item) = item {
                visit(item, false, add)?;
            }
        }
    }
    Ok(())
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
    oauth2.flows = flows
        .filter_map(|(name, object)| Some((name.to_owned(), flow(name, object)?)))
        .collect();
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
        "authorizationCode" => flow!(
            AuthorizationCode,
            AuthorizationCode::new(authorization_url, token_url, scopes)
        ),
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
    let references = references
        .iter()
        .filter_map(|reference| text(reference, "$ref"));
    let mut one_of = OneOf::new();
    one_of.items = references
        .map(|reference| RefOr::Ref(Ref::new(reference)))
        .collect();
    one_of.discriminator = discriminator.and_then(|discriminator| read(discriminator).ok());
    one_of
}

/// Adds the schemas that the schema of a form refers to.
pub fn form_components(schema: &FormSchema, schemas: &mut Vec<(String, RefOr<Schema>)>) {
    let components = schema.components();
    schemas.extend(components.map(|(name, form)| (name.to_owned(), form_schema(form))));
}

fn form_property(json: &Tree) -> RefOr<Schema> {
    // utoipa writes a schema without a type, but cannot read one.
    let any = || RefOr::T(Schema::Object(Object::with_type(SchemaType::AnyValue)));
    let mut property = read(json).unwrap_or_else(|_| any());
    // utoipa has no `format` beside `anyOf`, but it writes extensions.
    if let RefOr::T(Schema::AnyOf(any_of)) = &mut property
        && let Some(format) = json.get("format")
    {
        let format = Value::from(format.clone());
        any_of.extensions = Some(Extensions::from_iter([("format", format)]));
    }
    property
}

#[cfg(feature = "pkce")]
crate::__to_schema!([] crate::token_endpoint::AuthorizationCodeGrant, "AuthorizationCodeGrant", []);
crate::__to_schema!([] ClientCredentialsGrant, "ClientCredentialsGrant", []);
crate::__to_schema!([] RefreshTokenGrant, "RefreshTokenGrant", []);
crate::__to_schema!([] RevocationForm, "RevocationForm", []);
crate::__to_schema!([] OAuth2PasswordRequestForm, "OAuth2PasswordRequestForm", []);
crate::__to_schema!([] OAuth2PasswordRequestFormStrict, "OAuth2PasswordRequestFormStrict", []);

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
