//! A rejection with a detail, and replacements that refuse or see the request, on each framework.

use ::http::request::Parts;
use ::http::{Request as HttpRequest, StatusCode};
use ::salvo::Writer;
use tollgate::rocket05::Tollgate;
use tollgate::{Overrides, Rejection, SecurityScopes, dependency, plan, secured, warp04};

use super::user;

const INACTIVE: Rejection = Rejection::new(StatusCode::BAD_REQUEST)
    .with_detail("Inactive \"user\"")
    .with_challenge("Bearer")
    .with_headers(&[("x-reason", "inactive"), ("x-reason", "really")]);
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
            Ok(()) => Ok(format!("test {}", scopes.scope_str())),
            Err(_) => Err(INACTIVE),
        }
    })
}

/// Replaces [`user`] by a function that takes what it needs from the request.
fn seeing() -> Overrides {
    Overrides::new().with_request_fn::<user>(|head: Parts, scopes: SecurityScopes| async move {
        tokio::task::yield_now().await;
        let name = head
            .uri
            .query()
            .and_then(|query| query.strip_prefix("name="));
        let name = name.ok_or(INACTIVE)?;
        let role = head
            .headers
            .get("x-role")
            .map_or(&b"none"[..], |role| role.as_bytes());
        let role = String::from_utf8_lossy(role);
        let (method, path) = (&head.method, head.uri.path());
        Ok(format!(
            "{method} {path} {name} {role} {}",
            scopes.scope_str()
        ))
    })
}

/// What [`seeing`] answers to `GET /who?name=johndoe` with a role.
const SEEN: &str = "GET /who johndoe admin items";
const WHO: &str = "/who?name=johndoe";

#[tokio::test]
async fn seen_on_axum() {
    #[secured]
    async fn who(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let app = axum::Router::new()
        .route("/who", axum::routing::get(who))
        .layer(axum::Extension(seeing()));
    for (path, expected) in [(WHO, SEEN), ("/who", BODY)] {
        let request = HttpRequest::get(path).header("X-Role", "admin");
        let request = request.body(axum::body::Body::empty()).unwrap();
        let response = tower::ServiceExt::oneshot(app.clone(), request);
        let body = axum::body::to_bytes(response.await.unwrap().into_body(), 100).await;
        assert_eq!(body.unwrap(), expected, "{path}");
    }
}

#[::actix_web::test]
async fn seen_on_actix_web() {
    #[secured]
    async fn who(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let app = actix_web::App::new()
        .app_data(seeing())
        .route("/who", actix_web::web::get().to(who));
    let app = actix_web::test::init_service(app).await;
    for (path, expected) in [(WHO, SEEN), ("/who", BODY)] {
        let request = actix_web::test::TestRequest::with_uri(path);
        let request = request.insert_header(("X-Role", "admin")).to_request();
        let response = actix_web::test::call_service(&app, request).await;
        assert_eq!(actix_web::test::read_body(response).await, expected);
    }
}

#[tokio::test]
async fn seen_on_poem() {
    use ::poem::EndpointExt;

    #[secured]
    #[poem::handler]
    async fn who(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let app = poem::Route::new().at("/who", who).data(seeing());
    let client = poem::test::TestClient::new(app);
    for (path, expected) in [(WHO, SEEN), ("/who", BODY)] {
        let response = client.get(path).header("X-Role", "admin").send().await;
        response.assert_text(expected).await;
    }
}

#[test]
fn seen_on_rocket() {
    #[secured]
    #[rocket::get("/who")]
    async fn who(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let app = super::rocket::empty()
        .attach(Tollgate)
        .manage(seeing())
        .mount("/", rocket::routes![who]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    for (path, expected) in [(WHO, SEEN), ("/who", BODY)] {
        let role = rocket::http::Header::new("X-Role", "admin");
        let response = client.get(path).header(role).dispatch();
        assert_eq!(response.into_string().unwrap(), expected);
    }
}

#[test]
fn seen_on_salvo() {
    #[salvo::handler]
    async fn install(depot: &mut salvo::Depot) {
        depot.insert_typed(seeing());
    }
    #[secured]
    #[salvo::handler]
    async fn who(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    let route = salvo::Router::with_path("who").hoop(install).get(who);
    let address = super::salvo::serve(route);
    let response = super::salvo::get(address, WHO, None);
    assert_eq!(&*response.body, "GET /who johndoe none items");
    let response = super::salvo::get(address, "/who", None);
    assert_eq!((response.status, &*response.body), (400, BODY));
}

#[tokio::test]
async fn seen_on_warp_and_heads() {
    use ::warp::Filter;

    let route = warp::path!("who")
        .and(warp04::security(plan!(user, scopes("items"))))
        .map(|value: String| value)
        .recover(warp04::recover);
    for (path, expected) in [(WHO, SEEN), ("/who", BODY)] {
        let request = warp::test::request().path(path).header("X-Role", "admin");
        let response = request.extension(seeing()).reply(&route).await;
        assert_eq!(response.body(), expected);
    }

    let (mut head, ()) = HttpRequest::get(WHO)
        .header("X-Role", "admin")
        .extension(seeing())
        .body(())
        .unwrap()
        .into_parts();
    let plan = plan!(user, scopes("items"));
    assert_eq!(plan.resolve(&mut head).await.unwrap(), SEEN);
    assert_eq!(plan.resolve_local(&mut head).await.unwrap(), SEEN);

    let service = tower::service_fn(async |request: HttpRequest<()>| {
        let user = request.extensions().get::<String>().cloned();
        Ok::<_, core::convert::Infallible>(::http::Response::new(user.unwrap_or_default()))
    });
    let service = tower::Layer::layer(&tollgate::layer!(user, scopes("items")), service);
    let request = HttpRequest::from_parts(head, ());
    let response = tower::ServiceExt::oneshot(service, request).await.unwrap();
    assert_eq!(response.into_body(), SEEN);
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
