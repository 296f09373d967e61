//! Schemes, and how they check a request.

pub(crate) mod api_key;
pub(crate) mod authorization;
pub(crate) mod authorization_value;
pub(crate) mod bearer_challenge;
pub(crate) mod bearer_error;
pub(crate) mod bearer_token;
pub(crate) mod challenge;
pub(crate) mod config;
mod cookie;
pub(crate) mod credential;
pub(crate) mod flow;
mod host;
pub(crate) mod http_basic;
pub(crate) mod http_credentials;
mod query;
mod quoted;
pub(crate) mod reason;
pub(crate) mod rejection;
pub(crate) mod rejection_fault;
pub(crate) mod request_head;
pub(crate) mod resource;
pub(crate) mod resource_url;
mod same_site;
pub(crate) mod scope;
pub(crate) mod source;

use self::config::SchemeConfig;
use self::credential::Credential;
use self::reason::RejectionReason;
use self::rejection::Rejection;
use self::request_head::RequestHead;
use crate::trace;

/// A scheme: where a request has its credential, and what the API description says about it.
///
/// The scheme attributes, such as `#[oauth2_password_bearer]` and `#[api_key]`, implement this
/// trait. They also implement [`Dependency`](crate::Dependency), which `#[security(…)]` requires. A
/// type that implements `Scheme` manually is not a dependency.
///
/// The functions of this trait check a request without a framework. Both make the same decision:
///
/// ```
/// use http::{HeaderMap, HeaderValue, header::AUTHORIZATION};
/// use tollgate::{BearerToken, Rejection, Scheme, oauth2_password_bearer};
///
/// #[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
/// struct OAuth2;
///
/// let mut headers = HeaderMap::new();
/// let refused: Rejection = OAuth2::authenticate(&headers).unwrap_err();
/// assert_eq!(refused.www_authenticate().as_deref(), Some("Bearer"));
///
/// headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer s3cret"));
/// let token: BearerToken = OAuth2::authenticate(&headers)?;
/// let borrowed: &str = OAuth2::authenticate_ref(&headers)?;
/// assert_eq!(token.as_str(), borrowed);
///
/// assert_eq!(OAuth2::CONFIG.flows.password.unwrap().scopes[0].name, "items");
/// # Ok::<(), Rejection>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a scheme",
    label = "not a scheme",
    note = "declare one: `#[oauth2_password_bearer(token_url = \"token\")] struct OAuth2;`"
)]
pub trait Scheme: 'static {
    /// The credential that the scheme yields, such as a [`BearerToken`](crate::BearerToken), or an
    /// `Option` of one if `auto_error` is `false`.
    type Credential: Credential;

    /// The scheme's configuration.
    const CONFIG: SchemeConfig;

    /// Reads the credential from a request: from a `Request` or its `Parts`, or from a `HeaderMap`
    /// alone.
    ///
    /// The credential shares the bytes of the request, so nothing is copied unless it has to be
    /// decoded.
    ///
    /// # Errors
    ///
    /// Returns the response to send if there is no credential, unless `auto_error` is `false`.
    #[inline]
    fn authenticate<H: RequestHead + ?Sized>(head: &H) -> Result<Self::Credential, Rejection> {
        if const { Self::CONFIG.has_late_resource() } {
            Self::CONFIG.require_resource()?;
        }
        let find = || Self::Credential::read::<Self, H>(head);
        if trace::is_heard() {
            return trace::heard(|| refused_or::<Self>(traced::<Self, _>(find())));
        }
        refused_or::<Self>(find())
    }

    /// Reads the credential from a request and borrows it: `&str` for a token, `&[u8]` for a whole
    /// header value, `Cow<str>` for an API key. HTTP Basic has to be decoded, so its credentials
    /// are owned.
    ///
    /// # Errors
    ///
    /// Same as [`authenticate`](Self::authenticate).
    #[inline]
    fn authenticate_ref<H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<CredentialRef<'_, Self>, Rejection> {
        if const { Self::CONFIG.has_late_resource() } {
            Self::CONFIG.require_resource()?;
        }
        let find = || Self::Credential::read_ref::<Self, H>(head);
        if trace::is_heard() {
            return trace::heard(|| refused_or_ref::<Self>(traced::<Self, _>(find())));
        }
        refused_or_ref::<Self>(find())
    }
}

/// Records whether a credential was found.
fn traced<S: Scheme + ?Sized, T>(found: Result<T, RejectionReason>) -> Result<T, RejectionReason> {
    trace::scheme(S::CONFIG.scheme_name, found)
}

/// Returns the credential that was found, none if it may be absent, or the scheme's rejection.
#[inline(always)]
fn refused_or<S: Scheme + ?Sized>(
    found: Result<S::Credential, RejectionReason>,
) -> Result<S::Credential, Rejection> {
    S::Credential::or_absent(found).or_else(refused::<S, _>)
}

/// Like [`refused_or`], for a borrowed credential.
#[inline(always)]
fn refused_or_ref<S: Scheme + ?Sized>(
    found: Result<CredentialRef<'_, S>, RejectionReason>,
) -> Result<CredentialRef<'_, S>, Rejection> {
    S::Credential::or_absent_ref(found).or_else(refused::<S, _>)
}

/// Refuses a request with a rejection that is built at compile time.
#[inline(always)]
fn refused<S: Scheme + ?Sized, T>(reason: RejectionReason) -> Result<T, Rejection> {
    Err(match reason {
        RejectionReason::Missing => const { rejection_of::<S>(RejectionReason::Missing) },
        RejectionReason::Repeated => const { rejection_of::<S>(RejectionReason::Repeated) },
        RejectionReason::Malformed => const { rejection_of::<S>(RejectionReason::Malformed) },
        RejectionReason::CrossSite => const { rejection_of::<S>(RejectionReason::CrossSite) },
    })
}

/// Returns the rejection of a scheme at compile time. A handwritten configuration may have a realm
/// that no challenge can contain.
const fn rejection_of<S: Scheme + ?Sized>(reason: RejectionReason) -> Rejection {
    S::CONFIG.assert_realm();
    S::CONFIG.rejection_of(reason)
}

/// The credential that a scheme yields, borrowed from the request.
pub type CredentialRef<'h, S> = <<S as Scheme>::Credential as Credential>::Ref<'h>;
