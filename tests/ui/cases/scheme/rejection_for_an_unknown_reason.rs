use tollgate::{Rejection, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token", rejection(absent = Rejection::NOT_AUTHENTICATED))]
struct OAuth2;

fn main() {}
