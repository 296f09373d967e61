use tollgate::TokenRequest;

#[derive(TokenRequest)]
enum Grant {}

fn main() {}
