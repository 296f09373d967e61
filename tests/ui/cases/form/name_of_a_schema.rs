use tollgate::{RefreshTokenGrant, RequestForm, TokenRequest};

#[derive(RequestForm)]
#[request_form(schema_name = "one time")]
struct OneTime {
    code: String,
}

#[derive(RequestForm)]
struct Größe {
    code: String,
}

#[derive(TokenRequest)]
#[token_request(schema_name = "")]
enum Grant {
    RefreshToken(RefreshTokenGrant),
}

fn main() {}
