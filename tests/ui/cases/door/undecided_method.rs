use tollgate::axum08::Router;
use tollgate::axum08::routing::get;
use tollgate::public;

#[public(reason = "everyone may read")]
async fn read() {}

async fn write() {}

fn main() {
    let _app: Router = Router::new().route("/", get(read).post(write));
}
