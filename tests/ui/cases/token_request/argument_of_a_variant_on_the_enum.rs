use tollgate::{RefreshTokenGrant, TokenRequest};

#[derive(TokenRequest)]
#[token_request(grant_type = "refresh_token", max_bytes = 1024)]
enum Grant {
    RefreshToken(RefreshTokenGrant),
}

fn main() {}
