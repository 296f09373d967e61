use tollgate::PasswordRequestForm;

const LIMIT: usize = 0;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = LIMIT)]
struct Login {
    username: String,
    password: String,
}

fn main() {}
