include!("../../verifier.rs");

#[http_bearer(verified = String, by = Tokens, error = String)]
struct Api;

#[secured(Api)]
async fn me() {}

fn main() {
    let _ = axum::routing::get::<_, _, ()>(me);
}
