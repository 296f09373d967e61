use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
#[password_form]
struct Login {
    username: String,
    password: String,
}

fn main() {}
