//! A dependency that builds a rejection with a mistake for a request. Every framework refuses the
//! request, and nothing panics.

use ::http::{Request as HttpRequest, Response as HttpResponse, StatusCode};
use ::salvo::Writer;
use tollgate::rocket05::Tollgate;
use tollgate::{BearerToken, Rejection, dependency, plan, secured, warp04};

use super::OAuth2;

/// Lets in the token `good`. For any other, the token names the mistake.
#[dependency]
fn checked(#[security(OAuth2)] token: BearerToken) -> Result<String, Rejection> {
    let wrong = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Wrong");
    Err(match token.as_str() {
        "good" => return Ok("in".to_owned()),
        "upper-case" => wrong.with_headers(&[("WWW-Authenticate", "Basic"), ("X-Reason", "why")]),
        "success" => Rejection::new(StatusCode::OK)
            .with_detail("Wrong")
            .with_challenge("Basic"),
        "informational" => Rejection::new(StatusCode::CONTINUE).with_json(r#"{"detail":"Wrong"}"#),
        "unmodified" => Rejection::new(StatusCode::NOT_MODIFIED).with_detail("Wrong"),
        "alphabet" => wrong.with_challenge("Basic realm=\"café\""),
        "control" => wrong.with_challenge("Basic\r\nSet-Cookie: a=b"),
        "names" => wrong.with_headers(&[("", "1"), ("x y", "2"), ("é", "3"), ("X-Reason", "why")]),
        "values" => wrong.with_headers(&[("x-reason", "a\nb"), ("x-reason", " why ")]),
        "of the body" => wrong.with_headers(&[
            ("Content-Length", "9"),
            ("content-type", "text/html"),
            ("Connection", "upgrade"),
            ("Transfer-Encoding", "chunked"),
        ]),
        _ => wrong.with_body("text/é", "Wrong"),
    })
}

/// What a client sees: the status, the challenges, the reasons, the type and the text of the body.
type Answer = (u16, Vec<String>, Vec<String>, Option<String>, String);

/// Checks each answer. `ask` sends a request with a token.
fn check(ask: impl Fn(&str) -> Answer) {
    let lines = |lines: &[&str]| {
        lines
            .iter()
            .map(|&line| line.to_owned())
            .collect::<Vec<_>>()
    };
    let json = r#"{"detail":"Wrong"}"#;
    for (token, status, challenges, reasons) in [
        ("upper-case", 401, &["Basic"][..], &["why"][..]),
        ("success", 500, &["Basic"], &[]),
        ("informational", 500, &[], &[]),
        ("unmodified", 500, &[], &[]),
        ("alphabet", 401, &[], &[]),
        ("control", 401, &[], &[]),
        ("names", 401, &[], &["why"]),
        ("values", 401, &[], &["why"]),
        ("of the body", 401, &[], &[]),
    ] {
        let content_type = Some("application/json".to_owned());
        let body = json.to_owned();
        let expected = (
            status,
            lines(challenges),
            lines(reasons),
            content_type,
            body,
        );
        assert_eq!(ask(token), expected, "{token}");
    }
    let (status, _, _, content_type, body) = ask("type");
    assert_eq!((status, &*body), (401, "Wrong"));
    assert!(!content_type.is_some_and(|value| value.starts_with("text/é")));
    // The service still answers.
    let (status, _, _, _, body) = ask("good");
    assert_eq!((status, &*body), (200, "in"));
}

fn line(token: &str) -> String {
    format!("Bearer {token}")
}

/// Returns what a client sees of a response with the types of `http` 1.
fn seen<B>(response: &HttpResponse<B>, body: impl Into<Vec<u8>>) -> Answer {
    let lines = |name| {
        let lines = response.headers().get_all(name).iter();
        lines
            .map(|line| line.to_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    (
        response.status().as_u16(),
        lines("www-authenticate"),
        lines("x-reason"),
        lines("content-type").pop(),
        String::from_utf8(body.into()).unwrap(),
    )
}

fn block_on<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(work)
}

#[test]
fn on_axum() {
    #[secured]
    async fn me(#[security(checked)] user: String) -> String {
        user
    }
    let app = axum::Router::new().route("/", axum::routing::get(me));
    check(|token| {
        block_on(async {
            let request = HttpRequest::get("/").header("authorization", line(token));
            let request = request.body(axum::body::Body::empty()).unwrap();
            let response = tower::ServiceExt::oneshot(app.clone(), request).await;
            let (head, body) = response.unwrap().into_parts();
            let body = axum::body::to_bytes(body, 100).await.unwrap();
            seen(&HttpResponse::from_parts(head, ()), body)
        })
    });
}

#[test]
fn on_actix_web() {
    #[secured]
    async fn me(#[security(checked)] user: String) -> String {
        user
    }
    check(|token| {
        actix_web::rt::System::new().block_on(async {
            let app = actix_web::App::new().route("/", actix_web::web::get().to(me));
            let app = actix_web::test::init_service(app).await;
            let request = actix_web::test::TestRequest::get();
            let request = request.insert_header(("authorization", line(token)));
            let response = actix_web::test::call_service(&app, request.to_request()).await;
            let mut seen_of = HttpResponse::new(());
            *seen_of.status_mut() = StatusCode::from_u16(response.status().as_u16()).unwrap();
            for (name, value) in response.headers() {
                let name = ::http::HeaderName::try_from(name.as_str()).unwrap();
                let value = ::http::HeaderValue::from_bytes(value.as_bytes()).unwrap();
                seen_of.headers_mut().append(name, value);
            }
            seen(&seen_of, actix_web::test::read_body(response).await)
        })
    });
}

#[test]
fn on_poem() {
    #[secured]
    #[poem::handler]
    async fn me(#[security(checked)] user: String) -> String {
        user
    }
    check(|token| {
        block_on(async {
            let client = poem::test::TestClient::new(me);
            let request = client.get("/").header("authorization", line(token));
            let response = request.send().await.0;
            let mut seen_of = HttpResponse::new(());
            *seen_of.status_mut() = response.status();
            *seen_of.headers_mut() = response.headers().clone();
            seen(&seen_of, response.into_body().into_vec().await.unwrap())
        })
    });
}

#[test]
fn on_rocket() {
    #[secured]
    #[rocket::get("/")]
    async fn me(#[security(checked)] user: String) -> String {
        user
    }
    let app = super::rocket::empty().attach(Tollgate);
    let app = app.mount("/", rocket::routes![me]);
    let client = rocket::local::blocking::Client::untracked(app).unwrap();
    check(|token| {
        let line = rocket::http::Header::new("authorization", line(token));
        let response = client.get("/").header(line).dispatch();
        let mut seen_of = HttpResponse::new(());
        *seen_of.status_mut() = StatusCode::from_u16(response.status().code).unwrap();
        for header in response.headers().iter() {
            let name = ::http::HeaderName::try_from(header.name().as_str()).unwrap();
            let value = ::http::HeaderValue::try_from(header.value()).unwrap();
            seen_of.headers_mut().append(name, value);
        }
        seen(&seen_of, response.into_string().unwrap_or_default())
    });
}

#[test]
fn on_salvo() {
    #[secured]
    #[salvo::handler]
    async fn me(#[security(checked)] user: String) -> String {
        user
    }
    let address = super::salvo::serve(salvo::Router::new().get(me));
    check(|token| {
        let response = super::salvo::get(address, "/", Some(&line(token)));
        let lines = |name| {
            let lines = response.header(name).into_iter();
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        (
            response.status,
            lines("www-authenticate"),
            lines("x-reason"),
            lines("content-type").pop(),
            response.body.clone(),
        )
    });
}

#[test]
fn on_warp() {
    use ::warp::Filter;

    let route = warp04::security(plan!(checked))
        .map(|value: String| value)
        .recover(warp04::recover);
    check(|token| {
        block_on(async {
            let request = warp::test::request().header("authorization", line(token));
            let response = request.reply(&route).await;
            let (head, body) = response.into_parts();
            seen(&HttpResponse::from_parts(head, ()), body)
        })
    });
}

#[test]
fn on_heads() {
    check(|token| {
        let request = HttpRequest::get("/").header("authorization", line(token));
        let (mut head, ()) = request.body(()).unwrap().into_parts();
        let found = block_on(plan!(checked).resolve(&mut head));
        let (head, body) = found
            .map_or_else(|refused| refused, HttpResponse::new)
            .into_parts();
        seen(&HttpResponse::from_parts(head, ()), body)
    });
}
