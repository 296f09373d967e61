//! Applies the rules for every refusal.
//!
//! A refusal is never a success: a dependency's error that sets no status would be sent as a 200. A
//! refusal also says that the connection is closed, if the request may have a body that nobody has
//! read.

use crate::dependency::context::Context;
use crate::scheme::rejection::Rejection;
use crate::scheme::unread_body::may_be_unread;
use crate::trace;

/// Converts a rejection into the framework's response. A rejection is never a success.
pub(crate) fn refused<C: Context>(cx: &C, rejection: Rejection) -> C::Rejection {
    cx.refuse(rejection.of_request(cx.head()))
}

/// Returns the response to a custom error or of an extractor, as it is sent.
pub(crate) fn checked<C: Context>(cx: &C, mut refusal: C::Rejection) -> C::Rejection {
    if C::status(&refusal).is_some_and(|status| !refuses(status)) {
        refusal = cx.fail();
    }
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
