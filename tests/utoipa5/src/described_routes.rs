//! The router of utoipa-axum 0.2. The cases are those of `behaviour::described_routes`, in short:
//! the code is that of 0.3.

use axum::body::{Body, to_bytes};
use axum::extract::{Path, State};
use http::{Request, StatusCode};
use serde_json::json;
use tollgate::axum08::routing::get;
use tollgate::openapi::{Document, DocumentError, secure};
use tollgate::utoipa_axum02::{OpenApiRouter, UtoipaMethodRouterExt, routes};
use tollgate::{
    ApiKey, BearerError, BearerToken, SecurityScopes, api_key, dependency, layer,
    oauth2_password_bearer, public, secured,
};
use tower::{Layer, ServiceExt};

#[oauth2_password_bearer(
    token_url = "token",
    scopes("notes:write" = "Write notes.", "notes:read" = "Read notes.")
)]
struct Notes;

#[dependency]
fn user(
    #[security(Notes)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    scopes.check("notes:read")?;
    Ok(token.as_str().to_owned())
}

#[secured]
#[utoipa::path(get, path = "", responses((status = 200, description = "The notes")))]
async fn list(
    State(state): State<u8>,
    #[security(user, scopes("notes:read"))] user: String,
) -> String {
    format!("{state} {user}")
}

#[secured]
#[utoipa::path(delete, path = "/{id}", params(("id" = u32, Path)), responses((status = 200, description = "OK")))]
async fn remove(
    #[security(user, scopes("notes:write"))] user: String,
    Path(id): Path<u32>,
) -> String {
    format!("{id} {user}")
}

#[public(reason = "load balancers ask it")]
#[utoipa::path(method(get, head), path = "/health", responses((status = 200, description = "OK")))]
async fn health() -> &'static str {
    "ok"
}

fn router() -> OpenApiRouter {
    let notes = OpenApiRouter::new().routes(routes!(list)).routes(
        routes!(remove).map(|handlers| handlers.put(public("nothing yet", async || "put"))),
    );
    OpenApiRouter::default()
        .nest("/notes", notes)
        .merge(OpenApiRouter::from(
            tollgate::axum08::Router::new().route("/plain", get(health)),
        ))
        .routes(routes!(health))
        .nest_service(
            "/below",
            layer!(user, scopes("notes:read")).layer(get(health)),
        )
        .with_state(7)
}

async fn answer(method: &str, path: &str) -> (StatusCode, String) {
    let request = Request::builder().method(method).uri(path);
    let request = request
        .header("authorization", "Bearer jo")
        .body(Body::empty());
    let (app, _) = router().split_for_parts();
    let response = app.oneshot(request.unwrap()).await.unwrap();
    let status = response.status();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

#[tokio::test]
async fn the_routes_answer() {
    let forbidden = answer("DELETE", "/notes/1").await;
    assert_eq!(forbidden.0, StatusCode::FORBIDDEN);
    for (method, path, body) in [
        ("GET", "/notes", "7 jo"),
        ("PUT", "/notes/1", "put"),
        ("GET", "/health", "ok"),
        ("GET", "/plain", "ok"),
        ("GET", "/below", "ok"),
    ] {
        assert_eq!(
            answer(method, path).await,
            (StatusCode::OK, body.to_owned()),
            "{method} {path}"
        );
    }
}

#[test]
fn the_table_has_a_line_for_each_route() {
    assert_eq!(
        router().split_for_parts().0.routes().to_string(),
        "\
ANY     /below/*     Notes(notes:read)
GET     /health      public: load balancers ask it
HEAD    /health      public: load balancers ask it
GET     /notes       Notes(notes:read)
DELETE  /notes/{id}  Notes(notes:write)
PUT     /notes/{id}  public: nothing yet
GET     /plain       public: load balancers ask it
"
    );
}

#[test]
fn the_document_is_complete() {
    let mut secured = router();
    // JSON keeps the order in which the scheme declares its scopes.
    let document = Document::try_from(secured.get_openapi().clone()).unwrap();
    let ordered = document.into_json().to_string();
    assert!(
        ordered.find("Write notes.") < ordered.find("Read notes."),
        "{ordered}"
    );
    secure(secured.get_openapi_mut()).unwrap();
    let expected = json!(secured.get_openapi());
    let complete = [
        router().split_for_parts().1,
        router().into_openapi(),
        router().to_openapi(),
        secured.to_openapi(),
    ];
    for document in complete {
        assert_eq!(json!(document), expected);
    }
    let operations = &expected["paths"];
    assert_eq!(
        operations["/notes"]["get"]["security"],
        json!([{ "Notes": ["notes:read"] }])
    );
    assert_eq!(operations["/health"]["head"]["security"], json!([]));
    assert_eq!(
        operations["/health"]["get"]["description"],
        "Public: load balancers ask it"
    );
    assert_eq!(operations.get("/plain"), None);
    assert!(!expected.to_string().contains("x-tollgate"));
}

mod clash {
    #[super::api_key(header = "x-key")]
    pub(super) struct Notes;
}

#[dependency]
fn other(#[security(clash::Notes)] _key: ApiKey) -> Result<(), BearerError> {
    Ok(())
}

#[secured(other)]
#[utoipa::path(get, path = "/clash", responses((status = 200, description = "OK")))]
async fn clash() {}

fn clashing() -> OpenApiRouter {
    router().nest("/nested", OpenApiRouter::new().routes(routes!(clash)))
}

#[test]
fn a_clash_of_schemes_is_an_error() {
    assert_eq!(
        secure(clashing().get_openapi_mut()),
        Err(DocumentError::SchemeClash("Notes".to_owned()))
    );
}

#[test]
#[should_panic(expected = "`Notes`")]
fn a_clash_of_schemes_stops_the_building_of_a_document() {
    let _ = clashing().into_openapi();
}
