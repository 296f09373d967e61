use tollgate::RequestForm;

#[derive(RequestForm)]
#[request_form(grant_type = "")]
struct OneTime {
    code: u32,
}

fn main() {}
