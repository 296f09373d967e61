use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm)]
struct Login {
    otp: String,
}

fn main() {}
