use tollgate::http_bearer;
use tollgate::secured;
use tollgate::verify::Verified;

struct Claims;

#[http_bearer(verified = Claims)]
struct Api;

#[secured]
async fn handler(#[security(Api)] _caller: Verified<Claims>) {}

fn main() {}
