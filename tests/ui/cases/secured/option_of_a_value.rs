use tollgate::{BearerToken, Rejection, dependency, oauth2_password_bearer, one_of, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct Claims;

#[dependency]
fn claims(#[security(OAuth2)] _token: BearerToken) -> Result<Claims, Rejection> {
    Ok(Claims)
}

#[secured]
async fn optional(#[security(claims)] claims: Option<Claims>) {
    drop(claims);
}

#[secured]
async fn fallible(#[security(claims)] claims: Result<Claims, Rejection>) {
    drop(claims);
}

#[secured]
async fn of_a_scheme(#[security(OAuth2)] token: Option<BearerToken>) {
    drop(token);
}

#[dependency]
fn below(#[security(claims)] claims: Option<Claims>) {
    drop(claims);
}

#[one_of]
enum Visitor {
    #[security(claims)]
    User(Option<Claims>),
    Guest,
}

fn main() {}
