use tollgate::{AuthorizationValue, oauth2, secured};

#[oauth2]
struct OAuth2;

#[secured]
async fn handler(#[security(OAuth2, scope("me"))] _value: AuthorizationValue) {}

fn main() {}
