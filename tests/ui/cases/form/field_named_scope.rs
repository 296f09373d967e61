use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
    password: String,
    scope: String,
}

fn main() {}
