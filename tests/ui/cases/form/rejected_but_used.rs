use tollgate::form::{FormError, RequestForm};
use tollgate::{PasswordForm, PasswordRequestForm};

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
}

async fn token(form: PasswordForm<Login>) -> String {
    form.0.username
}

fn main() -> Result<(), FormError> {
    let _: axum::Router = axum::Router::new().route("/token", axum::routing::post(token));
    Login::decode(b"username=a").map(drop)
}
