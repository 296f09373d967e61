//! A refusal says that the connection is closed if the request may have a body that nobody has
//! read, whatever the error of the dependency. actix-web says so by itself: `over_sockets`.

use ::http::header::{CONNECTION, CONTENT_LENGTH, HOST};
use ::http::{HeaderMap, Request, Version};
use ::salvo::Writer;
use tollgate::rocket05::Tollgate;
use tollgate::salvo1::SecurityHoop;
use tollgate::{PasswordForm, Security, layer, plan, secured, warp04};

use super::OAuth2;
use super::refusals::refused;

fn closes(headers: &HeaderMap) -> bool {
    headers
        .get(CONNECTION)
        .is_some_and(|value| value == "close")
}

#[tokio::test]
async fn on_axum_and_tower() {
    #[secured]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    async fn token(_token: Security<OAuth2>) {}
    async fn form(_form: PasswordForm<tollgate::OAuth2PasswordRequestForm>) {}
    let app = axum::Router::new()
        .route("/taken", axum::routing::post(taken))
        .route("/token", axum::routing::post(token))
        .route("/form", axum::routing::post(form))
        .route(
            "/layer",
            axum::routing::post(async || "let in").route_layer(layer!(refused)),
        );
    for (path, version, body, expected) in [
        ("/taken", Version::HTTP_11, "hello", true),
        ("/layer", Version::HTTP_11, "hello", true),
        ("/token", Version::HTTP_11, "hello", true),
        ("/form", Version::HTTP_11, "hello", true),
        ("/taken", Version::HTTP_11, "", false),
        ("/taken", Version::HTTP_2, "hello", false),
        ("/layer", Version::HTTP_2, "hello", false),
        ("/token", Version::HTTP_2, "hello", false),
    ] {
        let request = Request::post(path).version(version).header(HOST, "a");
        let request = request.header(CONTENT_LENGTH, body.len());
        let request = request.body(axum::body::Body::from(body)).unwrap();
        let response = tower::ServiceExt::oneshot(app.clone(), request).await;
        let response = response.unwrap();
        assert!(response.status().as_u16() >= 400, "{path}");
        assert_eq!(closes(response.headers()), expected, "{path} {version:?}");
    }

    let request = Request::post("/").header(CONTENT_LENGTH, 5).body(());
    let (mut head, ()) = request.unwrap().into_parts();
    let refusal = plan!(refused).resolve(&mut head).await.unwrap_err();
    assert!(closes(refusal.headers()));
}

#[tokio::test]
async fn on_poem() {
    #[secured]
    #[poem::handler]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let client = poem::test::TestClient::new(taken);
    for (length, expected) in [("5", true), ("0", false)] {
        let request = client.post("/").header(CONTENT_LENGTH, length);
        let response = request.send().await.0;
        assert_eq!(response.status().as_u16(), 500);
        assert_eq!(closes(response.headers()), expected, "{length}");
    }
}

#[test]
fn on_rocket() {
    #[secured]
    #[rocket::post("/")]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let app = super::rocket::empty()
        .attach(Tollgate)
        .mount("/", rocket::routes![taken]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    for (length, expected) in [("5", Some("close")), ("0", None)] {
        let header = |name, value| rocket::http::Header::new(name, value);
        let request = client.post("/").header(header("content-length", length));
        let response = request.header(header("host", "a")).dispatch();
        assert_eq!(response.status().code, 500);
        assert_eq!(response.headers().get_one("connection"), expected);
    }
}

#[test]
fn on_salvo() {
    #[secured]
    #[salvo::handler]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let router = salvo::Router::new()
        .push(salvo::Router::with_path("taken").post(taken))
        .push(
            salvo::Router::with_path("guard")
                .hoop(SecurityHoop::new(plan!(refused)))
                .post(taken),
        );
    let address = super::salvo::serve(router);
    for path in ["/taken", "/guard"] {
        for (body, expected) in [("hello", &["close"][..]), ("", &[])] {
            let kept = [("Connection".to_owned(), b"keep-alive".to_vec())];
            let sent = tollgate_tests::client::send(address, "POST", path, &kept, body.as_bytes());
            let response = sent.unwrap();
            assert_eq!(response.status, 500, "{path}");
            assert_eq!(response.header("connection"), expected, "{path}");
        }
    }
}

#[tokio::test]
async fn on_warp() {
    use ::warp::Filter;
    let route = warp04::security(plan!(refused))
        .map(|value: String| value)
        .recover(warp04::recover);
    for (length, expected) in [("5", true), ("0", false)] {
        let request = warp::test::request().method("POST");
        let request = request.header("content-length", length);
        let response = request.reply(&route).await;
        assert_eq!(response.status(), 500);
        assert_eq!(closes(response.headers()), expected, "{length}");
    }
}
