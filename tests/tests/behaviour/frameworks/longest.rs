//! The longest chain of dependencies that is allowed compiles on every framework, whatever the
//! framework wraps around a handler.

use ::http::Request as HttpRequest;
use ::salvo::Writer;
use tollgate::rocket05::Tollgate;
use tollgate::{Rejection, SecurityScopes, dependency, layer, secured, warp04};

/// Declares a chain of dependencies. The first name is the leaf. Each of the others depends on the
/// one before it and requires a scope with its own name.
macro_rules! chain {
    ($below:ident) => {};
    ($below:ident $name:ident $($rest:ident)*) => {
        #[dependency]
        async fn $name(
            #[security($below, scopes(stringify!($name)))] scopes: String,
        ) -> Result<String, Rejection> {
            tokio::task::yield_now().await;
            Ok(scopes)
        }

        chain!($name $($rest)*);
    };
}

#[dependency]
async fn a(scopes: SecurityScopes) -> Result<String, Rejection> {
    tokio::task::yield_now().await;
    Ok(scopes.scope_str().to_owned())
}

chain!(a b c d e f g h i j k l m n o);

const SCOPES: &str = "o n m l k j i h g f e d c b";

#[tokio::test]
async fn on_axum_and_tower() {
    #[secured]
    async fn longest(#[security(o)] scopes: String) -> String {
        scopes
    }
    let app = axum::Router::new()
        .route("/", axum::routing::get(longest))
        .layer(layer!(o));
    let request = HttpRequest::get("/").body(axum::body::Body::empty());
    let response = tower::ServiceExt::oneshot(app, request.unwrap());
    let body = response.await.unwrap().into_body();
    assert_eq!(axum::body::to_bytes(body, 100).await.unwrap(), SCOPES);
}

#[::actix_web::test]
async fn on_actix_web() {
    #[secured]
    async fn longest(#[security(o)] scopes: String) -> String {
        scopes
    }
    let app = actix_web::App::new().route("/", actix_web::web::get().to(longest));
    let app = actix_web::test::init_service(app).await;
    let request = actix_web::test::TestRequest::get().to_request();
    let body = actix_web::test::call_and_read_body(&app, request).await;
    assert_eq!(body, SCOPES);
}

#[tokio::test]
async fn on_poem() {
    #[secured]
    #[poem::handler]
    async fn longest(#[security(o)] scopes: String) -> String {
        scopes
    }
    let client = poem::test::TestClient::new(longest);
    client.get("/").send().await.assert_text(SCOPES).await;
}

#[test]
fn on_rocket() {
    #[secured]
    #[rocket::get("/")]
    async fn longest(#[security(o)] scopes: String) -> String {
        scopes
    }
    let app = super::rocket::empty()
        .attach(Tollgate)
        .mount("/", rocket::routes![longest]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    let body = client.get("/").dispatch().into_string();
    assert_eq!(body.as_deref(), Some(SCOPES));
}

#[test]
fn on_salvo() {
    #[secured]
    #[salvo::handler]
    async fn longest(#[security(o)] scopes: String) -> String {
        scopes
    }
    let address = super::salvo::serve(salvo::Router::new().get(longest));
    assert_eq!(super::salvo::get(address, "/", None).body, SCOPES);
}

#[tokio::test]
async fn on_warp() {
    use ::warp::Filter;
    let route = warp04::security(tollgate::plan!(o))
        .map(|scopes: String| scopes)
        .recover(warp04::recover);
    let response = warp::test::request().reply(&route).await;
    assert_eq!(response.body(), SCOPES);
}
