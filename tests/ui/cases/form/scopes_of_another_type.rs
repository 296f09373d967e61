use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
    password: String,
    scopes: Vec<u32>,
}

fn main() {}
