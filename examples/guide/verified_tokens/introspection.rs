use doorward::http_bearer;
use doorward::verify::{BuildError, ClientLogin, Introspection};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("items" = "Read items."), verified = Claims, by = Introspection<Claims>)]
struct Api;

fn tokens(secret: String) -> Result<Introspection<Claims>, BuildError> {
    Introspection::at("https://id.example.com/introspect", ClientLogin::basic("items-api", secret))
        .audience("https://api.example.com")
        .build()
}

#[doorward::secured]
async fn items(
    #[security(Api, scopes("items"))] caller: doorward::verify::Verified<Claims>,
) -> String {
    format!("the items of {}", caller.sub)
}

#[test]
fn the_verifier_is_built() {
    use doorward::axum08::{Router, routing::get};

    let tokens = doorward::Shared::new(tokens("s3cret".to_owned()).unwrap());
    let _app: Router = Router::new().route("/items", get(items)).extension(tokens);
}
