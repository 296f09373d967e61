use tollgate::{RefreshTokenGrant, RequestForm, TokenRequest};

#[derive(RequestForm)]
#[request_form(grant_type = "refresh_token")]
struct Refresh {
    refresh_token: String,
}

#[derive(TokenRequest)]
enum Grant {
    RefreshToken(RefreshTokenGrant),
    Own(Refresh),
}

fn main() {}
