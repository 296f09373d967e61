use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login(String, String);

fn main() {}
