use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
    password: String,
    #[password_form(rename = "client_id")]
    app: String,
}

fn main() {}
