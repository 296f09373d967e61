//! Schemes: how one is declared as data, what it reads of a request, and how it refuses.
//!
//! The attributes, such as `#[http_bearer]`, declare a scheme. This module has what they produce,
//! for those who read it or declare a scheme by hand.

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
pub(crate) mod quoted;
pub(crate) mod reason;
pub(crate) mod rejection;
pub(crate) mod rejection_fault;
pub(crate) mod request_head;
pub(crate) mod resource_url;
pub(crate) mod rule;
pub(crate) mod same_site;
pub(crate) mod scope;
pub(crate) mod setting;
pub(crate) mod source;
pub(crate) mod text_or_setting;
pub(crate) mod unread_body;

pub use self::api_key::ApiKeyLocation;
pub use self::bearer_error::InvalidParameter;
pub use self::bearer_token::InvalidToken;
pub use self::config::{SchemeConfig, SchemeKind};
pub use self::credential::Credential;
pub use self::flow::{Flow, Flows};
pub use self::reason::RejectionReason;
use self::rejection::Rejection;
pub use self::request_head::{HeaderLine, RequestHead};
pub use self::scope::Scope;
pub use self::setting::{Setting, SettingError};
pub use self::text_or_setting::TextOrSetting;
pub use crate::resource_metadata::{ProtectedResource, ResourceMetadata};
use crate::trace;

/// A scheme: where a request has its credential, and what the API description says about it.
///
/// The scheme attributes, such as `#[http_bearer]` and `#[api_key]`, implement this
/// trait. They also implement [`Dependency`](crate::Dependency), which `#[security(…)]` requires. A
/// type that implements `Scheme` by hand is not a dependency.
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
/// assert_eq!(refused.challenge().as_deref(), Some("Bearer"));
///
/// headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer s3cret"));
/// let token: BearerToken = OAuth2::authenticate(&headers)?;
/// let borrowed: &str = OAuth2::authenticate_ref(&headers)?;
/// assert_eq!(token.as_str(), borrowed);
///
/// assert_eq!(OAuth2::CONFIG.flows().password().unwrap().scopes()[0].name, "items");
/// # Ok::<(), Rejection>(())
/// ```
///
/// By hand, the configuration and the credential must agree. A kind that yields another credential
/// does not compile where the scheme is used, and neither does a mistake in a URL or a realm:
///
/// ```
/// use tollgate::scheme::{SchemeConfig, SchemeKind};
/// use tollgate::{BasicCredentials, Scheme};
///
/// struct Admin;
///
/// impl Scheme for Admin {
///     type Credential = BasicCredentials;
///     const CONFIG: SchemeConfig = SchemeConfig::new::<BasicCredentials>("Admin").with_kind(SchemeKind::HttpBasic);
/// }
///
/// let refused = Admin::authenticate(&http::HeaderMap::new()).unwrap_err();
/// assert_eq!(refused.challenge().as_deref(), Some("Basic"));
/// ```
///
/// ```compile_fail,E0080
/// # use tollgate::scheme::{SchemeConfig, SchemeKind};
/// # use tollgate::{BasicCredentials, Scheme};
/// # struct Admin;
/// impl Scheme for Admin {
///     type Credential = BasicCredentials;
///     const CONFIG: SchemeConfig = SchemeConfig::new::<BasicCredentials>("Admin").with_kind(SchemeKind::OAuth2Bearer);
/// }
/// # let refused = Admin::authenticate(&http::HeaderMap::new()).unwrap_err();
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
        if const { needs_settings::<Self>() } {
            require_settings::<Self, H>(head)?;
        }
        let find = || Self::Credential::read::<Self, H>(head);
        if trace::is_heard() {
            return trace::heard(|| refused_or::<Self, H>(traced::<Self, _>(find()), head));
        }
        refused_or::<Self, H>(find(), head)
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
        if const { needs_settings::<Self>() } {
            require_settings::<Self, H>(head)?;
        }
        let find = || Self::Credential::read_ref::<Self, H>(head);
        if trace::is_heard() {
            return trace::heard(|| refused_or_ref::<Self, H>(traced::<Self, _>(find()), head));
        }
        refused_or_ref::<Self, H>(find(), head)
    }
}

/// Records whether a credential was found.
fn traced<S: Scheme + ?Sized, T>(found: Result<T, RejectionReason>) -> Result<T, RejectionReason> {
    trace::scheme(const { S::CONFIG.scheme_name }, found)
}

/// Returns `true` if the service has to set a value of the scheme. A handwritten configuration is
/// checked here, so one with a mistake does not compile where it is used.
const fn needs_settings<S: Scheme + ?Sized>() -> bool {
    S::CONFIG.assert_values();
    S::CONFIG.assert_yields::<S::Credential>();
    S::CONFIG.has_settings()
}

/// Refuses a request until the service has set the scheme's values.
fn require_settings<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<(), Rejection> {
    let set = S::CONFIG.require_settings();
    set.map_err(|rejection| rejection.of_request(head))
}

/// Returns the credential that was found, none if it may be absent, or the scheme's rejection.
#[inline(always)]
fn refused_or<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    found: Result<S::Credential, RejectionReason>,
    head: &H,
) -> Result<S::Credential, Rejection> {
    S::Credential::or_absent(found).or_else(|reason| refused::<S, H, _>(reason, head))
}

/// Like [`refused_or`], for a borrowed credential.
#[inline(always)]
fn refused_or_ref<'h, S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    found: Result<CredentialRef<'h, S>, RejectionReason>,
    head: &H,
) -> Result<CredentialRef<'h, S>, Rejection> {
    S::Credential::or_absent_ref(found).or_else(|reason| refused::<S, H, _>(reason, head))
}

/// Refuses a request with a rejection that is built at compile time.
#[inline(always)]
fn refused<S: Scheme + ?Sized, H: RequestHead + ?Sized, T>(
    reason: RejectionReason,
    head: &H,
) -> Result<T, Rejection> {
    let rejection = match reason {
        RejectionReason::Missing => const { S::CONFIG.rejection_of(RejectionReason::Missing) },
        RejectionReason::Repeated => const { S::CONFIG.rejection_of(RejectionReason::Repeated) },
        RejectionReason::Malformed => const { S::CONFIG.rejection_of(RejectionReason::Malformed) },
        RejectionReason::CrossSite => const { S::CONFIG.rejection_of(RejectionReason::CrossSite) },
    };
    Err(rejection.of_request(head))
}

/// The credential that a scheme yields, borrowed from the request.
pub type CredentialRef<'h, S> = <<S as Scheme>::Credential as Credential>::Ref<'h>;
