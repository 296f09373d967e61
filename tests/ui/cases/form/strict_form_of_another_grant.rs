use tollgate::RequestForm;

#[derive(RequestForm)]
#[request_form(grant_type = "urn:example:otp", strict)]
struct OneTime {
    code: u32,
}

fn main() {}
