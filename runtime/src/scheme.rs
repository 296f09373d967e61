//! A scheme: its configuration, and the check that it makes of a request.

use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};

use crate::authorization::{Refusal, single};
use crate::credential::{Credential, Yield};
use crate::flow::Flows;
use crate::rejection::Rejection;
use crate::trace;

/// The configuration of a scheme, known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SchemeConfig {
    /// Its name in the API description; the struct's name unless one is given.
    pub scheme_name: &'static str,
    /// What it is, for people (CommonMark); the struct's doc comment unless one is given.
    pub description: Option<&'static str>,
    /// The flows that it declares in the API description.
    pub flows: Flows,
    /// Whether a request without a credential is refused; otherwise the scheme yields an `Option`.
    pub auto_error: bool,
    /// Whether a bearer scheme takes only the grammar of [RFC 6750, 2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1).
    pub strict: bool,
    /// The response to every request that the scheme refuses, where it replaces the default ones.
    pub rejection: Option<Rejection>,
}

impl SchemeConfig {
    /// The configuration of a scheme that yields `Y`, of this name and with no flows.
    #[must_use]
    pub const fn new<Y: Yield>(scheme_name: &'static str) -> Self {
        Self {
            scheme_name,
            description: None,
            flows: Flows::NONE,
            auto_error: Y::AUTO_ERROR,
            strict: false,
            rejection: None,
        }
    }

    /// This configuration with a description.
    #[must_use]
    pub const fn description(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// This configuration with these flows.
    #[must_use]
    pub const fn flows(mut self, flows: Flows) -> Self {
        self.flows = flows;
        self
    }

    /// This configuration, strict or not.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// The response to a request that a scheme of this configuration refuses.
    #[must_use]
    pub const fn rejection_of(&self, refusal: Refusal) -> Rejection {
        let rejection = match self.rejection {
            Some(rejection) => rejection,
            None => Rejection::of(refusal, self.strict),
        };
        rejection.because(refusal)
    }

    /// This configuration with a response of its own.
    #[must_use]
    pub const fn rejection(mut self, rejection: Rejection) -> Self {
        self.rejection = Some(rejection);
        self
    }
}

/// An OAuth2 scheme. `#[oauth2]`, `#[oauth2_password_bearer]` and `#[oauth2_authorization_code_bearer]` implement it; they alone make a
/// scheme a [`Dependency`](crate::Dependency) as well, for `#[security(…)]`.
///
/// Its functions check a request without any framework. All three make the same decision:
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
/// assert_eq!(refused.www_authenticate(), Some("Bearer"));
///
/// headers.insert(AUTHORIZATION, HeaderValue::from_static("Bearer s3cret"));
/// let token: BearerToken = OAuth2::authenticate(&headers)?;
/// let borrowed: &str = OAuth2::authenticate_ref(&headers)?;
/// let from_bytes: &str = OAuth2::authenticate_lines([&b"Bearer s3cret"[..]])?;
/// assert!(token.as_str() == borrowed && borrowed == from_bytes);
///
/// assert_eq!(OAuth2::CONFIG.flows.password.unwrap().scopes[0].name, "items");
/// # Ok::<(), Rejection>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an OAuth2 scheme",
    label = "not a scheme",
    note = "declare one: `#[oauth2_password_bearer(token_url = \"token\")] struct OAuth2;`"
)]
pub trait Scheme: 'static {
    /// What the scheme yields: [`BearerToken`](crate::BearerToken) or [`AuthorizationValue`](crate::AuthorizationValue), or an
    /// `Option` of it when its `auto_error` is `false`.
    type Yield: Yield;

    /// The scheme's configuration.
    const CONFIG: SchemeConfig;

    /// Checks the `Authorization` lines of a request.
    ///
    /// The credential is a reference-counted clone of the header value: no byte is copied.
    ///
    /// # Errors
    ///
    /// Returns the response to send when there is no credential, unless `auto_error` is `false`.
    #[inline]
    fn authenticate(headers: &HeaderMap) -> Result<Self::Yield, Rejection> {
        let find = || {
            line(headers).and_then(|line| {
                let found = CredentialOf::<Self>::locate(line.as_bytes(), Self::CONFIG.strict)?;
                Ok(CredentialOf::<Self>::keep(line.clone(), found))
            })
        };
        if trace::is_heard() {
            return trace::heard(|| {
                settled::<Self>(trace::scheme(Self::CONFIG.scheme_name, find()))
            });
        }
        settled::<Self>(find())
    }

    /// Checks the `Authorization` lines of a request, and lends the credential from them: `&str` for a token, `&[u8]` for a
    /// whole value.
    ///
    /// # Errors
    ///
    /// As [`authenticate`](Self::authenticate).
    #[inline]
    fn authenticate_ref(headers: &HeaderMap) -> Result<YieldRef<'_, Self>, Rejection> {
        let find = || line(headers).and_then(|line| lend::<Self>(line.as_bytes()));
        if trace::is_heard() {
            return trace::heard(|| {
                settled_ref::<Self>(trace::scheme(Self::CONFIG.scheme_name, find()))
            });
        }
        settled_ref::<Self>(find())
    }

    /// Checks raw `Authorization` lines, and keeps a copy of the one that counts.
    ///
    /// # Errors
    ///
    /// As [`authenticate`](Self::authenticate).
    fn authenticate_copied<'h>(
        lines: impl IntoIterator<Item = &'h [u8]>,
    ) -> Result<Self::Yield, Rejection> {
        let find = || {
            single(lines).and_then(|line| {
                let found = CredentialOf::<Self>::locate(line, Self::CONFIG.strict)?;
                let line = HeaderValue::from_bytes(line).map_err(|_| Refusal::Malformed)?;
                Ok(CredentialOf::<Self>::keep(line, found))
            })
        };
        if trace::is_heard() {
            return trace::heard(|| {
                settled::<Self>(trace::scheme(Self::CONFIG.scheme_name, find()))
            });
        }
        settled::<Self>(find())
    }

    /// Checks raw `Authorization` lines, each without its name, for callers that have no [`HeaderMap`].
    ///
    /// # Errors
    ///
    /// As [`authenticate`](Self::authenticate).
    #[inline]
    fn authenticate_lines<'h>(
        lines: impl IntoIterator<Item = &'h [u8]>,
    ) -> Result<YieldRef<'h, Self>, Rejection> {
        let find = || single(lines).and_then(lend::<Self>);
        if trace::is_heard() {
            return trace::heard(|| {
                settled_ref::<Self>(trace::scheme(Self::CONFIG.scheme_name, find()))
            });
        }
        settled_ref::<Self>(find())
    }
}

/// Returns the one `Authorization` line of a request.
#[inline(always)]
fn line(headers: &HeaderMap) -> Result<&HeaderValue, Refusal> {
    static NAME: HeaderName = AUTHORIZATION;
    if headers.len() == headers.keys_len() {
        // Where no name stands twice, the cheaper look-up sees all there is.
        single(headers.get(&NAME))
    } else {
        line_of_many(headers)
    }
}

#[cold]
fn line_of_many(headers: &HeaderMap) -> Result<&HeaderValue, Refusal> {
    single(headers.get_all(AUTHORIZATION))
}

/// Lends the credential of a line.
#[inline(always)]
fn lend<S: Scheme + ?Sized>(line: &[u8]) -> Result<CredentialRef<'_, S>, Refusal> {
    CredentialOf::<S>::locate(line, S::CONFIG.strict).and_then(CredentialOf::<S>::lend)
}

/// What a scheme yields, or its rejection.
#[inline(always)]
fn settled<S: Scheme + ?Sized>(
    found: Result<CredentialOf<S>, Refusal>,
) -> Result<S::Yield, Rejection> {
    S::Yield::settle(found).or_else(refused::<S, _>)
}

/// As [`settled`], of a credential that is lent.
#[inline(always)]
fn settled_ref<S: Scheme + ?Sized>(
    found: Result<CredentialRef<'_, S>, Refusal>,
) -> Result<YieldRef<'_, S>, Rejection> {
    S::Yield::settle_ref(found).or_else(refused::<S, _>)
}

/// Refuses a request with a response that the compiler made.
#[inline(always)]
fn refused<S: Scheme + ?Sized, T>(refusal: Refusal) -> Result<T, Rejection> {
    Err(match refusal {
        Refusal::Missing => const { S::CONFIG.rejection_of(Refusal::Missing) },
        Refusal::Repeated => const { S::CONFIG.rejection_of(Refusal::Repeated) },
        Refusal::Malformed => const { S::CONFIG.rejection_of(Refusal::Malformed) },
    })
}

type CredentialOf<S> = <<S as Scheme>::Yield as Yield>::Credential;

type CredentialRef<'h, S> = <CredentialOf<S> as Credential>::Ref<'h>;

/// What a scheme yields, borrowed from the request.
pub type YieldRef<'h, S> = <<S as Scheme>::Yield as Yield>::Ref<'h>;
