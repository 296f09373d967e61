//! Measures the nanoseconds of a request through axum, without a socket: to an empty route, to a
//! protected one, and with a login form. `fastapi/run` compares them with FastAPI's.

use std::hint::black_box;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::routing::{get, post};
use doorward::{OAuth2PasswordRequestForm, PasswordForm, Security};
use doorward_benches::bearer::{self, Password};
use doorward_benches::{form, ready};
use http::header::CONTENT_TYPE;
use http::{Request, StatusCode};
use tower::ServiceExt;

/// The number of requests in a batch. They are created before the clock starts.
const BATCH: u32 = 1_000;
const BATCHES: u32 = 200;

fn main() {
    let app: Router = Router::new()
        .route("/empty", get(async || StatusCode::OK))
        .route("/protected", get(async |_: Security<Password>| StatusCode::OK))
        .route(
            "/token",
            post(async |form: PasswordForm<OAuth2PasswordRequestForm>| {
                black_box(&form.0.username);
                StatusCode::OK
            }),
        );
    let headers = bearer::headers(&format!("Bearer {}", bearer::jwt()));
    for path in ["/empty", "/protected", "/token"] {
        let request = || {
            let mut request = if path == "/token" {
                Request::post(path).body(Body::from(form::TYPICAL))
            } else {
                Request::get(path).body(Body::empty())
            }
            .expect("a request");
            request.headers_mut().clone_from(&headers);
            let form = "application/x-www-form-urlencoded".parse().expect("a value");
            request.headers_mut().insert(CONTENT_TYPE, form);
            request
        };
        let mut elapsed = Duration::ZERO;
        for _ in 0..BATCHES {
            let requests: Vec<_> = (0..BATCH).map(|_| (app.clone(), request())).collect();
            let start = Instant::now();
            for (app, request) in requests {
                let response = ready(app.oneshot(request)).expect("a response");
                assert_eq!(black_box(response).status(), StatusCode::OK);
            }
            elapsed += start.elapsed();
        }
        println!("{path} {}", elapsed.as_nanos() / u128::from(BATCHES * BATCH));
    }
}
