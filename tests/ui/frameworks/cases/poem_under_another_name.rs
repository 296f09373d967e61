use poem::{Route, get, handler as endpoint_of};
use tollgate::{declared, public};

#[public(reason = "load balancers ask it")]
#[endpoint_of]
async fn health() -> &'static str {
    "ok"
}

fn main() {
    let _app = Route::new().at("/health", get(declared(health)));
}
