use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = 0)]
struct Login {
    username: String,
    password: String,
}

fn main() {}
