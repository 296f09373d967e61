use tollgate::{OAuth2PasswordRequestForm, PasswordForm};

#[rocket::post("/token")]
async fn login(form: PasswordForm<OAuth2PasswordRequestForm>) {
    drop(form);
}

fn main() {}
