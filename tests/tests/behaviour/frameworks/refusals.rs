//! A dependency's error refuses the request even if its response has a success status. Every
//! framework answers with 500 then.

use ::http::{Request as HttpRequest, Response as HttpResponse};
use ::rocket::Responder;
use ::salvo::Writer;
use tollgate::rocket05::Tollgate;
use tollgate::salvo1::SecurityHoop;
use tollgate::{dependency, layer, plan, secured, warp04};

/// An error that every framework turns into a response with a success status.
#[derive(Clone, Copy, Debug, Responder)]
#[response(status = 200)]
pub(super) struct Success(&'static str);

impl std::fmt::Display for Success {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Success {}

impl axum::response::IntoResponse for Success {
    fn into_response(self) -> axum::response::Response {
        self.0.into_response()
    }
}

impl From<Success> for HttpResponse<String> {
    fn from(success: Success) -> Self {
        Self::new(success.0.to_owned())
    }
}

impl actix_web::ResponseError for Success {
    fn error_response(&self) -> actix_web::HttpResponse {
        actix_web::HttpResponse::Ok().body(self.0)
    }
}

impl poem::error::ResponseError for Success {
    fn status(&self) -> poem::http::StatusCode {
        poem::http::StatusCode::OK
    }
}

impl salvo::Scribe for Success {
    fn render(self, response: &mut salvo::Response) {
        response.render(self.0);
    }
}

#[dependency]
pub(super) fn refused() -> Result<String, Success> {
    Err(Success("let in"))
}

#[tokio::test]
async fn on_axum_and_tower() {
    #[secured(refused)]
    async fn guarded() -> &'static str {
        "let in"
    }
    #[secured]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let app = axum::Router::new()
        .route("/guarded", axum::routing::get(guarded))
        .route("/taken", axum::routing::get(taken))
        .route(
            "/layer",
            axum::routing::get(async || "let in").route_layer(layer!(refused)),
        );
    for path in ["/guarded", "/taken", "/layer"] {
        let request = HttpRequest::get(path).body(axum::body::Body::empty());
        let response = tower::ServiceExt::oneshot(app.clone(), request.unwrap());
        let response = response.await.unwrap();
        assert_eq!(response.status(), 500, "{path}");
        let body = axum::body::to_bytes(response.into_body(), 100).await;
        assert_eq!(body.unwrap(), "", "{path}");
    }
    let (mut head, ()) = HttpRequest::new(()).into_parts();
    let refused = plan!(refused).resolve(&mut head).await.unwrap_err();
    assert_eq!((refused.status().as_u16(), &**refused.body()), (500, ""));
}

#[::actix_web::test]
async fn on_actix_web() {
    #[secured]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let app = actix_web::App::new().route("/", actix_web::web::get().to(taken));
    let app = actix_web::test::init_service(app).await;
    let request = actix_web::test::TestRequest::get().to_request();
    let response = actix_web::test::call_service(&app, request).await;
    assert_eq!(response.status(), 500);
}

#[tokio::test]
async fn on_poem() {
    #[secured]
    #[poem::handler]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let client = poem::test::TestClient::new(taken);
    let response = client.get("/").send().await;
    response.assert_status(poem::http::StatusCode::INTERNAL_SERVER_ERROR);
}

#[test]
fn on_rocket() {
    #[secured]
    #[rocket::get("/")]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let app = super::rocket::empty()
        .attach(Tollgate)
        .mount("/", rocket::routes![taken]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    let status = client.get("/").dispatch().status();
    assert_eq!(status, rocket::http::Status::InternalServerError);
}

#[test]
fn on_salvo() {
    #[secured]
    #[salvo::handler]
    async fn taken(#[security(refused)] value: String) -> String {
        value
    }
    let router = salvo::Router::new()
        .push(salvo::Router::with_path("taken").get(taken))
        .push(
            salvo::Router::with_path("guard")
                .hoop(SecurityHoop::new(plan!(refused)))
                .get(taken),
        );
    let address = super::salvo::serve(router);
    for path in ["/taken", "/guard"] {
        assert_eq!(super::salvo::get(address, path, None).status, 500, "{path}");
    }
}

#[tokio::test]
async fn on_warp() {
    use ::warp::Filter;
    let route = warp04::security(plan!(refused))
        .map(|value: String| value)
        .recover(warp04::recover);
    let response = warp::test::request().reply(&route).await;
    assert_eq!(response.status(), 500);
}
