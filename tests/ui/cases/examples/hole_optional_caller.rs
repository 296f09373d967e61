use doorward::axum08::Router;
use doorward::axum08::routing::post;

include!("../callers.rs");

struct Caller(String);

#[dependency(extract)]
fn caller(#[security(user)] user: String) -> Caller {
    Caller(user)
}

async fn add_member(caller: Option<Caller>, requester: String) -> String {
    let requester = caller.map_or(requester, |caller| caller.0);
    format!("{requester} added a member")
}

fn main() {
    let _app: Router = Router::new().route("/members", post(add_member));
}
