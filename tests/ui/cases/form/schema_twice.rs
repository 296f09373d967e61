use tollgate::PasswordRequestForm;

#[derive(PasswordRequestForm, utoipa::ToSchema)]
struct Login {
    username: String,
    password: String,
}

fn main() {}
