use axum::http::StatusCode;
use tollgate::{BearerToken, Rejection, api_key, http_basic, http_bearer, one_of, secured};
use tollgate::scheme::Refusal;

#[http_basic(error = "ApiError")]
struct ANameInQuotes;

#[http_bearer]
struct Api;

#[one_of(error = http::Response<String>)]
enum AlternativesThatLetIn {
    #[security(Api)]
    Token(BearerToken),
    Anonymous,
}

#[http_bearer(error = http::Response<String>)]
struct ApiAlternativesWithout;

#[one_of]
enum Caller {
    #[security(ApiAlternativesWithout)]
    Token(BearerToken),
}

#[one_of(challenge = false)]
enum ChallengeAlone { #[security(Api)] Token(BearerToken) }

#[http_bearer(rejection = Rejection::NOT_AUTHENTICATED, error = http::Response<String>)]
struct ErrorAndRejection;

struct ApiError;

impl From<Refusal> for ApiError {
    fn from(_: Refusal) -> Self {
        Self
    }
}

#[api_key(header = "x-key", error = ApiError)]
struct NoResponse;

#[http_bearer(error = StatusCode)]
struct NotMadeFromARefusal;

#[secured]
async fn me(#[security(NotMadeFromARefusal)] _token: BearerToken) {}

fn not_made_from_a_refusal() {
    let _ = axum::routing::get::<_, _, ()>(me);
}

#[http_bearer(verified = String, by = Tokens, error = String)]
struct Verified;

#[secured(Verified)]
async fn me_verified() {}

fn verified() {
    let _ = axum::routing::get::<_, _, ()>(me_verified);
}

fn main() {}
