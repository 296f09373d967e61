use tollgate::oauth2_password_bearer;

#[oauth2_password_bearer(
    refresh_url = "",
    scopes("me" = "Read.", "me" = "Write.", "a b" = "Both."),
    auto_eror = false,
    strict = 1,
)]
struct OAuth2;

fn main() {}
