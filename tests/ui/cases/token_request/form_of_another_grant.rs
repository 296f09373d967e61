use tollgate::{RefreshTokenGrant, TokenRequest};

#[derive(TokenRequest)]
enum Grant {
    #[grant("refresh")]
    RefreshToken(RefreshTokenGrant),
}

fn main() {}
