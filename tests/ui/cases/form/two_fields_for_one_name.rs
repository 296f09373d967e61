use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
    password: String,
    otp: String,
    #[password_form(rename = "otp")]
    one_time_password: String,
}

fn main() {}
