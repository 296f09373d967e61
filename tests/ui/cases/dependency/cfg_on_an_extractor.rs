use tollgate::dependency;

#[dependency]
fn current_user(#[cfg(unix)] method: http::Method) -> http::Method {
    method
}

fn main() {}
