use tollgate::{RequestForm, Grant};

#[derive(RequestForm)]
struct OneTime {
    code: u32,
}

#[derive(Grant)]
enum Grant {
    #[grant("urn:example:otp")]
    #[grant("urn:example:sms")]
    OneTime(OneTime),
}

fn main() {}
