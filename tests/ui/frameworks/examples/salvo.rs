use salvo::{Router, Writer, handler, handler as endpoint_of};
use doorward::http::Response;
use doorward::{BearerToken, declared, dependency, oauth2_password_bearer, public, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct AuthError;

#[dependency]
async fn error_is_no_response(#[security(OAuth2)] token: BearerToken) -> Result<String, AuthError> {
    drop(token);
    Err(AuthError)
}

#[secured]
#[salvo::handler]
async fn of_an_error(#[security(error_is_no_response)] user: String) -> String {
    user
}

/// A response of warp alone.
struct WarpError;

impl From<WarpError> for Response<String> {
    fn from(_: WarpError) -> Self {
        Self::new(String::new())
    }
}

#[dependency]
async fn error_of_another_framework(#[security(OAuth2)] token: BearerToken) -> Result<String, WarpError> {
    drop(token);
    Err(WarpError)
}

#[secured]
#[salvo::handler]
async fn of_another_framework(#[security(error_of_another_framework)] user: String) -> String {
    user
}

#[handler]
async fn items() -> &'static str {
    "ok"
}

fn undecided() {
    let _app = Router::with_path("items").get(declared(items));
}

#[public(reason = "load balancers ask it")]
#[endpoint_of]
async fn under_another_name() -> &'static str {
    "ok"
}

fn another_name() {
    let _app = Router::with_path("health").get(declared(under_another_name));
}

mod above_secured {
    use doorward::{BearerToken, oauth2_password_bearer, secured};

    #[oauth2_password_bearer(token_url = "token")]
    struct OAuth2;

    #[salvo::handler]
    #[secured]
    async fn handler(#[security(OAuth2)] token: BearerToken) -> &'static str {
        drop(token);
        "ok"
    }
}

mod pattern {
    use doorward::{Security, oauth2_password_bearer};

    #[oauth2_password_bearer(token_url = "token")]
    struct OAuth2;

    #[salvo::handler]
    async fn handler(Security(token): Security<OAuth2>) {
        drop(token);
    }
}

fn main() {}
