use tollgate::{FormError, RefreshTokenGrant, RequestForm, TokenRequest};

#[derive(TokenRequest)]
enum Grant {
    Password,
    RefreshToken(RefreshTokenGrant),
}

fn read(body: &[u8]) -> Result<Grant, FormError> {
    Grant::decode(body)
}

fn main() {}
