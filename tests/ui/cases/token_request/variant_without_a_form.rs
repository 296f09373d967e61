use tollgate::{ClientCredentialsGrant, RefreshTokenGrant, TokenRequest};

#[derive(TokenRequest)]
enum Grant {
    Password,
    RefreshToken(RefreshTokenGrant, String),
    ClientCredentials { form: ClientCredentialsGrant },
}

fn main() {}
