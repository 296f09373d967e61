use tollgate::{OAuth2PasswordRequestForm, PasswordForm, Security, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[axum::debug_handler]
async fn handler(form: PasswordForm<OAuth2PasswordRequestForm>, token: Security<OAuth2>) {
    let _ = (form, token);
}

fn main() {}
