//! The context of a dependency: its view of a request, which each adapter creates from its
//! framework's request.

use http::request::Parts;
use http::{Response, StatusCode};

use crate::credential::request_head::RequestHead;
use crate::dependency::cache::{Cache, LocalCache};
use crate::dependency::decision::Decision;
use crate::refusal::completion::Completion;
use crate::refusal::rejection::Rejection;
use crate::refusal::status::refuses_credential;

/// A request as a dependency sees it. Each adapter implements this trait for its framework.
pub trait Context {
    /// The framework's response to a refused request.
    type Rejection;

    /// The head of the framework's request.
    type Head: RequestHead;

    /// Returns the head of the request, which schemes read.
    fn head(&self) -> &Self::Head;

    /// Converts a response into the framework's, to refuse a request with it.
    fn respond(&self, response: Response<String>) -> Self::Rejection;

    /// Converts the rejection of a scheme into the framework's response. An adapter whose framework
    /// takes a [`Rejection`] as it is does without the response between them.
    fn refuse(&self, rejection: Rejection) -> Self::Rejection {
        self.respond(rejection.into_http_response())
    }

    /// Returns the refusal of a request because the service is at fault: an empty 500, unless the
    /// framework has another one.
    fn fail(&self) -> Self::Rejection {
        let mut response = Response::default();
        *response.status_mut() = StatusCode::INTERNAL_SERVER_ERROR;
        self.respond(response)
    }

    /// Reads the status of a refusal. The refusal of a status that does not refuse is replaced with
    /// that of [`fail`](Self::fail).
    ///
    /// Returns `None` if the refusal is not a response yet: the framework tries another route, or
    /// the response is written later. Who writes it asks `status::refuses`.
    fn status(refusal: &Self::Rejection) -> Option<u16>;

    /// Records a decision when the refusal is sent. Where the framework tries another route, that one
    /// decides.
    fn decide_later(_refusal: &mut Self::Rejection, _decision: Decision) {}

    /// Returns `true` if a refusal says that the credential is wrong: a 401, or a redirect to a
    /// login.
    fn is_of_credential(refusal: &Self::Rejection) -> bool {
        Self::status(refusal).is_some_and(refuses_credential)
    }

    /// Returns the refusal of a request whose body may be unread. Its response has
    /// `Connection: close`, unless the server itself says so where it closes a connection.
    fn closing(&self, refusal: Self::Rejection) -> Self::Rejection;

    /// Returns a refusal with the header lines that its response lacks. An adapter that does not
    /// know the status yet decides when the response is written.
    fn completed(&self, refusal: Self::Rejection, completion: Completion) -> Self::Rejection;

    /// Returns the replacements that a test has installed on the app.
    #[cfg(feature = "testing")]
    fn overrides(&self) -> Option<&crate::dependency::overrides::Overrides> {
        None
    }

    /// Returns a copy of the request's head, for what outlives it: a view of the request, or a
    /// replacement that a test has installed. Its target is the one that the client sent, also
    /// where a nested router sees the rest only.
    fn copied_head(&self) -> Parts;

    /// Makes room in the request for the proofs that verifiers accept, if its copies do not share
    /// one yet.
    fn note_proofs(&mut self) {}
}

/// A context whose futures can move between threads.
pub trait SendContext: Context<Rejection: Send> + Send {
    /// Returns the cache with the values of this request's cached dependencies.
    fn cache(&mut self) -> &mut Cache;
}

/// A context that can extract a `T`, as its framework's own extractors do.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be extracted from this kind of request",
    label = "not extracted by `{Self}`",
    note = "a parameter is an extractor of the framework, `SecurityScopes`, or a dependency: `#[security(path)] name: Type`"
)]
pub trait Extract<T>: Context {
    /// Extracts the value of the parameter `name`.
    fn extract(
        &mut self,
        name: &'static str,
    ) -> impl Future<Output = Result<T, Self::Rejection>> + Send;
}

/// A context whose futures stay on their thread.
pub trait LocalContext: Context {
    /// Returns the cache with the values of this request's cached dependencies.
    fn cache(&mut self) -> &mut LocalCache;
}

/// Like [`Extract`], in a context whose futures stay on their thread.
#[diagnostic::on_unimplemented(
    message = "`{T}` cannot be extracted from this kind of request",
    label = "not extracted by `{Self}`"
)]
pub trait LocalExtract<T>: Context {
    /// Extracts the value of the parameter `name`.
    fn extract(&mut self, name: &'static str) -> impl Future<Output = Result<T, Self::Rejection>>;
}

/// A context that can answer with a custom error `E`.
#[diagnostic::on_unimplemented(
    message = "`{E}` cannot be turned into a response by this framework",
    label = "not turned into a response by `{Self}`",
    note = "implement the framework's response trait for it, such as axum's `IntoResponse`; for a `Live` on salvo or Rocket, which have no request any more when it ends, implement `From<{E}>` for `http::Response<String>` as well"
)]
pub trait Reject<E>: Context {
    /// Converts the error into the framework's response.
    fn reject(&mut self, error: E) -> Self::Rejection;
}
