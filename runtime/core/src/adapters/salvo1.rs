//! salvo 1.
//!
//! A `#[secured]` handler can be an endpoint, or a hoop of a router. For a hoop of a service, use a
//! `layer!`.

#[cfg(feature = "testing")]
mod asked;
mod context;
pub(crate) mod extracted;
pub(super) mod extractors;
mod layer;

use http::Response as HttpResponse;
use salvo_core::{Depot, FlowCtrl, Handler, Request, Response, Router, Scribe, async_trait};

#[cfg(feature = "testing")]
pub use self::asked::asked;
pub use self::context::Refusal;
#[cfg_attr(doc, doc(hidden))]
pub use self::context::Salvo;
pub use self::extractors::Attempt;
use crate::metadata::Metadata;
use crate::token_endpoint::TokenResponse;

macro_rules! responses {
    ($($error:ty),*) => {$(
        impl Scribe for $error {
            fn render(self, response: &mut Response) {
                render(self.into_http_response(), response);
            }
        }
    )*};
}

each_refusal!(responses);
responses!(TokenResponse);

/// Returns the route of a metadata document: `.push(metadata(document))`.
#[must_use]
pub fn metadata(document: impl Metadata + Handler) -> Router {
    // A route is held to the decoded path, and the document has the path as it is sent.
    let path = document.members().path().to_owned();
    Router::with_path(format!("{}/{{**_}}", document.members().well_known()))
        .filter_fn(move |request, _| request.uri().path() == path)
        .goal(document)
}

macro_rules! documents {
    ($($document:ty),*) => {$(
        /// Answers every request. The router has matched the path.
        #[async_trait]
        impl Handler for $document {
            async fn handle(
                &self,
                request: &mut Request,
                _: &mut Depot,
                response: &mut Response,
                _: &mut FlowCtrl,
            ) {
                render(self.members().response(request.method().as_str()), response);
            }
        }
    )*};
}

each_metadata!(documents);

fn render(answer: HttpResponse<String>, response: &mut Response) {
    let (head, body) = answer.into_parts();
    response.status_code(head.status);
    response.headers_mut().extend(head.headers);
    response.replace_body(body.into());
}
