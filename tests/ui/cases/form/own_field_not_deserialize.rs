use tollgate::PasswordRequestForm;

struct Otp;

#[derive(PasswordRequestForm)]
struct Login {
    username: String,
    password: String,
    otp: Otp,
}

fn main() {}
