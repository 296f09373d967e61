use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
enum Login {}

fn main() {}
