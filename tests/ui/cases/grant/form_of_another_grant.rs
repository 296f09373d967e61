use tollgate::token_endpoint::RefreshTokenGrant;
use tollgate::Grant;

#[derive(Grant)]
enum Grant {
    #[grant("refresh")]
    RefreshToken(RefreshTokenGrant),
}

fn main() {}
