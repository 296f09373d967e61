use tollgate::axum08::Router;

fn main() {
    let files = axum::Router::<()>::new();
    let _app: Router = Router::new().nest_service("/files", files);
}
