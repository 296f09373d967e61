//! Refusals that clients of gRPC read. A layer sends them only if the service says so, and only to
//! a call of gRPC, because to any other request a 200 would be a success.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::any;
use axum::{Extension, Router};
use doorward::{
    BearerError, BearerToken, OAuth2PasswordRequestForm, PasswordForm, Rejection, Security,
    SecurityScopes, dependency, http_bearer, layer, plan, secured,
};
use http::header::{CONTENT_TYPE, WWW_AUTHENTICATE};
use http::request::Parts;
use http::{HeaderMap, Method, Request, Response, StatusCode, Version};
use tower::{Layer, ServiceExt, service_fn};

use crate::asking::{answer, block_on};
use crate::frameworks::each::{self, Asked, Framework, each_framework, each_layer};

#[http_bearer(realm = "notes", scopes("read" = "Read.", "write" implies("read") = "Change."))]
struct Token;

/// The token is the list of its scopes.
#[dependency]
fn caller(
    #[security(Token)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    scopes.check(token.as_str())?;
    Ok(token.as_str().to_owned())
}

const CALL: (Method, Version, &[&str]) = (Method::POST, Version::HTTP_2, &["application/grpc"]);

/// Requests that are no calls of gRPC, each for one reason.
fn no_calls() -> Vec<(Method, Version, &'static [&'static str])> {
    let (method, version, kinds) = CALL;
    let mut no_calls = vec![(method.clone(), Version::HTTP_11, kinds)];
    for method in [Method::GET, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH] {
        no_calls.push((method, version, kinds));
    }
    let others: [&[&str]; 10] = [
        &[],
        &[""],
        &["application/grpc-web"],
        &["application/grpc-web+proto"],
        &["application/grpc-web-text"],
        &["application/grpcx"],
        &["application/grpc, application/grpc"],
        &["application/grpc", "application/grpc"],
        &["application/json", "application/grpc"],
        &["application/json;application/grpc"],
    ];
    no_calls.extend(others.map(|kinds| (method.clone(), version, kinds)));
    no_calls
}

fn request<B>(like: &(Method, Version, &[&str]), body: B) -> Request<B> {
    let (method, version, kinds) = like;
    let mut request = Request::builder().method(method).version(*version).uri("/");
    for kind in *kinds {
        request = request.header(CONTENT_TYPE, *kind);
    }
    request.header("host", "a").body(body).unwrap()
}

fn with_token<B>(mut request: Request<B>, token: &str) -> Request<B> {
    let line = format!("Bearer {token}").parse().unwrap();
    request.headers_mut().insert("authorization", line);
    request
}

/// Returns the whole header, sorted.
fn lines(headers: &HeaderMap) -> Vec<(&str, &str)> {
    let lines = headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap()));
    let mut lines = Vec::from_iter(lines);
    lines.sort_unstable();
    lines
}

/// The status that a client of gRPC reads, with its message.
fn read(headers: &HeaderMap) -> (&str, &str) {
    let text = |name: &str| headers[name].to_str().unwrap();
    (text("grpc-status"), text("grpc-message"))
}

/// The body of a service of gRPC, which is not made from text.
#[derive(Debug, Default, PartialEq)]
struct Frames(&'static [u8]);

async fn serve(request: Request<()>) -> Result<Response<Frames>, Infallible> {
    assert!(request.extensions().get::<String>().is_some());
    Ok(Response::new(Frames(b"let in")))
}

#[tokio::test]
async fn a_call_is_refused_with_a_status_of_grpc() {
    let service = layer!(caller, scopes("write")).with_grpc_refusals().layer(service_fn(serve));
    for kind in ["application/grpc", "application/grpc+proto", "application/grpc;charset=utf-8"] {
        let call = || request(&(Method::POST, Version::HTTP_2, &[kind]), ());
        let refused = service.clone().oneshot(call()).await.unwrap();
        assert_eq!((refused.status(), refused.body()), (StatusCode::OK, &Frames(b"")));
        let expected = [
            ("cache-control", "no-store"),
            ("content-type", "application/grpc"),
            ("grpc-message", "Not authenticated"),
            ("grpc-status", "16"),
            ("www-authenticate", "Bearer realm=\"notes\", scope=\"write\""),
        ];
        assert_eq!(lines(refused.headers()), expected);

        let refused = service.clone().oneshot(with_token(call(), "read")).await.unwrap();
        assert_eq!(read(refused.headers()), ("7", "Not enough permissions"));
        let challenge = refused.headers()[WWW_AUTHENTICATE].to_str().unwrap();
        assert!(challenge.contains("error=\"insufficient_scope\""), "{challenge}");

        let answered = service.clone().oneshot(with_token(call(), "write")).await.unwrap();
        assert_eq!(answered.body(), &Frames(b"let in"));
        assert!(answered.headers().is_empty());
    }
}

#[tokio::test]
async fn any_other_request_is_refused_in_http() {
    let service = layer!(caller, scopes("write")).with_grpc_refusals().layer(service_fn(serve));
    for like in no_calls() {
        for (token, status) in [("", 401), ("read", 403)] {
            let mut asked = request(&like, ());
            if !token.is_empty() {
                asked = with_token(asked, token);
            }
            let refused = service.clone().oneshot(asked).await.unwrap();
            assert_eq!(refused.status(), status, "{like:?}");
            assert_eq!(refused.body(), &Frames(b""));
            let names = Vec::from_iter(refused.headers().keys());
            assert_eq!(names, ["www-authenticate"], "{like:?}");
        }
    }
}

/// An error of a service, with a status of its choice.
#[derive(Clone, Copy)]
struct Refused(u16);

impl From<Refused> for Response<String> {
    fn from(refused: Refused) -> Self {
        let response = Response::builder().status(refused.0);
        let response = response
            .header("www-authenticate", "Basic")
            .header("www-authenticate", "Key")
            .header("retry-after", "120")
            .header("grpc-status", "0")
            .header("grpc-message", "let in")
            .header("set-cookie", "a=b")
            .header("content-length", "17");
        response.body("Später, zu 100%\n".to_owned()).unwrap()
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> axum::response::Response {
        Response::<String>::from(self).map(Into::into)
    }
}

/// The path is the status with which the request is refused.
#[dependency]
fn refused(uri: http::Uri) -> Result<String, Refused> {
    Err(Refused(uri.path()[1..].parse().unwrap()))
}

/// A status of success is a 500 before it becomes one of gRPC.
#[test]
fn each_status_has_its_code() {
    let app = Router::new().fallback(async || "let in");
    let layer = layer!(refused).with_grpc_refusals();
    let apps = [app.clone().layer(layer), app.layer(layer.with_state(()))];
    for (status, code) in [
        (200, "13"),
        (204, "13"),
        (299, "13"),
        (302, "13"),
        (400, "3"),
        (401, "16"),
        (403, "7"),
        (404, "5"),
        (409, "13"),
        (429, "8"),
        (500, "13"),
        (503, "14"),
    ] {
        for app in &apps {
            let mut call = request(&CALL, "".into());
            *call.uri_mut() = format!("/{status}").parse().unwrap();
            let sent = block_on(answer(app.clone(), call));
            assert_eq!((sent.status(), &**sent.body()), (StatusCode::OK, ""), "{status}");
            if status < 300 {
                assert_eq!(read(sent.headers()), (code, "Internal Server Error"), "{status}");
                continue;
            }
            let mut found = lines(sent.headers());
            // axum adds the length.
            found.retain(|(name, _)| *name != "content-length");
            let expected = [
                ("cache-control", "no-store"),
                ("content-type", "application/grpc"),
                ("grpc-message", "Sp%C3%A4ter, zu 100%25"),
                ("grpc-status", code),
                ("retry-after", "120"),
                ("www-authenticate", "Basic"),
                ("www-authenticate", "Key"),
            ];
            assert_eq!(found, expected, "{status}");
        }
    }
}

/// In HTTP, every other header of the refusal is sent, but for those of its body.
#[tokio::test]
async fn the_headers_of_a_refusal_are_kept_in_http() {
    let app = Router::new().fallback(async || "let in");
    let app = app.layer(layer!(refused).with_grpc_refusals().with_state(()));
    let mut asked =
        request(&(Method::POST, Version::HTTP_11, &["application/grpc"]), Body::empty());
    *asked.uri_mut() = "/429".parse().unwrap();
    let sent = app.oneshot(asked).await.unwrap();
    assert_eq!(sent.status(), StatusCode::TOO_MANY_REQUESTS);
    let headers = sent.headers();
    assert_eq!(
        (&headers["retry-after"], &headers["set-cookie"]),
        (&"120".parse().unwrap(), &"a=b".parse().unwrap())
    );
    assert!(!headers.contains_key(CONTENT_TYPE));
    assert_eq!(
        headers.get("content-length").map_or(b"0".as_slice(), |length| length.as_bytes()),
        b"0"
    );
}

/// In whichever order the layer gets its state.
#[test]
fn the_layer_has_the_state_of_the_router() {
    #[dependency]
    fn user(
        #[security(caller)] caller: String,
        State(text): State<&'static str>,
    ) -> Result<String, Rejection> {
        Ok(format!("{text} {caller}"))
    }
    let layer = layer!(user);
    for layer in
        [layer.with_state("a").with_grpc_refusals(), layer.with_grpc_refusals().with_state("a")]
    {
        let app =
            Router::new().fallback(async |Extension(user): Extension<String>| user).layer(layer);
        let call = || request(&CALL, "".into());
        assert_eq!(block_on(answer(app.clone(), with_token(call(), "read"))).body(), "a read");
        assert_eq!(read(block_on(answer(app, call())).headers()), ("16", "Not authenticated"));
    }
}

/// A refusal from below is sent as the layer sends its own.
#[tokio::test]
async fn a_late_refusal_is_sent_in_the_same_form() {
    async fn change(head: Parts) -> Result<Response<Frames>, Infallible> {
        let writer = plan!(caller, scopes("write"));
        let answer = if writer.resolve_late(&mut head.clone()).await.is_ok() {
            b"changed".as_slice()
        } else {
            b"error"
        };
        Ok(Response::new(Frames(answer)))
    }
    let layer = layer!(caller, scopes("read"));
    for layer in [
        layer.with_late_refusals().with_grpc_refusals(),
        layer.with_grpc_refusals().with_late_refusals(),
    ] {
        let service =
            layer.layer(service_fn(|request: Request<()>| change(request.into_parts().0)));
        let refused =
            service.clone().oneshot(with_token(request(&CALL, ()), "read")).await.unwrap();
        assert_eq!((refused.status(), refused.body()), (StatusCode::OK, &Frames(b"")));
        assert_eq!(read(refused.headers()), ("7", "Not enough permissions"));
        let challenge = refused.headers()[WWW_AUTHENTICATE].to_str().unwrap();
        assert!(challenge.ends_with("scope=\"write\""), "{challenge}");

        for like in no_calls() {
            let refused =
                service.clone().oneshot(with_token(request(&like, ()), "read")).await.unwrap();
            assert_eq!(
                (refused.status(), refused.body()),
                (StatusCode::FORBIDDEN, &Frames(b"")),
                "{like:?}"
            );
        }
        let accepted = service.oneshot(with_token(request(&CALL, ()), "write")).await.unwrap();
        assert_eq!(accepted.body(), &Frames(b"changed"));
    }
}

/// The layer converts its own refusals, and the late ones that it takes, and nothing that the
/// service answers.
#[test]
fn an_answer_of_the_service_stays() {
    let inner = Router::new().fallback(async || "let in").layer(layer!(caller, scopes("write")));
    let app = inner.layer(layer!(caller, scopes("read")).with_grpc_refusals());
    let refused = block_on(answer(app, with_token(request(&CALL, "".into()), "read")));
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    assert_eq!(refused.body(), r#"{"detail":"Not enough permissions"}"#);
}

/// A service behind such a layer is declared.
#[test]
fn the_layer_passes_a_door() {
    let service = layer!(caller, scopes("read")).with_grpc_refusals().layer(any(async || "let in"));
    let app = doorward::axum08::Router::<()>::new().route_service("/", service);
    assert_eq!(app.routes().to_string(), "ANY  /  Token(read)\n");
}

/// Whatever a request says, it is refused as any other.
#[test]
fn nothing_else_refuses_with_a_200() {
    #[secured(caller)]
    async fn guarded() {}
    #[dependency(extract)]
    fn extracted(#[security(caller)] caller: String) -> Result<Extracted, Rejection> {
        Ok(Extracted(caller))
    }
    #[derive(Clone)]
    struct Extracted(#[expect(dead_code, reason = "nobody is let in")] String);
    async fn security(_: Security<Token>) {}
    async fn user(_: Extracted) {}
    async fn form(_: PasswordForm<OAuth2PasswordRequestForm>) {}
    fn on_axum(route: axum::routing::MethodRouter, asked: Asked) -> each::Answer {
        each::axum(Router::new().route("/", route), asked)
    }
    let extractors: [Framework; 4] = [
        ("a guard of axum", |asked| on_axum(any(guarded), asked)),
        ("an extractor of axum", |asked| on_axum(any(security), asked)),
        ("an extracted value of axum", |asked| on_axum(any(user), asked)),
        ("a form of axum", |asked| on_axum(any(form), asked)),
    ];
    let plain: Framework = ("tower", |asked| {
        let service = service_fn(async |_| Ok::<_, Infallible>(Response::new("let in".to_owned())));
        let service = layer!(caller).layer(service);
        block_on(service.oneshot(asked)).unwrap()
    });
    let frameworks = each_framework!(caller).into_iter().chain(each_layer!(caller));
    for (framework, ask) in frameworks.chain(extractors).chain([plain]) {
        for like in no_calls().into_iter().chain([
            CALL,
            (Method::POST, Version::HTTP_2, &["application/grpc+proto"]),
            (Method::POST, Version::HTTP_2, &["application/grpc;charset=utf-8"]),
        ]) {
            if framework == "rocket" && !matches!(like.0, Method::GET | Method::POST) {
                continue;
            }
            let refused = ask(request(&like, ""));
            let expected = if framework.contains("form") { 400 } else { 401 };
            assert_eq!(refused.status(), expected, "{framework} {like:?}");
            assert!(!refused.headers().contains_key("grpc-status"), "{framework}");
        }
    }
}
