//! A rejection with a detail, and a replacement that refuses, on each framework.

use ::http::Request as HttpRequest;
use ::salvo::Writer;
use tollgate::rocket05::Tollgate;
use tollgate::{Overrides, Rejection, SecurityScopes, dependency, plan, secured, warp04};

use super::user;

const INACTIVE: Rejection = Rejection::detail(400, "Inactive \"user\"")
    .challenge("Bearer")
    .headers(&[("x-reason", "inactive"), ("x-reason", "really")]);
const BODY: &str = r#"{"detail":"Inactive \"user\""}"#;

#[dependency]
fn inactive() -> Result<String, Rejection> {
    Err(INACTIVE)
}

/// Replaces [`user`] by a function that waits, and refuses what requires `items`.
fn replaced() -> Overrides {
    Overrides::new().with_fn::<user>(|scopes: SecurityScopes| async move {
        tokio::task::yield_now().await;
        match scopes.check("me") {
            Ok(()) => Ok(format!("test {}", scopes.scope_str)),
            Err(_) => Err(INACTIVE),
        }
    })
}

#[tokio::test]
async fn on_axum() {
    #[secured]
    async fn refused(#[security(inactive)] value: String) -> String {
        value
    }
    #[secured]
    async fn me(#[security(user, scopes("me"))] user: String) -> String {
        user
    }
    #[secured(user, scopes("me"))]
    async fn items(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let app = axum::Router::new()
        .route("/refused", axum::routing::get(refused))
        .route("/me", axum::routing::get(me))
        .route("/items", axum::routing::get(items))
        .layer(axum::Extension(replaced()));
    for (path, status, expected) in [
        ("/refused", 400, BODY),
        ("/me", 200, "test me"),
        ("/items", 400, BODY),
    ] {
        let request = HttpRequest::get(path).body(axum::body::Body::empty());
        let response = tower::ServiceExt::oneshot(app.clone(), request.unwrap());
        let response = response.await.unwrap();
        assert_eq!(response.status(), status, "{path}");
        if status == 400 {
            let lines: Vec<_> = response.headers().get_all("x-reason").iter().collect();
            assert_eq!(lines, ["inactive", "really"]);
            assert_eq!(response.headers()["www-authenticate"], "Bearer");
            assert_eq!(response.headers()["content-type"], "application/json");
        }
        let body = axum::body::to_bytes(response.into_body(), 100).await;
        assert_eq!(body.unwrap(), expected, "{path}");
    }
}

#[::actix_web::test]
async fn on_actix_web() {
    #[secured]
    async fn items(
        #[security(user, scopes("me"))] first: String,
        #[security(user, scopes("items"))] _second: String,
    ) -> String {
        first
    }
    let app = actix_web::App::new()
        .app_data(replaced())
        .route("/", actix_web::web::get().to(items));
    let app = actix_web::test::init_service(app).await;
    let request = actix_web::test::TestRequest::get().to_request();
    let response = actix_web::test::call_service(&app, request).await;
    assert_eq!(response.status(), 400);
    let lines: Vec<_> = response.headers().get_all("x-reason").collect();
    assert_eq!(lines, ["inactive", "really"]);
    assert_eq!(actix_web::test::read_body(response).await, BODY);
}

#[tokio::test]
async fn on_poem() {
    use ::poem::EndpointExt;

    #[secured]
    #[poem::handler]
    async fn items(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let client = poem::test::TestClient::new(items.data(replaced()));
    let response = client.get("/").send().await;
    response.assert_status(poem::http::StatusCode::BAD_REQUEST);
    response.assert_text(BODY).await;
}

#[test]
fn on_rocket() {
    #[secured]
    #[rocket::get("/")]
    async fn items(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let app = super::rocket::empty()
        .attach(Tollgate)
        .manage(replaced())
        .mount("/", rocket::routes![items]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    let response = client.get("/").dispatch();
    assert_eq!(response.status(), rocket::http::Status::BadRequest);
    assert_eq!(response.into_string().unwrap(), BODY);
}

#[test]
fn on_salvo() {
    #[salvo::handler]
    async fn install(depot: &mut salvo::Depot) {
        depot.insert_typed(replaced());
    }
    #[secured]
    #[salvo::handler]
    async fn items(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let address = super::salvo::serve(salvo::Router::with_hoop(install).get(items));
    let response = super::salvo::get(address, "/", None);
    assert_eq!((response.status, &*response.body), (400, BODY));
}

#[tokio::test]
async fn on_warp_and_heads() {
    use ::warp::Filter;

    let route = warp04::security(plan!(user, scopes("items")))
        .map(|value: String| value)
        .recover(warp04::recover);
    let request = warp::test::request().extension(replaced());
    let response = request.reply(&route).await;
    assert_eq!(response.status(), 400);
    assert_eq!(response.body(), BODY);

    let (mut head, ()) = HttpRequest::get("/")
        .extension(replaced())
        .body(())
        .unwrap()
        .into_parts();
    let plan = plan!(user, scopes("me"));
    assert_eq!(plan.resolve(&mut head).await.unwrap(), "test me");
    let plan = plan!(user, scopes("items"));
    let refused = plan.resolve_local(&mut head).await.unwrap_err();
    assert_eq!((refused.status().as_u16(), &**refused.body()), (400, BODY));
}
