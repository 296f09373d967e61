//! Rocket 0.5. Attach [`Doorward`], which sends the responses to refused requests. [The
//! guide](https://docs.rs/doorward/latest/doorward/guide/frameworks/index.html#rocket-05) has examples.

#[cfg(feature = "testing")]
mod asked;
mod context;
mod data;
pub(crate) mod door;
pub(crate) mod extracted;
mod fairing;
mod kept;
mod shared;

use std::io::Cursor;

use http::Response as HttpResponse;
use rocket::http::{Method, Status};
use rocket::response::{self, Responder};
use rocket::route::{Handler, Outcome};
use rocket::{Data, Request, Response, Route, async_trait};

#[cfg(feature = "testing")]
pub use self::asked::asked;
pub use self::context::Refused;
#[cfg_attr(doc, doc(hidden))]
pub use self::context::RocketRequest;
pub use self::fairing::Doorward;
/// Rocket's `routes!`, which takes handlers that are secured or public, and no others. They are
/// known by their names, so `#[secured]` or `#[public]` is above Rocket's own attribute, which has
/// its own name. A handler that takes the value of a `#[dependency(extract)]` needs neither.
///
/// ```
/// use rocket::get;
/// use doorward::public;
/// use doorward::rocket05::routes;
///
/// #[public(reason = "load balancers ask it")]
/// #[get("/health")]
/// fn health() -> &'static str {
///     "ok"
/// }
///
/// let routes = routes![health];
/// ```
pub use crate::__rocket_routes as routes;
use crate::metadata::Metadata as _;
use crate::token_endpoint::TokenResponse;

macro_rules! responders {
    ($($error:ty),*) => {$(
        impl<'r> Responder<'r, 'static> for $error {
            fn respond_to(self, _: &'r Request<'_>) -> response::Result<'static> {
                Ok(respond(self.into_http_response()))
            }
        }
    )*};
}

each_refusal!(responders);
responders!(TokenResponse);

macro_rules! documents {
    ($($document:ty),*) => {$(
        /// The routes of the document, for the path `"/"`.
        impl From<$document> for Vec<Route> {
            fn from(metadata: $document) -> Self {
                [Method::Get, Method::Options]
                    .into_iter()
                    .map(|method| Route::new(method, &format!("{}/<_..>", metadata.members().well_known()), metadata.clone()))
                    .collect()
            }
        }

        #[async_trait]
        impl Handler for $document {
            async fn handle<'r>(&self, request: &'r Request<'_>, data: Data<'r>) -> Outcome<'r> {
                // A route is held to the decoded path, and the document has the path as it is sent.
                let path = request.uri().path().as_str();
                match self.respond(request.method().as_str(), path) {
                    Some(response) => Outcome::Success(respond(response)),
                    None => Outcome::Forward((data, Status::NotFound)),
                }
            }
        }
    )*};
}

each_metadata!(documents);

/// Converts a response into Rocket's type.
fn respond(response: HttpResponse<String>) -> Response<'static> {
    let (head, body) = response.into_parts();
    let mut response = Response::build();
    response.status(Status::new(head.status.as_u16()));
    for (name, value) in &head.headers {
        if let Ok(value) = value.to_str() {
            response.raw_header_adjoin(name.to_string(), value.to_owned());
        }
    }
    response.sized_body(body.len(), Cursor::new(body)).finalize()
}
