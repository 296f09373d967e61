use tollgate::PasswordRequestForm;

const LIMIT: u8 = 1;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = LIMIT)]
struct Login {
    username: String,
    password: String,
}

fn main() {}
