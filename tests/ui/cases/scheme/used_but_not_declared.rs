use tollgate::Security;

struct OAuth2;

async fn handler(_: Security<OAuth2>) {}

fn main() {}
