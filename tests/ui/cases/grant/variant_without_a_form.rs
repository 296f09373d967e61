use tollgate::token_endpoint::{ClientCredentialsGrant, RefreshTokenGrant};
use tollgate::Grant;

#[derive(Grant)]
enum Grant {
    Password,
    RefreshToken(RefreshTokenGrant, String),
    ClientCredentials { form: ClientCredentialsGrant },
}

fn main() {}
