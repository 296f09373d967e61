//! A refusal is never a success: an error of a dependency without a status of its own would be sent as a 200.

use http::{Response, StatusCode};

use crate::trace;

/// Returns `true` for a status that refuses a request. Another one is reported; the answer is a 500 then.
pub(crate) fn refuses(status: u16) -> bool {
    let refuses = status >= 300;
    if !refuses {
        trace::refusal_without_an_error(status);
    }
    refuses
}

/// The response that refuses a request: this one, or a 500 in its place.
pub(crate) fn checked<B: Default>(response: Response<B>) -> Response<B> {
    if refuses(response.status().as_u16()) {
        return response;
    }
    let mut response = Response::default();
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}
