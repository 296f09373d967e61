use tollgate::{RequestForm, Grant};

const OTP: &str = "urn:example:otp";

#[derive(RequestForm)]
struct OneTime {
    code: u32,
}

#[derive(Grant)]
enum Grant {
    #[grant(OTP)]
    OneTime(OneTime),
    #[grant = "urn:example:otp"]
    Named(OneTime),
    #[grant("")]
    Empty(OneTime),
    #[grant]
    Bare(OneTime),
}

fn main() {}
