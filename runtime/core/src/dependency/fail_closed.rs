//! Applies the rules for every refusal.
//!
//! A refusal is never a success: a dependency's error that sets no status would be sent as a 200. A
//! refusal also says that the connection is closed, if the request may have a body that is still
//! unread.

use crate::dependency::Dependency;
use crate::dependency::context::Context;
use crate::dependency::decision::cause;
use crate::plan::cursor::Cursor;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;
use crate::refusal::status::refuses;
use crate::refusal::unread_body::may_be_unread;

/// Converts a rejection of a scheme or a list into the framework's response. A rejection is never a
/// success.
pub(crate) fn refused<D: Dependency, C: Context>(
    cx: &C,
    at: Cursor,
    rejection: Rejection,
) -> C::Rejection {
    cause(D::NODE, at, rejection.reason(), None);
    cx.refuse(completed(cx, at, rejection))
}

/// Returns a rejection as it is sent: a complete challenge has the scopes that the plan requires.
pub(crate) fn completed<C: Context>(cx: &C, at: Cursor, rejection: Rejection) -> Rejection {
    rejection.of_request(cx.head(), at.challenges())
}

/// Returns the response to a custom error or of an extractor, as it is sent.
pub(crate) fn checked<C: Context>(
    cx: &C,
    mut refusal: C::Rejection,
    completion: Option<Completion>,
) -> C::Rejection {
    let status = C::status(&refusal);
    if status.is_some_and(|status| !refuses(status)) {
        refusal = cx.fail();
    } else if let Some(completion) = completion
        && status.is_none_or(|status| completion.is_for(status))
    {
        refusal = cx.completed(refusal, completion);
    }
    if may_be_unread(cx.head()) { cx.closing(refusal) } else { refusal }
}

#[cfg(test)]
mod tests {
    use http::header::{CONNECTION, CONTENT_LENGTH};
    use http::request::Parts;
    use http::{HeaderValue, Request, Response, StatusCode};

    use super::*;
    use crate::plan::node::Node;
    use crate::refusal::unread_body::announce_close;

    struct Nothing;

    impl Dependency for Nothing {
        type Output = ();

        const NODE: &'static Node = &Node::root(&[]);
    }

    /// The least that an adapter has to say. It applies none of the rules.
    struct Least(Parts);

    impl Context for Least {
        type Rejection = Response<String>;

        type Head = Parts;

        fn head(&self) -> &Parts {
            &self.0
        }

        fn respond(&self, response: Response<String>) -> Response<String> {
            response
        }

        fn status(refusal: &Response<String>) -> Option<u16> {
            Some(refusal.status().as_u16())
        }

        fn closing(&self, mut refusal: Response<String>) -> Response<String> {
            announce_close(refusal.headers_mut());
            refusal
        }

        fn completed(
            &self,
            mut refusal: Response<String>,
            completion: Completion,
        ) -> Response<String> {
            completion.add_to(refusal.status(), refusal.headers_mut());
            refusal
        }

        fn copied_head(&self) -> Parts {
            self.0.clone()
        }
    }

    fn cx(length: &'static str) -> Least {
        let (mut head, ()) = Request::new(()).into_parts();
        head.headers.insert(CONTENT_LENGTH, HeaderValue::from_static(length));
        Least(head)
    }

    fn error(status: u16) -> Response<String> {
        let response = Response::builder().status(status);
        let response = response.header("x-reason", "why");
        response.body("let in".to_owned()).expect("it is one")
    }

    #[test]
    fn an_adapter_cannot_let_a_refusal_through() {
        for (status, sent, body, reason) in [
            (100, 500, "", None),
            (200, 500, "", None),
            (299, 500, "", None),
            (300, 300, "let in", Some("why")),
            (404, 404, "let in", Some("why")),
        ] {
            for (length, connection) in [("0", None), ("1", Some("close"))] {
                let refusal = checked(&cx(length), error(status), None);
                let header = |name: &str| refusal.headers().get(name).map(HeaderValue::as_bytes);
                assert_eq!(refusal.status(), sent, "{status}");
                assert_eq!(refusal.body(), body, "{status}");
                assert_eq!(header("x-reason"), reason.map(str::as_bytes), "{status}");
                let close = connection.map(str::as_bytes);
                assert_eq!(header(CONNECTION.as_str()), close, "{status}");
            }
        }
    }

    #[test]
    fn a_rejection_is_a_whole_response() {
        let refusal =
            refused::<Nothing, _>(&cx("1"), Cursor::NOWHERE, Rejection::NOT_AUTHENTICATED);
        assert_eq!(refusal.status(), StatusCode::UNAUTHORIZED);
        assert_eq!(refusal.headers()["www-authenticate"], "Bearer");
        assert_eq!(refusal.headers()["connection"], "close");
        assert_eq!(refusal.body(), r#"{"detail":"Not authenticated"}"#);
    }
}
