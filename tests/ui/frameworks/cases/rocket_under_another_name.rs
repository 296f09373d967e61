use rocket::get as read;
use tollgate::public;
use tollgate::rocket05::routes;

#[public(reason = "load balancers ask it")]
#[read("/health")]
fn health() -> &'static str {
    "ok"
}

fn main() {
    let _routes = routes![health];
}
