use tollgate::{Rejection, oauth2_password_bearer};

use tollgate::http::StatusCode;

#[oauth2_password_bearer(token_url = "token", rejection = Rejection::new(StatusCode::FORBIDDEN).with_challenge("é"))]
struct OAuth2;

fn main() {}
