use tollgate::{BearerToken, dependency, oauth2_password_bearer, secured};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

struct Database;

#[dependency]
fn user(#[security(OAuth2)] token: BearerToken, _database: Database) -> String {
    token.as_str().to_owned()
}

#[secured]
#[axum::debug_handler]
async fn handler(#[security(user)] user: String) -> String {
    user
}

fn main() {}
