use axum::http::Uri;
use tollgate::axum08::Router;

async fn not_found(uri: Uri) -> String {
    uri.to_string()
}

fn main() {
    let _app: Router = Router::new().fallback(not_found);
}
