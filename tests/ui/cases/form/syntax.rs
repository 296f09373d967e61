use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes: 1)]
struct Login {
    username: String,
    password: String,
}

fn main() {}
