use tollgate::public;

include!("../../callers.rs");

#[public(reason = "load balancers ask it")]
async fn health(#[security(user)] user: String) -> String {
    user
}

fn main() {}
