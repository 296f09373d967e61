use tollgate::token_endpoint::RefreshTokenGrant;
use tollgate::{Grant, RequestForm};

#[derive(RequestForm)]
#[request_form(schema_name = "one time")]
struct OneTime {
    code: String,
}

#[derive(RequestForm)]
struct Größe {
    code: String,
}

#[derive(Grant)]
#[grant(schema_name = "")]
enum Grant {
    RefreshToken(RefreshTokenGrant),
}

fn main() {}
