use actix_web::{App, get as read};
use tollgate::{declared, public};

#[public(reason = "load balancers ask it")]
#[read("/health")]
async fn health() -> &'static str {
    "ok"
}

fn main() {
    let _app = App::new().service(declared(health));
}
