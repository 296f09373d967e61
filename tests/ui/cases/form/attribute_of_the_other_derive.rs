use tollgate::RequestForm;

#[derive(RequestForm)]
#[password_form(max_bytes = 1024)]
struct OneTime {
    code: u32,
}

fn main() {}
