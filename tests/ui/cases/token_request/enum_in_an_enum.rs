use tollgate::{RefreshTokenGrant, TokenRequest};

#[derive(TokenRequest)]
enum Inner {
    RefreshToken(RefreshTokenGrant),
}

#[derive(TokenRequest)]
enum Grant {
    #[grant("inner")]
    Inner(Inner),
}

fn main() {}
