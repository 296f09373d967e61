use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = "64k")]
struct Login {
    username: String,
    password: String,
}

fn main() {}
