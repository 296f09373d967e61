use poem::{Route, get, handler};
use tollgate::declared;

#[handler]
async fn items() -> &'static str {
    "ok"
}

fn main() {
    let _app = Route::new().at("/items", get(declared(items)));
}
