//! The response to a request without a credential.

use core::fmt;
use std::borrow::Cow;

use http::header::{CONTENT_TYPE, HeaderValue, WWW_AUTHENTICATE};
use http::{Response, StatusCode};

use crate::credential::reason::RejectionReason;
use crate::credential::request_head::RequestHead;
use crate::refusal::challenge::{Challenge, Challenges};
use crate::refusal::rejection_fault::{RejectionFault, header};
use crate::refusal::unread_body::{announce_close, may_be_unread};
use crate::syntax::json::ObjectWriter;

/// A response that refuses a request, as const data.
///
/// The default is [`NOT_AUTHENTICATED`](Self::NOT_AUTHENTICATED). A scheme can replace the whole
/// response, because [RFC 6749](https://www.rfc-editor.org/rfc/rfc6749) does not define a
/// challenge:
///
/// ```
/// use http::StatusCode;
/// use doorward::{Rejection, Scheme, http_bearer};
///
/// const HIDDEN: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_json(r#"{"detail":"Not Found"}"#);
///
/// #[http_bearer(rejection = HIDDEN)]
/// struct Internal;
///
/// let response = http::Response::<String>::from(Internal::authenticate(&http::HeaderMap::new()).unwrap_err());
/// assert_eq!(response.status(), StatusCode::NOT_FOUND);
/// assert!(response.headers().get("www-authenticate").is_none());
/// ```
///
/// It is also the shortest error of a dependency, a response in every framework:
///
/// ```
/// use http::StatusCode;
/// use doorward::{Rejection, dependency};
///
/// # #[derive(Clone)]
/// struct User {
///     is_active: bool,
/// }
///
/// fn check(user: &User) -> Result<(), Rejection> {
///     if user.is_active { Ok(()) } else { Err(Rejection::new(StatusCode::BAD_REQUEST).with_detail("Inactive user")) }
/// }
///
/// let response = http::Response::<String>::from(check(&User { is_active: false }).unwrap_err());
/// assert_eq!(response.body(), r#"{"detail":"Inactive user"}"#);
/// ```
///
/// Nothing here panics, since a dependency may call it for a request. A status that would not
/// refuse the request, or has no body, becomes a `500`: below 300, and 304. A header
/// whose name or value HTTP does not have is left out, and so are those of the body and the
/// connection. Both are an `ERROR` event (feature `tracing`), and a line on stderr in debug builds.
/// In `rejection = …` of a scheme, such a mistake does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Rejection {
    status: StatusCode,
    challenge: Challenge,
    headers: &'static [(&'static str, &'static str)],
    content_type: Option<&'static str>,
    body: &'static str,
    reason: Option<RejectionReason>,
    /// The body is the text of a `{"detail":"…"}`.
    is_detail: bool,
    /// The response says that the server closes the connection.
    closes: bool,
    /// The first mistake in what it was given.
    fault: Option<RejectionFault>,
}

impl Rejection {
    /// The default response: `401`, `WWW-Authenticate: Bearer`, `{"detail":"Not authenticated"}`.
    pub const NOT_AUTHENTICATED: Self = Self::new(StatusCode::UNAUTHORIZED)
        .with_challenge("Bearer")
        .with_json(r#"{"detail":"Not authenticated"}"#);

    /// Creates a response with this status, an empty body and no challenge.
    #[must_use]
    pub const fn new(status: StatusCode) -> Self {
        let fault = RejectionFault::of_status(status);
        Self {
            status: match fault {
                None => status,
                Some(_) => StatusCode::INTERNAL_SERVER_ERROR,
            },
            challenge: Challenge::None,
            headers: &[],
            content_type: None,
            body: "",
            reason: None,
            is_detail: false,
            closes: false,
            fault,
        }
    }

    /// Sets further headers, each a name in any case
    /// ([RFC 9110, 5.1](https://www.rfc-editor.org/rfc/rfc9110#section-5.1)) and a value of visible
    /// ASCII and spaces.
    #[must_use]
    pub const fn with_headers(mut self, headers: &'static [(&'static str, &'static str)]) -> Self {
        let mut rest = headers;
        while let [(name, value), tail @ ..] = rest {
            if let Some(fault) = RejectionFault::of_header(name, value) {
                self = self.with_fault(fault);
            }
            rest = tail;
        }
        self.headers = headers;
        self
    }

    /// Sets the `WWW-Authenticate` header
    /// ([RFC 9110, 11.6.1](https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1)), which is visible
    /// ASCII and spaces.
    #[must_use]
    pub const fn with_challenge(mut self, challenge: &'static str) -> Self {
        match RejectionFault::of_value(challenge) {
            None => self.challenge = Challenge::Text(challenge),
            Some(fault) => {
                self.challenge = Challenge::None;
                self = self.with_fault(fault);
            }
        }
        self
    }

    /// Sets the JSON body `{"detail":"…"}`, as FastAPI's `HTTPException` has it.
    #[must_use]
    pub const fn with_detail(mut self, detail: &'static str) -> Self {
        self.content_type = Some("application/json");
        self.body = detail;
        self.is_detail = true;
        self
    }

    /// Sets a JSON body, which is sent as written: `Content-Type: application/json`.
    #[must_use]
    pub const fn with_json(self, body: &'static str) -> Self {
        self.with_body("application/json", body)
    }

    /// Sets a body of plain text, in UTF-8, which is sent as written:
    /// `Content-Type: text/plain; charset=utf-8`.
    #[must_use]
    pub const fn with_text(self, body: &'static str) -> Self {
        self.with_body("text/plain; charset=utf-8", body)
    }

    /// Sets a body, and its `Content-Type`, which is visible ASCII and spaces. The body is sent as
    /// written.
    #[must_use]
    pub const fn with_body(mut self, content_type: &'static str, body: &'static str) -> Self {
        match RejectionFault::of_value(content_type) {
            None => self.content_type = Some(content_type),
            Some(fault) => {
                self.content_type = None;
                self = self.with_fault(fault);
            }
        }
        self.body = body;
        self.is_detail = false;
        self
    }

    /// Notes a mistake, unless there is an earlier one.
    const fn with_fault(mut self, fault: RejectionFault) -> Self {
        if self.fault.is_none() {
            self.fault = Some(fault);
        }
        self
    }

    /// Returns the first mistake in what the rejection was given.
    pub(crate) const fn fault(&self) -> Option<RejectionFault> {
        self.fault
    }

    /// Returns the status of the response.
    #[must_use]
    pub const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the value of the `WWW-Authenticate` header. Several challenges are joined by commas
    /// here, and each has its own line in the response.
    #[must_use]
    pub fn challenge(&self) -> Option<Cow<'static, str>> {
        let mut lines = self.challenge.lines();
        lines.extend(self.further_challenges().map(Cow::Borrowed));
        match lines.len() {
            0 | 1 => lines.pop(),
            _ => Some(lines.join(", ").into()),
        }
    }

    /// Returns the challenges among the further headers.
    pub(crate) fn further_challenges(&self) -> impl Iterator<Item = &'static str> {
        let headers = self.headers.iter();
        headers
            .filter(|(name, value)| {
                name.eq_ignore_ascii_case(WWW_AUTHENTICATE.as_str())
                    && RejectionFault::of_value(value).is_none()
            })
            .map(|(_, value)| value.trim_ascii())
    }

    /// Returns `true` if the response has a challenge.
    #[cfg(feature = "openapi")]
    pub(crate) fn has_challenge(&self) -> bool {
        !self.challenge.is_none() || self.further_challenges().next().is_some()
    }

    /// The response to a request that has the credential of no alternative.
    pub(crate) const fn of_alternatives(challenges: &'static dyn Challenges) -> Self {
        let reason = RejectionReason::Missing;
        Self::NOT_AUTHENTICATED.because(reason).challenged_by(Challenge::Of {
            challenges,
            reason,
            optional: false,
        })
    }

    /// Sets the challenges.
    pub(crate) const fn challenged_by(mut self, challenge: Challenge) -> Self {
        if let Challenge::Text(text) = challenge {
            return self.with_challenge(text);
        }
        self.challenge = challenge;
        self
    }

    /// Sets another status that refuses.
    pub(crate) const fn with_status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Describes the refusal of a token that does not grant the scopes, as a
    /// [`BearerError`](crate::BearerError) or with a custom status.
    #[cfg(feature = "openapi")]
    pub(crate) fn insufficient_scope(status: u16) -> Option<Self> {
        match status {
            401 => Some(Self::NOT_AUTHENTICATED),
            403 => Some(
                Self::new(StatusCode::FORBIDDEN)
                    .with_detail("Not enough permissions")
                    .with_challenge("Bearer"),
            ),
            status => StatusCode::from_u16(status).ok().map(Self::new),
        }
    }

    /// The response to a request for which the service is not set up.
    pub(crate) const INTERNAL_SERVER_ERROR: Self = Self::new(StatusCode::INTERNAL_SERVER_ERROR)
        .with_json(r#"{"detail":"Internal Server Error"}"#);

    /// Returns the challenges.
    pub(crate) const fn challenges(&self) -> Challenge {
        self.challenge
    }

    /// Returns the content type and the body, if the response has a body.
    #[cfg(any(test, feature = "openapi"))]
    pub(crate) fn content(&self) -> Option<(&'static str, String)> {
        Some((self.content_type?, self.sent_body().into_owned()))
    }

    /// Returns the body as it is sent.
    fn sent_body(&self) -> Cow<'static, str> {
        if self.is_detail {
            ObjectWriter::new().text("detail", self.body).finish().into()
        } else {
            self.body.into()
        }
    }

    /// Returns the reason for the refusal, if a scheme created the response.
    #[must_use]
    pub const fn reason(&self) -> Option<RejectionReason> {
        self.reason
    }

    /// Returns the reason, or the one that fits the status: the replacement of a test has none.
    pub(crate) fn reason_or_status(&self) -> RejectionReason {
        self.reason.unwrap_or_else(|| RejectionReason::of_status(self.status.as_u16()))
    }

    pub(crate) const fn because(mut self, reason: RejectionReason) -> Self {
        self.reason = Some(reason);
        self
    }

    /// Returns this rejection for a request with this head, at a place in a plan whose challenges
    /// name the required scopes, if it has such a place. If the body of the request may be
    /// unread, the response says that the server closes the connection.
    #[inline]
    pub(crate) fn of_request<H: RequestHead + ?Sized>(
        mut self,
        head: &H,
        place: Option<&'static dyn Challenges>,
    ) -> Self {
        if let (Challenge::Of { challenges, .. }, Some(place)) = (&mut self.challenge, place) {
            *challenges = place;
        }
        self.closes |= may_be_unread(head);
        self
    }

    /// The response to a request with a cookie that another site has caused.
    pub(crate) const CROSS_SITE: Self =
        Self::new(StatusCode::FORBIDDEN).with_json(r#"{"detail":"Cross-site request"}"#);

    /// Converts the rejection into a response, with a body of any type that is made from text.
    #[must_use]
    pub fn into_http_response<B: From<&'static str> + From<String>>(self) -> Response<B> {
        let mut response = Response::new(match self.sent_body() {
            Cow::Borrowed(text) => B::from(text),
            Cow::Owned(text) => B::from(text),
        });
        *response.status_mut() = self.status;
        let headers = response.headers_mut();
        self.challenge.add_to(headers);
        if let Some(content_type) = self.content_type {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        }
        for (name, value) in self.headers {
            if let Some((name, value)) = header(name, value) {
                headers.append(name, value);
            }
        }
        if let Some(fault) = self.fault {
            fault.report(self.status);
        }
        if self.closes {
            announce_close(headers);
        }
        response
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the request was refused with status {}", self.status.as_u16())
    }
}

impl core::error::Error for Rejection {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_that_is_let_in_is_a_header_value() {
        for byte in b' '..=b'~' {
            let text: &'static str = String::from(char::from(byte)).leak();
            let response = Rejection::new(StatusCode::FORBIDDEN)
                .with_challenge(text)
                .into_http_response::<String>();
            assert_eq!(response.headers()[WWW_AUTHENTICATE], text);
        }
    }

    #[test]
    fn a_status_that_lets_through_or_has_no_body_becomes_a_500() {
        let sent = |rejection: Rejection| rejection.into_http_response::<String>().status();
        for status in [100, 200, 299, 304] {
            let status = StatusCode::from_u16(status).expect("it is one");
            let rejection = Rejection::new(status).with_detail("Inactive user");
            assert_eq!(rejection.status(), StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(sent(rejection), StatusCode::INTERNAL_SERVER_ERROR);
            assert_eq!(rejection.fault(), Some(RejectionFault::Status));
        }
        for status in [StatusCode::SEE_OTHER, StatusCode::NOT_FOUND] {
            assert_eq!(Rejection::new(status).status(), status);
            assert_eq!(Rejection::new(status).fault(), None);
        }
    }

    /// Every `Result` of a dependency has room for it.
    #[test]
    fn it_is_small() {
        assert!(size_of::<Rejection>() <= 10 * size_of::<usize>());
    }

    #[test]
    fn plain_text_is_sent_as_written() {
        let response = Rejection::new(StatusCode::FORBIDDEN).with_text("Nicht für dich");
        let response = response.into_http_response::<String>();
        assert_eq!(response.headers()["content-type"], "text/plain; charset=utf-8");
        assert_eq!(response.body(), "Nicht für dich");
    }

    #[test]
    fn a_challenge_among_the_headers_is_one() {
        let rejection = Rejection::new(StatusCode::UNAUTHORIZED)
            .with_detail("Wrong")
            .with_challenge("Bearer")
            .with_headers(&[("WWW-Authenticate", "Basic"), ("x-reason", "why")]);
        assert_eq!(rejection.challenge().as_deref(), Some("Bearer, Basic"));
        let bare = Rejection::new(StatusCode::UNAUTHORIZED)
            .with_detail("Wrong")
            .with_headers(&[("www-authenticate", "Basic")]);
        assert_eq!(bare.challenge().as_deref(), Some("Basic"));
    }

    #[test]
    fn a_value_that_is_no_header_is_left_out() {
        for text in ["a\r\nSet-Cookie: b", "é", "\t", "\u{7f}"] {
            let headers: &'static [_] = vec![("x-ok", "1"), ("x-bad", text)].leak();
            let rejection = Rejection::new(StatusCode::FORBIDDEN)
                .with_challenge("Bearer")
                .with_challenge(text)
                .with_headers(headers)
                .with_body(text, "body");
            assert_eq!(rejection.fault(), Some(RejectionFault::HeaderValue));
            let response = rejection.into_http_response::<String>();
            assert_eq!((response.status().as_u16(), &**response.body()), (403, "body"));
            let names: Vec<_> = response.headers().keys().collect();
            assert_eq!(names, ["x-ok"]);
        }
    }

    #[test]
    fn what_it_answers_can_be_asked() {
        let bare = Rejection::new(StatusCode::NOT_FOUND);
        assert_eq!((bare.challenge(), bare.content()), (None, None));
        let whole = bare.with_challenge("Bearer").with_json("{}");
        assert_eq!(whole.challenge().as_deref(), Some("Bearer"));
        assert_eq!(whole.content(), Some(("application/json", "{}".to_owned())));
        let response = whole.into_http_response::<String>();
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
        assert_eq!(response.headers()[WWW_AUTHENTICATE], "Bearer");
        assert_eq!(response.headers()["content-type"], "application/json");
        assert_eq!(response.body(), "{}");
    }
}
