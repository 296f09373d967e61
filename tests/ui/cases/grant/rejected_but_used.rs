use tollgate::form::{FormError, RequestForm};
use tollgate::token_endpoint::RefreshTokenGrant;
use tollgate::Grant;

#[derive(Grant)]
enum Grant {
    Password,
    RefreshToken(RefreshTokenGrant),
}

fn read(body: &[u8]) -> Result<Grant, FormError> {
    Grant::decode(body)
}

fn main() {}
