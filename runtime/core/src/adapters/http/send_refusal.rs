//! The form in which a layer sends its refusals.

use http::{Request, Response};

/// Sends a refusal, whose body is `B`, as an answer of a service, whose bodies are `R`.
#[diagnostic::on_unimplemented(
    message = "a refusal has text, and `{R}` is not made from a `String`",
    label = "the body of this service cannot have the text of a refusal",
    note = "for a service of gRPC, such as tonic's, write `layer!(…).with_grpc_refusals()`; for any other, map its bodies to a type that implements `From<String>`"
)]
pub trait SendRefusal<B, R>: Copy + Send + 'static {
    /// Returns the form of the answer to a request, as it was before the layer saw it.
    fn of_request<T>(request: &Request<T>) -> Self;

    /// Converts the refusal into the answer that is sent.
    fn send(self, refusal: Response<B>) -> Response<R>;
}

/// Refusals are sent as they are, for any request.
#[diagnostic::do_not_recommend]
impl<B, R: From<B>> SendRefusal<B, R> for () {
    fn of_request<T>(_: &Request<T>) {}

    fn send(self, refusal: Response<B>) -> Response<R> {
        refusal.map(R::from)
    }
}
