use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
#[password_form(grant_type = "password")]
struct Login {
    username: String,
    password: String,
}

fn main() {}
