use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    #[password_form(rename = "user")]
    username: String,
    password: String,
}

fn main() {}
