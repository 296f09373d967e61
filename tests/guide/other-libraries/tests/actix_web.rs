//! What the page on API descriptions says of a route macro on actix-web, and of the prefix of its scope.

use actix_web::web::Json;
use actix_web::{App, get, post, test, web};
use doorward::declared;
use doorward::openapi::{SecurityAddon, audit};
use doorward::{ApiKey, Rejection, api_key, dependency, secured};
use utoipa::{OpenApi, ToSchema};

#[api_key(header = "x-key")]
struct Key;

#[dependency]
fn key(#[security(Key)] key: ApiKey) -> Result<(), Rejection> {
    if key.secret_eq("key") { Ok(()) } else { Err(Rejection::NOT_AUTHENTICATED) }
}

#[secured(key)]
#[utoipa::path(context_path = "/api", responses((status = 200, description = "The items.", body = String)))]
#[get("/items")]
async fn items() -> &'static str {
    "the items"
}

#[derive(serde::Deserialize, ToSchema)]
struct Item {
    name: String,
}

#[secured(key)]
#[utoipa::path(context_path = "/api", responses((status = 200, description = "The name.", body = String)))]
#[post("/items")]
async fn add(item: Json<Item>) -> String {
    item.into_inner().name
}

#[derive(OpenApi)]
#[openapi(paths(items, add), modifiers(&SecurityAddon))]
struct ApiDoc;

#[actix_web::test]
async fn a_route_macro_and_a_scope() {
    let routes = audit(ApiDoc::openapi()).unwrap();
    assert_eq!(routes.to_string(), "GET   /api/items  Key\nPOST  /api/items  Key\n");
    let body = &ApiDoc::openapi().paths.paths["/api/items"].post.clone().unwrap().request_body;
    assert!(body.is_some());

    let scope = web::scope("/api").service(declared(items)).service(declared(add));
    let app = test::init_service(App::new().service(scope)).await;
    for (key, status) in [("key", 200), ("other", 401)] {
        let request = test::TestRequest::get().uri("/api/items").insert_header(("x-key", key));
        assert_eq!(test::call_service(&app, request.to_request()).await.status(), status);
    }
}
