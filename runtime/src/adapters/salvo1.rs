//! The adapter for salvo 1.
//!
//! A `#[secured]` handler can be an endpoint, or a hoop of a router. For a hoop of a service, use a
//! [`guard`].

mod context;
mod extractors;
mod guard;

use http::Response as HttpResponse;
use salvo_core::{Depot, FlowCtrl, Handler, Request, Response, Scribe, async_trait};

pub use self::extractors::Attempt;
pub use self::guard::{Guard, guard};
use crate::{BearerError, FormError, Rejection, ResourceMetadata, TokenError, TokenResponse};

macro_rules! responses {
    ($($error:ty),*) => {$(
        impl Scribe for $error {
            fn render(self, response: &mut Response) {
                render(self.into_http_response(), response);
            }
        }
    )*};
}

responses!(Rejection, FormError, BearerError, TokenError, TokenResponse);
#[cfg(feature = "jwt")]
responses!(crate::jwt::VerifyError);

#[async_trait]
impl Handler for ResourceMetadata {
    async fn handle(
        &self,
        request: &mut Request,
        _: &mut Depot,
        response: &mut Response,
        _: &mut FlowCtrl,
    ) {
        render(self.response(request.method().as_str()), response);
    }
}

fn render(answer: HttpResponse<String>, response: &mut Response) {
    let (head, body) = answer.into_parts();
    response.status_code(head.status);
    response.headers_mut().extend(head.headers);
    response.replace_body(body.into());
}
