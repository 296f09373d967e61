use actix_web::{App, get, web};
use tollgate::declared;

async fn items(id: web::Path<u32>) -> String {
    id.to_string()
}

#[get("/named")]
async fn named() -> &'static str {
    "ok"
}

fn main() {
    let _app = App::new().route("/items/{id}", web::get().to(declared(items))).service(declared(named));
}
