//! The status of a refusal, which is never that of a success.

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

/// Returns `true` if a status says that the credential is wrong: a 401, or a redirect to a login.
pub(crate) const fn refuses_credential(status: u16) -> bool {
    matches!(status, 300..=399 | 401)
}
