use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login<'a> {
    username: &'a str,
    password: String,
}

fn main() {}
