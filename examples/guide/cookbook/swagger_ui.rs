use axum::Json;
use doorward::axum08::{Router, routing::get};
use doorward::utoipa_axum03::{OpenApiRouter, routes};
use doorward::verify::Verified;
use doorward::{oauth2_authorization_code_bearer, public, secured};
use utoipa_swagger_ui::{Config, SwaggerUi, oauth};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

/// The login of our users.
#[oauth2_authorization_code_bearer(
    authorization_url = "https://id.example.com/authorize",
    token_url = "https://id.example.com/token",
    scopes("items" = "Read items."),
    verified = Claims,
)]
struct Login;

#[secured]
#[utoipa::path(get, path = "/items", responses((status = 200, description = "The items", body = String)))]
async fn items(#[security(Login, scopes("items"))] caller: Verified<Claims>) -> String {
    format!("the items of {}", caller.sub)
}

fn app() -> Router {
    let login = oauth::Config::new().client_id("docs").use_pkce_with_authorization_code_grant(true);
    let page = SwaggerUi::new("/docs").config(Config::new(["/openapi.json"])).oauth(login);
    let (router, description) = OpenApiRouter::new().routes(routes!(items)).split_for_parts();
    router
        .route("/openapi.json", get(public("the API is no secret", Json(description))))
        .merge(public("the API is no secret", page))
}

#[tokio::test]
async fn the_page_knows_where_to_log_in() {
    use axum::body::Body;
    use doorward::http::Request;

    use super::answer;

    let get = async |path: &str| {
        let request = Request::get(path).body(Body::empty()).unwrap();
        answer(&app(), request).await
    };
    let (status, page) = get("/docs/swagger-initializer.js").await;
    assert_eq!(status, 200);
    assert!(page.contains(r#""clientId": "docs""#), "{page}");
    assert!(page.contains(r#""usePkceWithAuthorizationCodeGrant": true"#), "{page}");
    let (_, description) = get("/openapi.json").await;
    let description: serde_json::Value = description.parse().unwrap();
    let flow = &description["components"]["securitySchemes"]["Login"]["flows"]["authorizationCode"];
    assert_eq!(flow["tokenUrl"], "https://id.example.com/token");
    assert_eq!(description["paths"]["/items"]["get"]["security"][0]["Login"][0], "items");
    assert_eq!(get("/items").await.0, 401);
}
