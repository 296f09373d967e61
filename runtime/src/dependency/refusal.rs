//! Checks that a refusal is never a success. A dependency's error that sets no status would be sent
//! as a 200.

use http::{Response, StatusCode};

use crate::trace;

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
pub(crate) fn checked<B: Default>(response: Response<B>) -> Response<B> {
    if refuses(response.status().as_u16()) {
        return response;
    }
    let mut response = Response::default();
    *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
    response
}
