use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login<T> {
    username: String,
    password: T,
}

fn main() {}
