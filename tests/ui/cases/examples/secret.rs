use doorward::ApiKey;
use doorward::secret_eq;

fn neither_text_nor_bytes(key: &ApiKey, expected: u64) -> bool {
    secret_eq(key.as_str(), expected)
}

fn compared() {
    neither_text_nor_bytes(&"s3cret".into(), 7);
}

fn main() {}
