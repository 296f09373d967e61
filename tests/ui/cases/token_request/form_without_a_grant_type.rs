use tollgate::{RequestForm, RevocationForm, TokenRequest};

#[derive(RequestForm)]
struct OneTime {
    code: u32,
}

#[derive(TokenRequest)]
enum Grant {
    OneTime(OneTime),
    Revocation(RevocationForm),
}

fn main() {}
