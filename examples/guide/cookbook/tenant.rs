use std::collections::HashMap;

use axum::extract::Path;
use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::jwt::TokenVerifier;
use doorward::routes::{Requirement, Route, Routes};
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    tenant: String,
}

#[http_bearer(verified = Claims)]
struct Api;

/// Hides other tenants, as if they did not exist.
const NOT_FOUND: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found");

/// Requires that the tenant of the path is the tenant of the token.
#[dependency]
async fn member(
    #[security(Api)] caller: Verified<Claims>,
    Path(path): Path<HashMap<String, String>>,
) -> Result<(), Rejection> {
    if path.get("tenant") == Some(&caller.tenant) { Ok(()) } else { Err(NOT_FOUND) }
}

#[secured(member)]
async fn orders() -> &'static str {
    "the orders"
}

#[secured(member)]
async fn order() -> &'static str {
    "an order"
}

/// The routes that have a tenant in their path, and do not compare it.
fn open_to_other_tenants(routes: &Routes) -> Vec<&str> {
    let is_open = |route: &&Route| match route.requirement() {
        Requirement::Schemes { via, .. } => !via.iter().any(|by| by == "member"),
        _ => true,
    };
    let of_tenants = routes.iter().filter(|route| route.path().contains("{tenant}"));
    of_tenants.filter(is_open).map(Route::path).collect()
}

fn app(tokens: TokenVerifier<Claims>) -> Router {
    Router::new()
        .route("/{tenant}/orders", get(orders))
        .route("/{tenant}/orders/{id}", get(order))
        .extension(Shared::new(tokens))
}

#[tokio::test]
async fn each_path_with_a_tenant_compares_it() -> Result<(), Box<dyn std::error::Error>> {
    let authority = doorward::testing::TestAuthority::new("https://api.example.com")?;
    let routes = app(authority.verifier().build().await?).routes();
    assert_eq!(open_to_other_tenants(&routes), Vec::<&str>::new());
    Ok(())
}

#[tokio::test]
async fn other_tenants_do_not_get_in() {
    use super::{answer, bearer};

    let authority = doorward::testing::TestAuthority::new("https://api.example.com").unwrap();
    let app = app(authority.verifier().build().await.unwrap());
    let token = authority.token("johndoe").claim("tenant", "acme").sign().unwrap();
    for (path, expected) in [
        ("/acme/orders", 200),
        ("/acme/orders/7", 200),
        ("/other/orders", 404),
        ("/other/orders/7", 404),
        ("/ACME/orders", 404),
    ] {
        assert_eq!(answer(&app, bearer(path, &token)).await.0, expected, "{path}");
    }
}

#[test]
fn a_forgotten_comparison_is_found() {
    #[secured(Api)]
    async fn forgotten() {}

    #[doorward::public(reason = "a mistake")]
    async fn open() {}

    let app: Router = Router::new()
        .route("/{tenant}/orders", get(orders).post(forgotten))
        .route("/{tenant}/logo", get(open))
        .route("/health", get(open));
    let expected = ["/{tenant}/logo", "/{tenant}/orders"];
    assert_eq!(open_to_other_tenants(&app.routes()), expected);
}
