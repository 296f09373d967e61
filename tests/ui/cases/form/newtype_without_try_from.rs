use tollgate::PasswordRequestForm;

struct UserName(String);

#[derive(PasswordRequestForm)]
struct Login {
    #[password_form(from)]
    username: UserName,
    password: String,
}

fn main() {}
