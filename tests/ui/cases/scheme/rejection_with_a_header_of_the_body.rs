use tollgate::http::StatusCode;
use tollgate::{Rejection, oauth2_password_bearer};

const WRONG: Rejection = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Wrong").with_headers(&[("Content-Type", "text/plain")]);

#[oauth2_password_bearer(token_url = "token", rejection = WRONG)]
struct OAuth2;

fn main() {}
