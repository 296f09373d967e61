use doorward::{BearerToken, PasswordRequestForm, oauth2_password_bearer, operation, secured};

async fn unsecured() {}

fn operation_of_an_unsecured_function() {
    let _ = operation!(unsecured);
}

fn operation_without_a_path() {
    let _ = doorward::operation!();
    let _ = doorward::operation!("handler");
}

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

#[utoipa::path(get, path = "/", responses((status = 200)))]
#[secured]
async fn handler(#[security(OAuth2)] _token: BearerToken) {}

// Two derives make a schema of the form.
#[derive(PasswordRequestForm, utoipa::ToSchema)]
struct Login {
    username: String,
    password: String,
}

fn main() {}
