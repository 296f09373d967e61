use tollgate::{BearerToken, Rejection, dependency, layer, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token", scopes("a" = "A.", "b" "B."))]
struct OAuth2;

#[dependency]
fn user<T: Default>(#[security(OAuth2, scopes("b"))] _token: BearerToken) -> Result<T, Rejection> {
    Ok(T::default())
}

// What uses them has no errors of its own.
#[dependency]
fn admin(#[security(user)] user: String) -> String {
    user
}

#[secured(user)]
async fn handler(#[security(admin)] admin: String, #[security(user)] user: u32) -> String {
    format!("{admin} {user}")
}

fn main() {
    let _ = layer!(user, scopes("c"));
    let _: axum::Router = axum::Router::new().route("/", axum::routing::get(handler));
}
