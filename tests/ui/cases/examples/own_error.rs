use axum::http::StatusCode;
use doorward::{ApiKey, BearerToken, Rejection, SecurityScopes, api_key, http_basic, http_bearer, one_of, secured};
use doorward::scheme::RefusedRequest;
use doorward::verify::{Presented, Verified, Verify, VerifyError};

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

impl From<RefusedRequest> for ApiError {
    fn from(_: RefusedRequest) -> Self {
        Self
    }
}

#[api_key(header = "x-key", error = ApiError)]
struct NoResponse;

#[http_bearer(verified = String, by = Tokens, error = ApiError)]
struct VerifiedWithoutAResponse;

#[one_of(error = ApiError)]
enum ListWithoutAResponse {
    #[security(NoResponse)]
    Key(ApiKey),
    #[security(VerifiedWithoutAResponse)]
    Token(Verified<String>),
}

#[secured]
async fn key(#[security(NoResponse)] _key: ApiKey) {}

#[secured(VerifiedWithoutAResponse)]
async fn token() {}

#[secured]
async fn either(#[security(ListWithoutAResponse)] _either: ListWithoutAResponse) {}

fn no_response() {
    let _: axum::Router = axum::Router::new()
        .route("/key", axum::routing::get(key))
        .route("/token", axum::routing::get(token))
        .route("/either", axum::routing::get(either));
}

#[http_bearer(error = StatusCode)]
struct NotMadeFromARefusal;

#[secured]
async fn me(#[security(NotMadeFromARefusal)] _token: BearerToken) {}

fn not_made_from_a_refusal() {
    let _ = axum::routing::get::<_, _, ()>(me);
}

#[http_bearer(verified = String, by = Tokens, error = String)]
struct VerifiedByNothing;

#[secured(VerifiedByNothing)]
async fn me_verified() {}

fn verified() {
    let _ = axum::routing::get::<_, _, ()>(me_verified);
}

struct Tokens;

impl Verify for Tokens {
    type Claims = String;

    async fn verify(
        &self,
        _: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<String>, VerifyError> {
        Err(VerifyError::invalid_token(scopes))
    }
}

fn main() {}
