use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
#[password_form(strict, strict)]
struct Login {
    username: String,
    password: String,
}

fn main() {}
