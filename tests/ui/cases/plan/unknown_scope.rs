use tollgate::{oauth2_password_bearer, plan};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct OAuth2;

fn f() {
    let _ = plan!(OAuth2, scopes("itms"));
}

fn main() {}
