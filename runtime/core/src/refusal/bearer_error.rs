//! The errors of a bearer scheme and their challenges
//! ([RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3)).

use core::fmt;
use core::time::Duration;
use std::borrow::Cow;

use http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use http::{Response, StatusCode};

use crate::refusal::bearer_challenge::{BearerChallenge, BearerCode};
use crate::syntax::debug_text::debug_as_display;
use crate::syntax::grammar::{self, described, is_quotable, is_scope_token};
use crate::syntax::json::ObjectWriter;

/// A response that refuses a token, with a `Bearer` challenge that can name the required scopes.
///
/// [`SecurityScopes`](crate::SecurityScopes) creates one with
/// [`invalid_token`](crate::SecurityScopes::invalid_token),
/// [`insufficient_scope`](crate::SecurityScopes::insufficient_scope) or
/// [`unauthorized`](crate::SecurityScopes::unauthorized).
///
/// Nothing that is set can break out of a quoted string in the header. In a text for people, a
/// character that the header does not allow becomes `?`. A name that programs compare, such as a
/// scope, is an [`InvalidParameter`] instead, because another name would mean something else.
///
/// ```
/// use doorward::{BearerError, security_scopes};
///
/// let error = security_scopes!["items", "me"].insufficient_scope();
/// assert_eq!(error.status(), http::StatusCode::FORBIDDEN);
/// assert_eq!(
///     error.challenge().as_deref(),
///     Some(r#"Bearer error="insufficient_scope", scope="items me""#)
/// );
/// assert!(BearerError::invalid_token().with_realm("a \" b").is_err());
/// ```
///
/// Below a scheme with a `realm` or a `resource`, the challenge is complete: it has the realm, the
/// URL of the metadata, an `error_description`, and all scopes that the route requires of the
/// scheme.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BearerError {
    status: StatusCode,
    code: Option<BearerCode>,
    scopes: Scopes,
    detail: Cow<'static, str>,
    /// Boxed, because it is rarely set and every `Result` would carry it.
    further: Option<Box<Further>>,
}

/// The scopes that a challenge names.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Scopes {
    /// The scopes of a plan.
    Required(Cow<'static, [&'static str]>),
    /// Scopes that were checked when they were set, separated by single spaces.
    Given(String),
}

/// The further parameters of a challenge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Further {
    realm: Option<Cow<'static, str>>,
    description: Option<Cow<'static, str>>,
    /// The identifier of the resource, whose metadata is named.
    resource: Option<&'static str>,
    /// If the scheme takes `DPoP` as well, whether the error is in that challenge.
    dpop: Option<bool>,
    acr_values: String,
    max_age: Option<Duration>,
}

impl BearerError {
    const fn new(status: StatusCode, code: Option<BearerCode>, detail: &'static str) -> Self {
        Self {
            status,
            code,
            scopes: Scopes::Required(Cow::Borrowed(&[])),
            detail: Cow::Borrowed(detail),
            further: None,
        }
    }

    /// Creates a `401` error without an error code, for a request without a token, or to hide the
    /// reason from the client.
    #[must_use]
    pub const fn unauthorized(detail: &'static str) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, None, detail)
    }

    /// Creates a `400` error with the code `invalid_request`: the request is malformed.
    #[must_use]
    pub const fn invalid_request() -> Self {
        Self::new(StatusCode::BAD_REQUEST, Some(BearerCode::InvalidRequest), "Invalid request")
    }

    /// Creates a `401` error with the code `invalid_token`: the token is expired, revoked,
    /// malformed or otherwise invalid.
    #[must_use]
    pub const fn invalid_token() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            Some(BearerCode::InvalidToken),
            "Could not validate credentials",
        )
    }

    /// Creates a `403` error with the code `insufficient_scope`: the token is valid, but does not
    /// grant the required scopes.
    #[must_use]
    pub const fn insufficient_scope() -> Self {
        Self::new(
            StatusCode::FORBIDDEN,
            Some(BearerCode::InsufficientScope),
            "Not enough permissions",
        )
    }

    /// Creates a `401` error with the code `insufficient_user_authentication`: the token is valid,
    /// but the user has to authenticate once more, in another way or more recently
    /// ([RFC 9470](https://www.rfc-editor.org/rfc/rfc9470)). Say which with
    /// [`with_acr_values`](Self::with_acr_values) and [`with_max_age`](Self::with_max_age).
    #[must_use]
    pub const fn insufficient_user_authentication() -> Self {
        Self::new(
            StatusCode::UNAUTHORIZED,
            Some(BearerCode::InsufficientUserAuthentication),
            "Another authentication is required",
        )
    }

    /// Sets the required scopes.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is not a `scope-token`
    /// ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)).
    pub fn with_scopes<S: AsRef<str>>(
        mut self,
        scopes: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidParameter> {
        self.scopes = Scopes::Given(joined(
            scopes,
            InvalidParameter("a scope is visible ASCII without spaces, `\"` and `\\`"),
        )?);
        Ok(self)
    }

    /// Sets the realm that requires the token
    /// ([RFC 9110, 11.5](https://www.rfc-editor.org/rfc/rfc9110#section-11.5)).
    ///
    /// # Errors
    ///
    /// Returns an error if a quoted string cannot contain the realm unescaped.
    pub fn with_realm(
        mut self,
        realm: impl Into<Cow<'static, str>>,
    ) -> Result<Self, InvalidParameter> {
        self.further().realm = Some(quotable(
            realm.into(),
            InvalidParameter("a realm is visible ASCII and spaces, without `\"` and `\\`"),
        )?);
        Ok(self)
    }

    /// Sets the `error_description`, for the developer of the client
    /// ([RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3)). Any caller can see it,
    /// so it must not say more about a token than its bearer may know. A character that the header
    /// does not allow becomes `?`.
    #[must_use]
    pub fn with_description(mut self, description: impl Into<Cow<'static, str>>) -> Self {
        self.further().description = Some(described(description));
        self
    }

    /// Sets the authentication context class references, one of which is required
    /// ([RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3)), the preferred one first.
    ///
    /// ```
    /// use core::time::Duration;
    /// use doorward::BearerError;
    ///
    /// let error = BearerError::insufficient_user_authentication()
    ///     .with_acr_values(["myACR"])?
    ///     .with_max_age(Duration::from_secs(300));
    /// assert_eq!(
    ///     error.challenge().as_deref(),
    ///     Some(r#"Bearer error="insufficient_user_authentication", acr_values="myACR", max_age="300""#)
    /// );
    /// # Ok::<(), doorward::scheme::InvalidParameter>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns an error if one of them is empty, has a space, or a quoted string cannot contain it
    /// unescaped.
    pub fn with_acr_values<S: AsRef<str>>(
        mut self,
        values: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidParameter> {
        self.further().acr_values = joined(
            values,
            InvalidParameter("a class reference is visible ASCII without spaces, `\"` and `\\`"),
        )?;
        Ok(self)
    }

    /// Sets the longest time since the user has authenticated, in whole seconds
    /// ([RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3)).
    #[must_use]
    pub fn with_max_age(mut self, max_age: Duration) -> Self {
        self.further().max_age = Some(max_age);
        self
    }

    /// Sets the text in the body, `{"detail": …}`.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<Cow<'static, str>>) -> Self {
        self.detail = detail.into();
        self
    }

    fn further(&mut self) -> &mut Further {
        self.further.get_or_insert_default()
    }

    /// Returns the status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the value of the `WWW-Authenticate` header. Below a scheme with `dpop`, a `401` has a
    /// second one, and this is the one with the error.
    #[must_use]
    pub fn challenge(&self) -> Option<Cow<'static, str>> {
        Some(self.challenge_text(self.dpop() == Some(true), self.code).into())
    }

    fn dpop(&self) -> Option<bool> {
        self.further.as_ref().and_then(|further| further.dpop)
    }

    /// Returns the text of a challenge, for `DPoP` or for `Bearer`, with this code.
    fn challenge_text(&self, is_dpop: bool, code: Option<BearerCode>) -> String {
        let given;
        let scopes: &[&str] = match &self.scopes {
            Scopes::Required(scopes) => scopes,
            Scopes::Given(scopes) if scopes.is_empty() => &[],
            Scopes::Given(scopes) => {
                given = [scopes.as_str()];
                &given
            }
        };
        let plain = BearerChallenge { is_dpop, code, scopes, ..BearerChallenge::default() };
        let challenge = match self.further.as_deref() {
            None => plain,
            Some(further) => BearerChallenge {
                realm: further.realm.as_deref(),
                description: further.description.as_deref(),
                resource: further.resource,
                acr_values: &further.acr_values,
                max_age: further.max_age.map(|max_age| max_age.as_secs()),
                ..plain
            },
        };
        challenge.text()
    }

    /// Sets the scopes that a plan requires.
    pub(crate) fn requiring(mut self, scopes: impl Into<Cow<'static, [&'static str]>>) -> Self {
        self.scopes = Scopes::Required(scopes.into());
        self
    }

    /// Completes the challenge of a scheme that declares a realm or a resource.
    pub(crate) fn completed(
        mut self,
        realm: Option<&'static str>,
        resource: Option<&'static str>,
        takes_dpop: bool,
    ) -> Self {
        let description = self.code.map(BearerCode::description);
        self.further = Some(Box::new(Further {
            realm: realm.map(Cow::Borrowed),
            resource,
            description: description.map(Cow::Borrowed),
            dpop: takes_dpop.then_some(false),
            ..Further::default()
        }));
        self
    }

    /// Puts the error into the challenge for `DPoP`.
    pub(crate) fn put_into_dpop(&mut self, is_of_proof: bool) {
        if is_of_proof {
            self.code = Some(BearerCode::InvalidDpopProof);
        }
        let description = self.code.map(BearerCode::description);
        let further = self.further();
        further.dpop = Some(true);
        further.description = description.map(Cow::Borrowed);
    }

    /// Converts the error into a response, with a body of any type that is made from text.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        let body = ObjectWriter::new().text("detail", &self.detail).finish();
        let mut response = Response::new(B::from(body));
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        // Every part of the challenges was checked when it was set, so this cannot fail.
        let mut add = |is_dpop, code| {
            if let Ok(challenge) = HeaderValue::try_from(self.challenge_text(is_dpop, code)) {
                headers.append(WWW_AUTHENTICATE, challenge);
            }
        };
        let dpop = self.dpop();
        add(dpop == Some(true), self.code);
        if let Some(is_dpop) = dpop.filter(|_| self.status == StatusCode::UNAUTHORIZED) {
            add(!is_dpop, None);
        }
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        response
    }
}

/// Returns the texts, separated by single spaces, if a quoted list can contain them.
fn joined<S: AsRef<str>>(
    texts: impl IntoIterator<Item = S>,
    otherwise: InvalidParameter,
) -> Result<String, InvalidParameter> {
    let texts = Vec::from_iter(texts);
    let are_tokens = texts.iter().all(|text| is_scope_token(text.as_ref()));
    if are_tokens { Ok(grammar::joined(texts)) } else { Err(otherwise) }
}

/// Returns the text, if a quoted string can contain it unescaped.
fn quotable(
    text: Cow<'static, str>,
    otherwise: InvalidParameter,
) -> Result<Cow<'static, str>, InvalidParameter> {
    if text.bytes().all(is_quotable) { Ok(text) } else { Err(otherwise) }
}

impl fmt::Display for BearerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}

impl core::error::Error for BearerError {}

/// The error for a text that cannot be a parameter of a challenge.
#[derive(Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidParameter(&'static str);

impl fmt::Display for InvalidParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl core::error::Error for InvalidParameter {}

debug_as_display!(InvalidParameter);
