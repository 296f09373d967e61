use poem_openapi::OpenApi;
use poem_openapi::payload::PlainText;
use doorward::{BearerToken, Rejection, dependency, http_bearer, secured};

#[http_bearer]
struct Api;

struct User(String);

#[dependency(extract)]
fn user(#[security(Api)] _token: BearerToken) -> Result<User, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

struct Service;

#[OpenApi]
impl Service {
    #[secured(user)]
    #[oai(path = "/guarded", method = "get")]
    async fn guard(&self) -> PlainText<String> {
        PlainText(String::new())
    }

    #[oai(path = "/me", method = "get")]
    #[secured]
    async fn secured_parameter(&self, #[security(user)] user: User) -> PlainText<String> {
        PlainText(user.0)
    }
}

fn main() {}
