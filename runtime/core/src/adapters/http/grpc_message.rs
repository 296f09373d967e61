//! The text of a refusal, as a client of gRPC shows it.

use core::error::Error;
use core::fmt::Write as _;
use core::pin::pin;
use core::task::{Context, Poll, Waker};

use http::StatusCode;
use http_body::Body;
use http_body_util::{BodyExt, Limited};

use crate::syntax::json::only_text;

/// Returns the text of a refusal: what is in its `{"detail":"…"}`, or otherwise the whole text. A
/// refusal without a text has the name of its status.
pub(super) fn message<B>(status: StatusCode, body: B) -> String
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    let text = text(body).unwrap_or_default();
    match only_text(&text, "detail").unwrap_or(text).trim() {
        "" => status.canonical_reason().unwrap_or_default().to_owned(),
        message => message.to_owned(),
    }
}

/// Returns the text of a body that is there already. A client's headers have a limit, by default
/// of 8 KiB in gRPC, so a long text is left out.
fn text<B>(body: B) -> Option<String>
where
    B: Body<Error: Into<Box<dyn Error + Send + Sync>>>,
{
    const MAX_BYTES: usize = 1024;

    let body = pin!(Limited::new(body, MAX_BYTES).collect());
    match body.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(Ok(body)) => String::from_utf8(body.to_bytes().to_vec()).ok(),
        Poll::Ready(Err(_)) | Poll::Pending => None,
    }
}

/// Encodes a message: each byte that is neither a space nor visible ASCII, and the percent sign.
pub(super) fn percent_encoded(message: &str) -> String {
    let mut encoded = String::with_capacity(message.len());
    for byte in message.bytes() {
        match byte {
            b' '..=b'~' if byte != b'%' => encoded.push(char::from(byte)),
            _ => {
                // Writing into a string cannot fail.
                let _ = write!(encoded, "%{byte:02X}");
            }
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_the_text_of_the_refusal() {
        let long = "a".repeat(1025);
        for (body, expected) in [
            (r#"{"detail":"Not authenticated"}"#, "Not authenticated"),
            (r#"{"detail":"\u00fc\n"}"#, "ü"),
            (r#"{"detail":["a"]}"#, r#"{"detail":["a"]}"#),
            (r#"{"error":"own"}"#, r#"{"error":"own"}"#),
            (" short and stout\n", "short and stout"),
            ("", "Forbidden"),
            (r#"{"detail":""}"#, "Forbidden"),
            (&long[1..], &long[1..]),
            (&long, "Forbidden"),
        ] {
            assert_eq!(message(StatusCode::FORBIDDEN, body.to_owned()), expected);
        }
        assert_eq!(message(StatusCode::from_u16(599).unwrap(), String::new()), "");
    }

    /// The text of a body that is sent later, or never.
    #[test]
    fn a_message_is_not_waited_for() {
        struct Later;

        impl Body for Later {
            type Data = bytes::Bytes;
            type Error = core::convert::Infallible;

            fn poll_frame(
                self: core::pin::Pin<&mut Self>,
                _: &mut Context<'_>,
            ) -> Poll<Option<Result<http_body::Frame<bytes::Bytes>, Self::Error>>> {
                Poll::Pending
            }
        }

        assert_eq!(message(StatusCode::UNAUTHORIZED, Later), "Unauthorized");
    }

    #[test]
    fn a_message_is_percent_encoded() {
        assert_eq!(percent_encoded("a ~!\"100%\r\n\u{7f}é"), "a ~!\"100%25%0D%0A%7F%C3%A9");
    }
}
