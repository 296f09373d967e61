//! The answers to the requests of a matrix.

use http::Response;

/// The answer to a request of a matrix: a response of a framework, or a `Result` of one. Its status
/// is in the error if nothing of this crate has answered.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the answer to a request",
    label = "neither a response of a framework nor a `Result` of one",
    note = "return the response itself: `|ask| app.clone().oneshot(asked(ask))`"
)]
pub trait Answer {
    /// Returns the status, or `None` if the request was not answered.
    fn status(&self) -> Option<u16>;
}

impl<B> Answer for Response<B> {
    fn status(&self) -> Option<u16> {
        Some(self.status().as_u16())
    }
}

impl<T: Answer, E> Answer for Result<T, E> {
    fn status(&self) -> Option<u16> {
        self.as_ref().ok().and_then(Answer::status)
    }
}
