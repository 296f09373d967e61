use tollgate::{Rejection, oauth2_password_bearer};

const WRONG: Rejection = Rejection::detail(401, "Wrong").headers(&[("retry after", "60")]);

#[oauth2_password_bearer(token_url = "token", rejection = WRONG)]
struct OAuth2;

fn main() {}
