use tollgate::{BearerToken, Rejection, SecurityScopes, dependency, layer, oauth2_password_bearer, plan, secured};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items.", "me" = "Read the user."))]
struct OAuth2;

mod users {
    use super::*;

    #[dependency]
    pub fn user(#[security(OAuth2)] _token: BearerToken) -> Result<u8, Rejection> {
        Err(Rejection::NOT_AUTHENTICATED)
    }

    #[dependency]
    pub fn active_user(#[security(user)] user: u8) -> Result<u8, Rejection> {
        Ok(user)
    }
}

/// It sees the scopes that are required of it, and not those that it requires.
#[dependency]
fn asks_above(
    #[security(users::active_user, scopes("me"))] user: u8,
    _scopes: SecurityScopes,
) -> Result<u8, Rejection> {
    Ok(user)
}

/// A sibling does not see them either.
#[dependency]
fn asks_beside(
    #[security(users::user, scopes("me"))] user: u8,
    #[security(asks_above)] _sibling: u8,
) -> Result<u8, Rejection> {
    Ok(user)
}

#[secured(users::active_user, scopes("items"))]
async fn in_a_guard() {}

#[secured]
async fn in_a_handler(#[security(users::user, scopes("items", "me"))] _user: u8) {}

fn main() {
    let _ = plan!(users::user, scopes("me"));
    let _ = layer!(users::user, scopes("me"));
}
