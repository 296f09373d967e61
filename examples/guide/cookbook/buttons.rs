use axum::Json;
use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::routes::Routes;
use doorward::verify::Verified;
use doorward::{Shared, http_bearer, secured};

#[http_bearer(
    scopes("notes:read" = "Read notes.", "notes:write" = "Change notes."),
    verified = serde_json::Value,
)]
struct Api;

#[secured(Api, scopes("notes:read"))]
async fn list() {}

#[secured(Api, scopes("notes:write"))]
async fn add() {}

/// Lists the routes whose scopes the caller's token has, so that a page shows no button in vain.
#[secured]
async fn may(
    #[security(Api)] caller: Verified<serde_json::Value>,
    routes: Shared<Routes>,
) -> Json<Vec<String>> {
    let may = routes.may::<Api>(&caller);
    Json(may.map(|(route, may)| format!("{} {}: {may}", route.method(), route.path())).collect())
}

fn app(tokens: TokenVerifier<serde_json::Value>) -> Router {
    let app = Router::new().route("/notes", get(list).post(add)).route("/me/routes", get(may));
    let routes = Shared::new(app.routes());
    app.extension(routes).extension(Shared::new(tokens))
}

#[tokio::test]
async fn a_reader_sees_no_button_to_write() {
    use doorward::testing::TestAuthority;

    use super::{answer, bearer};

    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let app = app(authority.verifier().build().await.unwrap());
    let token = authority.token("johndoe").scopes(["notes:read"]).sign().unwrap();
    let expected = (200, r#"["GET /me/routes: yes","GET /notes: yes"]"#.to_owned());
    assert_eq!(answer(&app, bearer("/me/routes", &token)).await, expected);
}
