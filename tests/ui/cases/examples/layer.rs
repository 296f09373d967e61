use axum::Router;
use doorward::{BearerToken, Rejection, dependency, layer, oauth2_password_bearer, plan};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
async fn user(#[security(OAuth2)] token: BearerToken) -> Result<BearerToken, Rejection> {
    Ok(token)
}

fn a_function() {
    let _: Router = Router::new().layer(user);
}

#[dependency]
fn result_in_a_result() -> Result<Result<(), Rejection>, Rejection> {
    Ok(Err(Rejection::NOT_AUTHENTICATED))
}

fn of_a_result_in_a_result() {
    let _ = layer!(result_in_a_result);
}

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Maybe;

#[dependency]
fn anyone(#[security(Maybe)] token: Option<BearerToken>) -> String {
    format!("{}", token.is_some())
}

fn refuses_nothing() {
    let _ = layer!(anyone);
}

fn two_dependencies() {
    let _ = layer!(user, user);
    let _ = plan!(user, user);
}

fn without_a_path() {
    let _ = doorward::layer!();
}

fn main() {}
