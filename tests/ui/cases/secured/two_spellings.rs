use tollgate::{BearerToken, Rejection, dependency, oauth2_password_bearer, secured, secured as guarded};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[dependency]
fn user(#[security(OAuth2)] _token: BearerToken) -> Result<(), Rejection> {
    Ok(())
}

#[tollgate::secured(user)]
#[secured(user)]
async fn by_its_path() {}

#[secured]
#[guarded(user)]
async fn by_another_name(#[security(user)] user: ()) {
    user
}

fn main() {}
