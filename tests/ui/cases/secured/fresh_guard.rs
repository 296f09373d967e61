use tollgate::{BearerToken, Rejection, dependency, layer, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency(cached)]
fn user(#[security(OAuth2)] _token: BearerToken) -> Result<(), Rejection> {
    Ok(())
}

#[secured(user, fresh)]
async fn guard() {}

#[secured]
async fn twice(#[security(user, fresh, fresh)] _user: ()) {}

fn main() {
    let _ = layer!(user, fresh);
}
