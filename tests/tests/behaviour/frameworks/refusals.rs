//! A dependency's error refuses the request even if its response has a success status. Every
//! framework answers with 500 then, and says that the connection is closed if the request may have
//! a body that nobody has read. actix-web says so by itself: `over_sockets`.

use ::http::header::{CONNECTION, CONTENT_LENGTH, HOST};
use ::http::{Request, Response as HttpResponse, Version};
use ::rocket::Responder;
use doorward::{PasswordForm, Security, dependency, secured};

use super::OAuth2;
use super::each::{self, Answer, Asked, Framework, each_framework, each_layer};

/// An error that every framework turns into a response with a success status.
#[derive(Clone, Copy, Debug, Responder)]
#[response(status = 200)]
struct Success(&'static str);

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
fn refused() -> Result<String, Success> {
    Err(Success("let in"))
}

fn frameworks() -> impl Iterator<Item = Framework> {
    each_framework!(refused).into_iter().chain(each_layer!(refused))
}

#[test]
fn a_success_is_no_refusal() {
    #[secured(refused)]
    async fn guarded() -> &'static str {
        "let in"
    }
    let guarded: Framework =
        ("a guard", |asked| each::axum(axum::Router::new().fallback(guarded), asked));
    for (framework, ask) in frameworks().chain([guarded]) {
        let response = ask(Request::new(""));
        assert_eq!(response.status(), 500, "{framework}");
        if framework != "salvo" {
            // salvo's errors write their bodies themselves.
            assert!(!response.body().contains("let in"), "{framework}");
        }
    }
}

fn posted(length: &str) -> Asked {
    let request = Request::post("/").header(CONTENT_LENGTH, length);
    let request = request.header(HOST, "a").header(CONNECTION, "keep-alive");
    request.body(&"hello"[..length.parse().unwrap()]).unwrap()
}

fn closes(answer: &Answer) -> bool {
    let connection = answer.headers().get(CONNECTION);
    connection.is_some_and(|value| value == "close")
}

#[test]
fn a_body_that_nobody_has_read_closes_the_connection() {
    for (framework, ask) in frameworks().filter(|(name, _)| *name != "actix-web") {
        for (length, expected) in [("5", true), ("0", false)] {
            let response = ask(posted(length));
            assert_eq!(response.status(), 500, "{framework}");
            assert_eq!(closes(&response), expected, "{framework}: {length}");
        }
    }
}

/// A connection of HTTP/2 has other requests, and an extractor refuses like a handler.
#[test]
fn a_connection_of_http_2_stays() {
    async fn form(_form: PasswordForm<doorward::OAuth2PasswordRequestForm>) {}
    async fn token(_token: Security<OAuth2>) {}
    let asks = frameworks().filter(|(name, _)| *name == "axum");
    let extractors: [Framework; 2] = [
        ("a token", |asked| each::axum(axum::Router::new().fallback(token), asked)),
        ("a form", |asked| each::axum(axum::Router::new().fallback(form), asked)),
    ];
    for (name, ask) in asks.chain(extractors) {
        for (version, expected) in [(Version::HTTP_11, true), (Version::HTTP_2, false)] {
            let mut request = posted("5");
            *request.version_mut() = version;
            let response = ask(request);
            assert!(response.status().as_u16() >= 400, "{name}");
            assert_eq!(closes(&response), expected, "{name} {version:?}");
        }
    }
}
