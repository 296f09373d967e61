use tollgate::token_endpoint::RevocationForm;
use tollgate::{Grant, RequestForm};

#[derive(RequestForm)]
struct OneTime {
    code: u32,
}

#[derive(Grant)]
enum Grant {
    OneTime(OneTime),
    Revocation(RevocationForm),
}

fn main() {}
