//! The refusals and the answers of this crate as responses of the `http` crate.

use http::Response;

use crate::refusal::own_error::RefusedRequest;
use crate::token_endpoint::TokenResponse;

macro_rules! responses {
    ($($answer:ty),*) => {$(
        impl From<$answer> for Response<String> {
            fn from(answer: $answer) -> Self {
                answer.into_http_response()
            }
        }
    )*};
}

each_refusal!(responses);
responses!(TokenResponse, RefusedRequest);
