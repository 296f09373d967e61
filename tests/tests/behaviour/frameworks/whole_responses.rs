//! A refusal may be a whole response, with headers and a body that are made for the request. Every
//! framework sends it as it is.

use ::http::{Request as HttpRequest, Response as HttpResponse};
use ::salvo::Writer;
use tollgate::adapter::{Cursor, LocalContext, LocalResolve, Resolve, SendContext};
use tollgate::rocket05::Tollgate;
use tollgate::{Dependency, plan, secured, warp04};

/// A dependency that refuses every request with a nonce and a number of its own.
struct Whole;

impl Dependency for Whole {
    type Output = String;

    const NODE: &'static tollgate::__rt::Node =
        &tollgate::__rt::Node::function("Whole", &[]).fails();
}

impl<C: SendContext<Rejection: Send>> Resolve<'_, C, String> for Whole {
    async fn resolve(cx: &mut C, _: Cursor) -> Result<String, C::Rejection> {
        Err(cx.respond(whole()))
    }
}

impl<C: LocalContext> LocalResolve<'_, C, String> for Whole {
    async fn resolve_local(cx: &mut C, _: Cursor) -> Result<String, C::Rejection> {
        Err(cx.respond(whole()))
    }
}

fn whole() -> HttpResponse<String> {
    let nonces = ["n-1".to_owned(), "n-2".to_owned()];
    let response = HttpResponse::builder().status(401);
    let response = nonces.iter().fold(response, |response, nonce| {
        response.header("dpop-nonce", nonce)
    });
    let response = response.header("content-type", "application/problem+json");
    response
        .body(format!(r#"{{"title":"{}"}}"#, nonces.len()))
        .unwrap()
}

const NONCES: [&str; 2] = ["n-1", "n-2"];
const BODY: &str = r#"{"title":"2"}"#;

fn assert_whole(response: &HttpResponse<String>) {
    assert_eq!(
        (response.status().as_u16(), &**response.body()),
        (401, BODY)
    );
    let nonces = response.headers().get_all("dpop-nonce").iter();
    assert!(nonces.eq(NONCES), "{:?}", response.headers());
    assert_eq!(
        response.headers()["content-type"],
        "application/problem+json"
    );
}

#[tokio::test]
async fn on_axum_and_warp() {
    #[secured]
    async fn taken(#[security(Whole)] value: String) -> String {
        value
    }
    let app = axum::Router::new().route("/", axum::routing::get(taken));
    let request = HttpRequest::get("/").body(axum::body::Body::empty());
    let response = tower::ServiceExt::oneshot(app, request.unwrap());
    let (head, body) = response.await.unwrap().into_parts();
    let body = axum::body::to_bytes(body, 100).await.unwrap();
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert_whole(&HttpResponse::from_parts(head, body));

    let (mut head, ()) = HttpRequest::new(()).into_parts();
    assert_whole(&plan!(Whole).resolve(&mut head).await.unwrap_err());
    assert_whole(&plan!(Whole).resolve_local(&mut head).await.unwrap_err());

    use ::warp::Filter;
    let route = warp04::security(plan!(Whole)).recover(warp04::recover);
    let response = warp::test::request().reply(&route).await;
    let (head, body) = response.into_parts();
    let body = String::from_utf8(body.to_vec()).unwrap();
    assert_whole(&HttpResponse::from_parts(head, body));
}

#[::actix_web::test]
async fn on_actix_web() {
    #[secured]
    async fn taken(#[security(Whole)] value: String) -> String {
        value
    }
    let app = actix_web::App::new().route("/", actix_web::web::get().to(taken));
    let app = actix_web::test::init_service(app).await;
    let request = actix_web::test::TestRequest::get().to_request();
    let response = actix_web::test::call_service(&app, request).await;
    assert_eq!(response.status(), 401);
    let nonces = response.headers().get_all("dpop-nonce");
    assert!(
        nonces.eq(NONCES
            .map(|nonce| nonce
                .parse::<actix_web::http::header::HeaderValue>()
                .unwrap())
            .iter())
    );
    assert_eq!(
        response.headers().get("content-type").unwrap(),
        "application/problem+json"
    );
    assert_eq!(actix_web::test::read_body(response).await, BODY);
}

#[tokio::test]
async fn on_poem() {
    #[secured]
    #[poem::handler]
    async fn taken(#[security(Whole)] value: String) -> String {
        value
    }
    let client = poem::test::TestClient::new(taken);
    let response = client.get("/").send().await;
    response.assert_status(poem::http::StatusCode::UNAUTHORIZED);
    response.assert_header_all("dpop-nonce", NONCES);
    response.assert_header("content-type", "application/problem+json");
    response.assert_text(BODY).await;
}

#[test]
fn on_rocket() {
    #[secured]
    #[rocket::get("/")]
    async fn taken(#[security(Whole)] value: String) -> String {
        value
    }
    let app = super::rocket::empty()
        .attach(Tollgate)
        .mount("/", rocket::routes![taken]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    let response = client.get("/").dispatch();
    assert_eq!(response.status().code, 401);
    assert!(response.headers().get("dpop-nonce").eq(NONCES));
    assert!(
        response
            .headers()
            .get("content-type")
            .eq(["application/problem+json"])
    );
    assert_eq!(response.into_string().unwrap(), BODY);
}

#[test]
fn on_salvo() {
    #[secured]
    #[salvo::handler]
    async fn taken(#[security(Whole)] value: String) -> String {
        value
    }
    let address = super::salvo::serve(salvo::Router::new().get(taken));
    let response = super::salvo::get(address, "/", None);
    assert_eq!((response.status, &*response.body), (401, BODY));
    assert_eq!(response.header("dpop-nonce"), NONCES);
    assert_eq!(
        response.header("content-type"),
        ["application/problem+json"]
    );
}
