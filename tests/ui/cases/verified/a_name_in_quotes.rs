use tollgate::verify::Verified;
use tollgate::{http_bearer, secured};

struct Claims;

#[http_bearer(verified = "Claims")]
struct Api;

#[secured]
async fn handler(#[security(Api)] _caller: Verified<Claims>) {}

fn main() {}
