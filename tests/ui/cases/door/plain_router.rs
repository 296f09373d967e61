use tollgate::axum08::Router;

fn main() {
    let plain = axum::Router::<()>::new();
    let _app: Router = Router::new().merge(plain);
}
