//! Support for utoipa 6: adds the requirements that `#[secured]` has left in the operations of a
//! document, and implements the schema traits.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use serde::de::{Deserialize, DeserializeOwned};
use serde_json::{Value, json};
use utoipa::openapi::extensions::Extensions;
use utoipa::openapi::path::{Operation, PathItem};
use utoipa::openapi::response::Response;
use utoipa::openapi::schema::{Components, Object, OneOf, Schema, SchemaType};
use utoipa::openapi::security::{
    AuthorizationCode, ClientCredentials, Flow, Implicit, OAuth2, Password, Scopes, SecurityScheme,
};
use utoipa::openapi::{OpenApi, Ref, RefOr};
use utoipa::{IntoResponses, Modify, PartialSchema, ToSchema};

use super::operation::{Requirement, both};
use super::{Document, DocumentError, EXTENSION, FormSchema, answers};
use crate::{
    ClientCredentialsGrant, FormError, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict,
    RefreshTokenGrant, RevocationForm, TokenError, TokenResponse,
};

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
/// use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, oauth2_password_bearer, secured};
/// use utoipa::OpenApi;
///
/// #[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
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
    /// # Panics
    ///
    /// Panics if [`secure`] returns an error. The error depends only on the program, so it shows
    /// when the document is first built.
    #[expect(
        clippy::panic,
        reason = "`Modify` cannot return an error, and a wrong document is worse"
    )]
    fn modify(&self, openapi: &mut OpenApi) {
        if let Err(error) = secure(openapi) {
            panic!("{error}");
        }
    }
}

/// Describes the security of every secured handler in a document: its schemes, the `security` of
/// each operation, and the responses to refused requests.
///
/// # Errors
///
/// Returns an error if two schemes have the same name but different content, or if utoipa has no
/// name for the HTTP authentication scheme of a scheme.
pub fn secure(openapi: &mut OpenApi) -> Result<(), DocumentError> {
    add_to_operations(openapi, take_extension)
}

/// Adds one requirement to every operation of a document, such as that of a layer around a whole
/// router: `secure_all(&mut openapi, &layer.plan().operation())`.
///
/// Handlers below the layer may have requirements too; [`secure`] adds those, before or after. For
/// a layer around a nested router, call this on the document of that router, before it is nested.
/// Schemes with the same name in different documents are not compared then.
///
/// ```
/// use tollgate::openapi::secure_all;
/// use tollgate::{BearerError, BearerToken, SecurityScopes, dependency, layer, oauth2_password_bearer};
/// use utoipa::OpenApi;
///
/// #[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
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
/// Returns an error if two schemes have the same name but different content, or if utoipa has no
/// name for the HTTP authentication scheme of a scheme.
pub fn secure_all(
    openapi: &mut OpenApi,
    requirement: &super::Operation,
) -> Result<(), DocumentError> {
    let requirement = super::extension(requirement);
    add_to_operations(openapi, |_| Some(requirement.clone()))
}

/// Adds the requirement that `requirement_of` finds for an operation to it, if any.
fn add_to_operations(
    openapi: &mut OpenApi,
    requirement_of: impl Fn(&mut Operation) -> Option<Value>,
) -> Result<(), DocumentError> {
    let (components, root) = (&mut openapi.components, &openapi.security);
    let operations = openapi.paths.paths.values_mut().flat_map(operations);
    for operation in operations {
        let Some(carried) = requirement_of(operation) else {
            continue;
        };
        let Requirement {
            schemes,
            security,
            responses,
        } = Requirement::read(carried)?;
        for (name, scheme) in schemes {
            let scheme = RefOr::T(security_scheme(&name, &scheme)?);
            let found = components
                .get_or_insert_with(Components::new)
                .security_schemes
                .entry(name.clone())
                .or_insert_with(|| scheme.clone());
            if *found != scheme {
                return Err(DocumentError::SchemeClash(name));
            }
        }
        if !security.is_empty() {
            // An operation without its own list uses that of the whole document.
            let written = operation.security.as_ref().or(root.as_ref());
            let written = written.map_or(Ok(Vec::new()), |written| read(json!(written)))?;
            operation.security = Some(read(json!(both(written, security)))?);
        }
        for (status, response) in responses {
            if let Entry::Vacant(place) = operation.responses.responses.entry(status) {
                place.insert(read(response)?);
            }
        }
    }
    Ok(())
}

fn operations(item: &mut PathItem) -> impl Iterator<Item = &mut Operation> {
    let operations = [
        &mut item.get,
        &mut item.put,
        &mut item.post,
        &mut item.delete,
        &mut item.options,
        &mut item.head,
        &mut item.patch,
        &mut item.trace,
    ];
    operations.into_iter().flatten()
}

fn take_extension(operation: &mut Operation) -> Option<Value> {
    let extensions = operation.extensions.as_mut()?;
    let extension = extensions.remove(EXTENSION);
    if extensions.is_empty() {
        operation.extensions = None;
    }
    extension
}

fn read<T: DeserializeOwned>(json: Value) -> Result<T, DocumentError> {
    T::deserialize(json).map_err(|_| DocumentError::Invalid(EXTENSION.to_owned()))
}

/// Converts a scheme into utoipa's types. utoipa reads every flow as the implicit one, so those of
/// an OAuth2 scheme are built here.
fn security_scheme(name: &str, scheme: &Value) -> Result<SecurityScheme, DocumentError> {
    if scheme["type"] != "oauth2" {
        return SecurityScheme::deserialize(scheme)
            .map_err(|_| DocumentError::UnknownScheme(name.to_owned()));
    }
    let flows = scheme["flows"].as_object().into_iter().flatten();
    let mut oauth2 = OAuth2::new([]);
    oauth2.flows = flows
        .filter_map(|(name, object)| Some((name.clone(), flow(name, object)?)))
        .collect();
    oauth2.description = scheme["description"].as_str().map(str::to_owned);
    Ok(SecurityScheme::OAuth2(oauth2))
}

fn flow(name: &str, object: &Value) -> Option<Flow> {
    let url = |name: &str| object[name].as_str().map(str::to_owned);
    let [authorization_url, token_url] =
        ["authorizationUrl", "tokenUrl"].map(|name| url(name).unwrap_or_default());
    let scopes = object["scopes"].as_object().into_iter().flatten();
    let scopes: Scopes = scopes
        .map(|(name, description)| (&**name, description.as_str().unwrap_or_default()))
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
    let json = json!(schema);
    if let Some(references) = json["oneOf"].as_array() {
        return RefOr::T(Schema::OneOf(one_of(references, &json["discriminator"])));
    }
    let properties = json["properties"].as_object().into_iter().flatten();
    let mut object = Object::new();
    object.properties = properties
        .map(|(name, property)| (name.clone(), form_property(property)))
        .collect();
    object.required = read(json["required"].clone()).unwrap_or_default();
    RefOr::T(Schema::Object(object))
}

fn one_of(references: &[Value], discriminator: &Value) -> OneOf {
    let references = references
        .iter()
        .filter_map(|reference| reference["$ref"].as_str());
    let mut one_of = OneOf::new();
    one_of.items = references
        .map(|reference| RefOr::Ref(Ref::new(reference)))
        .collect();
    one_of.discriminator = read(discriminator.clone()).ok();
    one_of
}

/// Adds the schemas that the schema of a form refers to.
pub fn form_components(schema: &FormSchema, schemas: &mut Vec<(String, RefOr<Schema>)>) {
    let components = schema.components();
    schemas.extend(components.map(|(name, form)| (name.to_owned(), form_schema(form))));
}

fn form_property(json: &Value) -> RefOr<Schema> {
    // utoipa writes a schema without a type, but cannot read one.
    let any = || RefOr::T(Schema::Object(Object::with_type(SchemaType::AnyValue)));
    let mut property = read(json.clone()).unwrap_or_else(|_| any());
    // utoipa has no `format` beside `anyOf`, but it writes extensions.
    if let RefOr::T(Schema::AnyOf(any_of)) = &mut property
        && let Some(format) = json.get("format")
    {
        any_of.extensions = Some(Extensions::from_iter([("format", format.clone())]));
    }
    property
}

#[cfg(feature = "pkce")]
crate::__to_schema!([] crate::AuthorizationCodeGrant, "AuthorizationCodeGrant", []);
crate::__to_schema!([] ClientCredentialsGrant, "ClientCredentialsGrant", []);
crate::__to_schema!([] RefreshTokenGrant, "RefreshTokenGrant", []);
crate::__to_schema!([] RevocationForm, "RevocationForm", []);
crate::__to_schema!([] OAuth2PasswordRequestForm, "OAuth2PasswordRequestForm", []);
crate::__to_schema!([] OAuth2PasswordRequestFormStrict, "OAuth2PasswordRequestFormStrict", []);

/// Converts a utoipa document into JSON, with the security of every secured handler. The JSON keeps
/// the order in which a scheme declares its scopes; utoipa's own types do not.
impl TryFrom<OpenApi> for Document {
    type Error = DocumentError;

    fn try_from(openapi: OpenApi) -> Result<Self, DocumentError> {
        Self::new(json!(openapi))
    }
}

macro_rules! to_schema {
    ($($answer:ident: $schema:expr;)*) => {$(
        impl PartialSchema for $answer {
            fn schema() -> RefOr<Schema> {
                read($schema).unwrap_or_else(|_| RefOr::T(Schema::default()))
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

fn responses(answers: BTreeMap<String, Value>) -> BTreeMap<String, RefOr<Response>> {
    let responses = answers.into_iter();
    responses
        .filter_map(|(status, response)| Some((status, read(response).ok()?)))
        .collect()
}
