use tollgate::token_endpoint::RefreshTokenGrant;
use tollgate::Grant;

#[derive(Grant)]
enum Inner {
    RefreshToken(RefreshTokenGrant),
}

#[derive(Grant)]
enum Grant {
    #[grant("inner")]
    Inner(Inner),
}

fn main() {}
