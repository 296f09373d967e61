//! What is particular to a framework, beyond what the conformance suite holds all of them to.

use tollgate::{
    BearerToken, Extension, Overrides, Rejection, SecurityScopes, dependency,
    oauth2_password_bearer, secured,
};

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Me.", "items" = "Items."))]
struct OAuth2;

/// Without an extractor of any framework: handlers of all share it.
#[dependency]
async fn user(
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, Rejection> {
    Ok(format!("{} {}", token.as_str(), scopes.scope_str))
}

mod on_actix_web {
    use super::*;
    use actix_web::test::{TestRequest, call_and_read_body, init_service};
    use actix_web::{App, FromRequest, web};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Waits before it answers, so that extractors beside it come first.
    #[dependency(local, cached)]
    async fn slow(
        #[security(user)] user: String,
        runs: web::Data<AtomicUsize>,
    ) -> std::rc::Rc<String> {
        actix_web::rt::task::yield_now().await;
        runs.fetch_add(1, Ordering::Relaxed);
        user.into()
    }

    /// The first parameter of a handler resolves for all of them, in order.
    #[secured(slow, scopes("items"))]
    async fn handler(
        path: web::Path<u32>,
        #[security(slow, scopes("items"))] first: std::rc::Rc<String>,
        query: web::Query<Vec<(String, String)>>,
        #[security(slow, scopes("me"))] second: std::rc::Rc<String>,
    ) -> String {
        format!("{path} {first} {} {second}", query.len())
    }

    #[actix_web::test]
    async fn parameters_are_resolved_in_order() {
        let runs = web::Data::from(Arc::new(AtomicUsize::new(0)));
        let app = App::new()
            .app_data(runs.clone())
            .route("/{id}", web::get().to(handler));
        let app = init_service(app).await;
        let request = TestRequest::get()
            .uri("/7?a=b")
            .insert_header(("authorization", "Bearer john"));
        let body = call_and_read_body(&app, request.to_request()).await;
        assert_eq!(body, "7 john items 1 john me");
        // Once for each set of scopes: the guard and the first parameter share one.
        assert_eq!(runs.load(Ordering::Relaxed), 2);
    }

    #[actix_web::test]
    async fn a_parameter_alone_is_an_error_and_does_not_wait() {
        type Second = tollgate::Secured<std::rc::Rc<String>, __plan_handler_2>;
        let request = TestRequest::get().to_http_request();
        let error = Second::extract(&request).await.err().unwrap();
        assert_eq!(error.as_response_error().status_code(), 500);
    }

    #[actix_web::test]
    async fn a_test_overrides_a_dependency() {
        #[secured]
        async fn own(#[security(user)] user: String) -> String {
            user
        }
        let app = App::new()
            .app_data(Overrides::new().with::<user>(|| "test".to_owned()))
            .route("/", web::get().to(own));
        let app = init_service(app).await;
        let body = call_and_read_body(&app, TestRequest::get().to_request()).await;
        assert_eq!(body, "test");
    }
}

mod on_poem {
    use super::*;
    use poem::test::TestClient;
    use poem::web::Data;
    use poem::{EndpointExt, Route, get, handler};

    /// Extractors may lend from the request.
    #[dependency]
    async fn stated(#[security(user, scopes("me"))] user: String, state: Data<&String>) -> String {
        format!("{} {user}", state.0)
    }

    #[secured]
    #[handler]
    async fn own(
        #[security(stated, scopes("items"))] user: String,
        method: poem::http::Method,
    ) -> String {
        format!("{method} {user}")
    }

    #[tokio::test]
    async fn extractors_may_lend_from_the_request() {
        let app = Route::new().at("/", get(own)).data("state".to_owned());
        let client = TestClient::new(app);
        let response = client.get("/").header("authorization", "Bearer john");
        response
            .send()
            .await
            .assert_text("GET state john items me")
            .await;
        client
            .get("/")
            .send()
            .await
            .assert_status(poem::http::StatusCode::UNAUTHORIZED);

        let app = Route::new()
            .at("/", get(own))
            .data(Overrides::new().with::<stated>(|| "test".to_owned()));
        let response = TestClient::new(app).get("/").send().await;
        response.assert_text("GET test").await;
    }
}

mod on_rocket {
    use super::*;
    use rocket::http::{Header, Status};
    use rocket::local::blocking::Client;
    use rocket::{Build, Rocket, State, get, routes};
    use tollgate::rocket05::Tollgate;

    #[dependency]
    async fn stated(#[security(user, scopes("me"))] user: String, state: &State<String>) -> String {
        format!("{state} {user}")
    }

    #[secured]
    #[get("/own/<id>")]
    async fn own(id: u32, #[security(stated, scopes("items"))] user: String) -> String {
        format!("{id} {user}")
    }

    /// A refusal that the handler looks at itself does not show in its response.
    #[get("/maybe")]
    fn maybe(found: Option<tollgate::Security<OAuth2>>) -> Option<&'static str> {
        found.map(|_| "found")
    }

    fn app() -> Rocket<Build> {
        let config = rocket::Config {
            log_level: rocket::config::LogLevel::Off,
            ..rocket::Config::debug_default()
        };
        rocket::custom(config)
            .manage("state".to_owned())
            .mount("/", routes![own, maybe])
    }

    #[test]
    fn a_guard_lends_from_the_request() {
        let client = Client::untracked(app().attach(Tollgate)).unwrap();
        let request = client
            .get("/own/7")
            .header(Header::new("authorization", "Bearer john"));
        assert_eq!(
            request.dispatch().into_string().unwrap(),
            "7 state john items me"
        );
        let refused = client.get("/own/7").dispatch();
        assert_eq!(refused.status(), Status::Unauthorized);
        assert_eq!(
            refused.headers().get_one("www-authenticate"),
            Some("Bearer")
        );
        assert_eq!(client.get("/maybe").dispatch().status(), Status::NotFound);

        let overridden = app().manage(Overrides::new().with::<stated>(|| "test".to_owned()));
        let client = Client::untracked(overridden.attach(Tollgate)).unwrap();
        assert_eq!(
            client.get("/own/7").dispatch().into_string().unwrap(),
            "7 test"
        );
    }

    #[test]
    fn a_forgotten_fairing_stops_the_launch() {
        let error = Client::untracked(app()).unwrap_err();
        assert!(
            matches!(error.kind(), rocket::error::ErrorKind::SentinelAborts(_)),
            "{error}"
        );
    }
}

/// Handlers of two frameworks depend on the same function.
#[tokio::test]
async fn frameworks_share_a_dependency() {
    #[secured]
    async fn own(#[security(user, scopes("me"))] user: String) -> String {
        user
    }
    let app = axum::Router::new().route("/", axum::routing::get(own));
    let request = http::Request::get("/").header("authorization", "Bearer john");
    let request = request.body(axum::body::Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(app, request).await.unwrap();
    let body = axum::body::to_bytes(response.into_body(), 100)
        .await
        .unwrap();
    assert_eq!(body, "john me");

    let mut head = http::Request::get("/")
        .header("authorization", "Bearer john")
        .extension(Extension(()))
        .body(())
        .unwrap()
        .into_parts()
        .0;
    let plan = tollgate::plan!(user, scopes("me"));
    assert_eq!(plan.resolve(&mut head).await.unwrap(), "john me");
}
