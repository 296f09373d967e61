use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
#[password_form(strikt, max_bytes = 0)]
struct Login {
    #[password_form(rename = "user")]
    username: String,
    scope: String,
    #[password_form(rename = "")]
    otp: String,
}

fn main() {}
