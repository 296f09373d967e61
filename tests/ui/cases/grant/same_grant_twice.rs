use tollgate::token_endpoint::RefreshTokenGrant;
use tollgate::{Grant, RequestForm};

#[derive(RequestForm)]
#[request_form(grant_type = "refresh_token")]
struct Refresh {
    refresh_token: String,
}

#[derive(Grant)]
enum Grant {
    RefreshToken(RefreshTokenGrant),
    Own(Refresh),
}

fn main() {}
