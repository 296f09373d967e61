//! Schemes: how one is declared as data, what it reads of a request, and how it refuses.
//!
//! The attributes, such as `#[http_bearer]`, declare a scheme. This module has what they produce,
//! for those who read it or declare a scheme by hand.

pub(crate) mod config;
pub(crate) mod flow;
mod rejection;
pub(crate) mod scope;
pub(crate) mod setting;

pub use self::config::SchemeConfig;
pub use self::flow::{Flow, Flows};
pub use self::scope::Scope;
pub use crate::credential::Credential;
use crate::credential::Declared;
pub use crate::credential::bearer_token::InvalidToken;
pub use crate::credential::kind::{ApiKeyLocation, SchemeKind};
pub use crate::credential::reason::RejectionReason;
pub use crate::credential::request_head::{HeaderLine, RequestHead};
pub use crate::refusal::bearer_error::InvalidParameter;
pub use crate::refusal::own_error::{FromRefusal, RefusedRequest};
use crate::refusal::rejection::Rejection;
pub use crate::scheme::setting::text_or_setting::TextOrSetting;
pub use crate::scheme::setting::{Setting, SettingError};
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
/// use doorward::{BearerToken, Rejection, Scheme, oauth2_password_bearer};
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
/// use doorward::scheme::{SchemeConfig, SchemeKind};
/// use doorward::{BasicCredentials, Scheme};
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
/// # use doorward::scheme::{SchemeConfig, SchemeKind};
/// # use doorward::{BasicCredentials, Scheme};
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
        let find = || Self::Credential::read::<Self, H>(head);
        let complete = |rejection: Rejection| rejection.of_request(head, None);
        found_or_refused::<Self, _>(find, Self::Credential::absent, complete, true)
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
        let find = || Self::Credential::read_ref::<Self, H>(head);
        let complete = |rejection: Rejection| rejection.of_request(head, None);
        found_or_refused::<Self, _>(find, Self::Credential::absent_ref, complete, true)
    }
}

/// Reads the credential from a request, for a dependency, which completes a rejection itself.
#[inline]
pub(crate) fn authenticate<S: Scheme + ?Sized, H: RequestHead + ?Sized>(
    head: &H,
) -> Result<S::Credential, Rejection> {
    let find = || S::Credential::read::<S, H>(head);
    found_or_refused::<S, _>(find, S::Credential::absent, |rejection| rejection, false)
}

/// Finds a credential. Without one, returns what is `absent` for the reason, or refuses with a
/// rejection that is completed where it is made, because each move of it costs.
#[inline]
fn found_or_refused<S: Scheme + ?Sized, T>(
    find: impl FnOnce() -> Result<T, RejectionReason>,
    absent: impl FnOnce(RejectionReason) -> Option<T>,
    complete: impl Fn(Rejection) -> Rejection,
    is_by_hand: bool,
) -> Result<T, Rejection> {
    if const { needs_settings::<S>() } {
        S::CONFIG.require_settings().map_err(&complete)?;
    }
    let or_refuse = |found: Result<T, _>| {
        found.or_else(|reason| match absent(reason) {
            Some(absent) => Ok(absent),
            None => Err(complete(refused::<S>(reason))),
        })
    };
    if trace::is_heard() {
        return trace::heard(|| {
            let found = find();
            let reason = found.as_ref().err().copied();
            let answer = or_refuse(found);
            traced::<S>(reason, answer.is_ok(), is_by_hand);
            answer
        });
    }
    or_refuse(find())
}

impl<S: Scheme + ?Sized> Declared for S {
    const KIND: SchemeKind = S::CONFIG.kind;
    const IS_STRICT: bool = S::CONFIG.strict;
    const READS_WEBSOCKET: bool = S::CONFIG.websocket;
    const TAKES_DPOP: bool = S::CONFIG.dpop;
}

/// Records whether a credential was found. What a plan refuses is a decision, with its own event.
fn traced<S: Scheme + ?Sized>(reason: Option<RejectionReason>, goes_on: bool, is_by_hand: bool) {
    let scheme = const { S::CONFIG.scheme_name };
    match reason.map(RejectionReason::as_str) {
        None => trace::credential_was_found(scheme),
        Some(reason) if goes_on => trace::goes_on_without_a_credential(scheme, reason),
        Some(reason) if is_by_hand => trace::no_credential_was_found(scheme, reason),
        Some(_) => {}
    }
}

/// Returns `true` if the service has to set a value of the scheme. A handwritten configuration is
/// checked here, so one with a mistake does not compile where it is used.
const fn needs_settings<S: Scheme + ?Sized>() -> bool {
    S::CONFIG.assert_values();
    S::CONFIG.assert_yields::<S::Credential>();
    S::CONFIG.has_settings()
}

/// Refuses a request with a rejection that is built at compile time.
#[inline(always)]
fn refused<S: Scheme + ?Sized>(reason: RejectionReason) -> Rejection {
    match reason {
        RejectionReason::Repeated => const { S::CONFIG.rejection_of(RejectionReason::Repeated) },
        RejectionReason::Malformed => const { S::CONFIG.rejection_of(RejectionReason::Malformed) },
        RejectionReason::CrossSite => const { S::CONFIG.rejection_of(RejectionReason::CrossSite) },
        // A scheme finds no reason of a verifier.
        RejectionReason::Missing
        | RejectionReason::Invalid
        | RejectionReason::Expired
        | RejectionReason::InsufficientScope
        | RejectionReason::Unavailable
        | RejectionReason::Misconfigured => {
            const { S::CONFIG.rejection_of(RejectionReason::Missing) }
        }
    }
}

/// The credential that a scheme yields, borrowed from the request.
pub type CredentialRef<'h, S> = <<S as Scheme>::Credential as Credential>::Ref<'h>;
