use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    username: u32,
    password: String,
}

fn main() {}
