use salvo::{Router, handler as endpoint_of};
use tollgate::{declared, public};

#[public(reason = "load balancers ask it")]
#[endpoint_of]
async fn health() -> &'static str {
    "ok"
}

fn main() {
    let _app = Router::with_path("health").get(declared(health));
}
