use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
    password: String,
    #[password_form(from)]
    otp: String,
}

fn main() {}
