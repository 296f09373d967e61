use tollgate::TokenRequest;

#[derive(TokenRequest)]
struct Refresh {
    refresh_token: String,
}

fn main() {}
