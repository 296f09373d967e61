//! The adapter for salvo 1.
//!
//! A `#[secured]` handler can be an endpoint, or a hoop of a router. For a hoop of a service, use a
//! [`guard`].

mod context;
mod extractors;
mod guard;

use http::Response as HttpResponse;
use salvo_core::{Response, Scribe};

pub use self::extractors::Attempt;
pub use self::guard::{Guard, guard};
use crate::{BearerError, FormError, Rejection, TokenError, TokenResponse};

macro_rules! responses {
    ($($error:ty),*) => {$(
        impl Scribe for $error {
            fn render(self, response: &mut Response) {
                let refusal: HttpResponse<String> = self.into_http_response();
                let (head, body) = refusal.into_parts();
                response.status_code(head.status);
                response.headers_mut().extend(head.headers);
                response.replace_body(body.into());
            }
        }
    )*};
}

responses!(Rejection, FormError, BearerError, TokenError, TokenResponse);
