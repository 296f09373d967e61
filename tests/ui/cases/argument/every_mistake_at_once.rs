use tollgate::{BearerToken, Rejection, dependency, http_bearer, secured};

#[http_bearer]
struct OAuth2;

struct User;

struct Account;

#[dependency(cached, extract)]
fn role(
    #[argument(3)] limit: u32,
    #[argument]
    #[argument]
    more: u32,
    #[argument] name: impl Into<String>,
    #[argument]
    #[security(OAuth2)]
    token: BearerToken,
) -> Result<User, Rejection> {
    let _ = (limit, more, name.into(), token);
    Ok(User)
}

#[dependency(cached)]
fn kept(#[argument] limit: u32) -> u32 {
    limit
}

#[dependency(extract)]
fn extracted(#[argument] _limit: u32) -> Result<Account, Rejection> {
    Ok(Account)
}

// What requires them has no errors of its own.
#[secured(role(1, 2, "name"))]
async fn handler(#[security(kept(1))] kept: u32) -> u32 {
    kept
}

fn main() {}
