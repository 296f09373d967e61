use tollgate::RequestForm;

#[derive(RequestForm)]
struct OneTime {
    grant_type: String,
    code: u32,
}

fn main() {}
