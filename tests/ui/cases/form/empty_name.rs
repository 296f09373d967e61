use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
    password: String,
    #[password_form(rename = "")]
    otp: String,
}

fn main() {}
