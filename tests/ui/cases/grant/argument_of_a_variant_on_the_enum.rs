use tollgate::token_endpoint::RefreshTokenGrant;
use tollgate::Grant;

#[derive(Grant)]
#[grant(grant_type = "refresh_token", max_bytes = 1024)]
enum Grant {
    RefreshToken(RefreshTokenGrant),
}

fn main() {}
