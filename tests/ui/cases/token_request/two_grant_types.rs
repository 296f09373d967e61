use tollgate::{RequestForm, TokenRequest};

#[derive(RequestForm)]
struct OneTime {
    code: u32,
}

#[derive(TokenRequest)]
enum Grant {
    #[grant("urn:example:otp")]
    #[grant("urn:example:sms")]
    OneTime(OneTime),
}

fn main() {}
