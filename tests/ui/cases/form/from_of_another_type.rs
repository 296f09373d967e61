use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    #[password_form(from = String)]
    username: String,
    password: String,
}

fn main() {}
