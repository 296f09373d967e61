use salvo::{Router, handler};
use tollgate::declared;

#[handler]
async fn items() -> &'static str {
    "ok"
}

fn main() {
    let _app = Router::with_path("items").get(declared(items));
}
