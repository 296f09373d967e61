//! Applies the rules for every refusal.
//!
//! A refusal is never a success: a dependency's error that sets no status would be sent as a 200. A
//! refusal also says that the connection is closed, if the request may have a body that nobody has
//! read.

use http::header::CONNECTION;
use http::{Response, StatusCode};

use crate::dependency::context::Context;
use crate::scheme::rejection::Rejection;
use crate::scheme::unread_body::may_be_unread;
use crate::trace;

/// Converts the rejection of a scheme into the framework's response.
pub(crate) fn refused<C: Context>(cx: &C, rejection: Rejection) -> C::Rejection {
    cx.refuse(rejection.of_request(cx.head()))
}

/// Returns the response to a custom error or of an extractor, as it is sent.
pub(crate) fn closed<C: Context>(cx: &C, refusal: C::Rejection) -> C::Rejection {
    if may_be_unread(cx.head()) {
        cx.closing(refusal)
    } else {
        refusal
    }
}

/// Returns `true` if a status refuses a request. Any other status is reported, and the answer
/// becomes a 500.
pub(crate) fn refuses(status: u16) -> bool {
    let refuses = status >= 300;
    if !refuses {
        trace::refusal_without_an_error(status);
    }
    refuses
}

/// Returns the response if it refuses the request, and an empty 500 otherwise.
pub(crate) fn checked<B: Default>(mut refusal: Response<B>) -> Response<B> {
    if refuses(refusal.status().as_u16()) {
        return refusal;
    }
    let mut response = Response::default();
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    if let Some(connection) = refusal.headers_mut().remove(CONNECTION) {
        response.headers_mut().insert(CONNECTION, connection);
    }
    response
}
