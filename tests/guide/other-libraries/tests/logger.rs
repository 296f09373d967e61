//! A service that logs with the crate `log`, and has tracing's feature `log`: the events of doorward
//! arrive where its own do.

use std::sync::Mutex;

use axum::body::Body;
use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::{Shared, http_bearer, secured};
use http::Request;
use log::{LevelFilter, Log, Metadata, Record};
use tower::ServiceExt;

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

struct Lines;

impl Log for Lines {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &Record<'_>) {
        let line = format!("{} {}: {}", record.level(), record.target(), record.args());
        LINES.lock().unwrap().push(line);
    }

    fn flush(&self) {}
}

#[derive(serde::Deserialize)]
struct Claims {}

#[http_bearer(verified = Claims)]
struct Api;

#[secured(Api)]
async fn me() {
    tracing::debug!("an event of the service");
}

#[tokio::test]
async fn refusals_reach_a_logger() {
    log::set_logger(&Lines).unwrap();
    log::set_max_level(LevelFilter::Debug);
    tracing::debug!("an event of the service");
    let secret = "0123456789abcdef0123456789abcdef";
    let tokens = TokenVerifier::<Claims>::secret("https://issuer.example", secret)
        .audience("api")
        .build()
        .await
        .unwrap();
    let app: Router = Router::new().route("/me", get(me)).extension(Shared::new(tokens));
    for line in [None, Some("Bearer a.b.c")] {
        let mut request = Request::get("/me");
        if let Some(line) = line {
            request = request.header("authorization", line);
        }
        let response = app.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), 401);
    }
    let lines = LINES.lock().unwrap().join("\n");
    for part in [
        "an event of the service",
        "DEBUG doorward::decision: outcome=\"refused\" place=\"handler\" handler=\"logger::me\" reason=\"missing\" scheme=\"Api\" status=401",
        "DEBUG doorward::trace: a token was refused reason=",
    ] {
        assert!(lines.contains(part), "{lines}");
    }
}
