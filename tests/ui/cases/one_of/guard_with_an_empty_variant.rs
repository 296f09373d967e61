use tollgate::{BearerToken, Rejection, dependency, http_bearer, layer, one_of, secured};

#[http_bearer]
struct Token;

#[dependency]
fn user(#[security(Token)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[one_of]
enum Visitor {
    #[security(user)]
    User(String),
    Anonymous,
}

#[secured(Visitor)]
async fn guard() {}

fn layer() {
    let _ = layer!(Visitor);
}

fn main() {}
