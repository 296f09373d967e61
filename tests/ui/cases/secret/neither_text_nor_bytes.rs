use tollgate::{ApiKey, secret_eq};

fn is_known(key: &ApiKey, expected: u64) -> bool {
    secret_eq(key.as_str(), expected)
}

fn main() {
    is_known(&"s3cret".into(), 7);
}
