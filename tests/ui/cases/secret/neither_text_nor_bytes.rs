use tollgate::verify::secret_eq;
use tollgate::ApiKey;

fn is_known(key: &ApiKey, expected: u64) -> bool {
    secret_eq(key.as_str(), expected)
}

fn main() {
    is_known(&"s3cret".into(), 7);
}
