use rocket::get;
use tollgate::rocket05::routes;

#[get("/items")]
fn items() -> &'static str {
    "ok"
}

fn main() {
    let _routes = routes![items];
}
