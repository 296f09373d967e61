//! Documents of utoipa: what does not depend on its version.

#[cfg(feature = "utoipa5")]
pub(crate) mod v5;
#[cfg(feature = "utoipa6")]
pub(crate) mod v6;

use crate::notice;
use crate::openapi::{DocumentError, Operation};
use crate::trace;

/// A document of utoipa, in a version whose feature is on.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a document that doorward can describe",
    note = "`utoipa::openapi::OpenApi` is one, with the feature `utoipa5` or `utoipa6` of doorward: that of utoipa's version"
)]
pub trait UtoipaDocument {
    /// Describes the security of every route below a layer, or else that of every secured handler.
    /// `unset` decides about a scheme with a setting that cannot be used.
    #[doc(hidden)]
    fn describe(
        &mut self,
        layer: Option<&Operation>,
        unset: Unset<'_>,
    ) -> Result<(), DocumentError>;
}

/// Decides about a scheme with a setting that cannot be used.
pub(crate) type Unset<'a> = &'a mut dyn FnMut(DocumentError) -> Result<(), DocumentError>;

/// A modifier that describes the security of every secured handler in a utoipa document. It takes
/// one line in the document's `OpenApi`.
///
/// `#[secured]` goes above `#[utoipa::path]`, and nothing is written twice. For documents that
/// `utoipa-axum` gathers, call [`secure`] instead, or take the router of `doorward::utoipa_axum03`,
/// which returns them complete. Apply either to the outermost document only:
/// nested operations arrive there unchanged, and two schemes with the same name can only be
/// compared there.
///
/// ```
/// use doorward::openapi::SecurityAddon;
/// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, secured};
/// use utoipa::OpenApi;
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[dependency]
/// fn user(#[security(OAuth2)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
///     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
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

/// Describes the security of every secured handler, for a caller who cannot take an error.
#[expect(clippy::panic, reason = "`Modify` cannot return an error, and a wrong document is worse")]
fn modify(openapi: &mut impl UtoipaDocument) {
    let mut reported = Vec::new();
    let secured = openapi.describe(None, &mut |error| {
        if !reported.contains(&error) {
            report(&error);
            reported.push(error);
        }
        Ok(())
    });
    if let Err(error) = secured {
        panic!("{error}");
    }
}

/// Says that the description of a scheme is not complete.
fn report(error: &DocumentError) {
    if let DocumentError::Setting { scheme, reason } = error {
        trace::scheme_not_described(scheme, reason);
        notice::once(format_args!("the description of `{scheme}` is not complete: {reason}"));
    }
}

/// Describes the security of every secured handler in a document: its schemes, the `security` of
/// each operation, and the responses to refused requests. Operations of webhooks and callbacks,
/// which utoipa 6 has, are described too.
///
/// # Errors
///
/// Returns an error if two schemes have the same name but different content, if a URL of a scheme
/// is a [`Setting`](crate::scheme::Setting) that is not set, or if utoipa has no name for the HTTP
/// authentication scheme of a scheme.
pub fn secure(openapi: &mut impl UtoipaDocument) -> Result<(), DocumentError> {
    openapi.describe(None, &mut Err)
}

/// Adds one requirement to every route of a document, such as that of a layer around a whole
/// router: `secure_all(&mut openapi, &layer.plan().operation())`. The operations of webhooks and
/// callbacks are not routes of the service.
///
/// Handlers below the layer may have requirements too; [`secure`] adds those, before or after. For
/// a layer around a nested router, call this on the document of that router, before it is nested.
/// Schemes with the same name in different documents are not compared then.
///
/// ```
/// use doorward::openapi::secure_all;
/// use doorward::{BearerError, BearerToken, SecurityScopes, dependency, layer, http_bearer};
/// use utoipa::OpenApi;
///
/// #[http_bearer(scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// #[dependency]
/// fn user(#[security(OAuth2)] _token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
///     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
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
/// # Ok::<(), doorward::openapi::DocumentError>(())
/// ```
///
/// # Errors
///
/// Returns an error if two schemes have the same name but different content, if a URL of a scheme
/// is a [`Setting`](crate::scheme::Setting) that is not set, or if utoipa has no name for the HTTP
/// authentication scheme of a scheme.
pub fn secure_all(
    openapi: &mut impl UtoipaDocument,
    requirement: &Operation,
) -> Result<(), DocumentError> {
    openapi.describe(Some(requirement), &mut Err)
}
