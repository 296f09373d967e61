//! The axum adapter, over a socket.

use std::borrow::Cow;
use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use axum::Router;
use axum::body::Body;
use axum::extract::Request;
use axum::middleware::map_request;
use axum::routing::{get, post};
use doorward::form::{FormBody, FormError};
use doorward::secrecy::ExposeSecret;
use doorward::{OAuth2PasswordRequestForm, PasswordForm, PasswordRequestForm, Rejection, Security};
use doorward_tests::client::{ask, post_chunks, post_form, send};
use doorward_tests::schemes::{Password, PasswordOptional};
use http_body_util::Limited;

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = 32)]
struct Login<'a> {
    username: Cow<'a, str>,
    password: Cow<'a, str>,
}

async fn borrowed(body: FormBody<32>) -> Result<String, FormError> {
    let form = body.decode::<Login<'_>>()?;
    Ok(format!("{} {}", form.username, form.password))
}

async fn owned(PasswordForm(form): PasswordForm<OAuth2PasswordRequestForm>) -> String {
    format!("{} {}", form.username, form.password.expose_secret())
}

/// Limits the body, as another layer may do.
async fn limit(request: Request) -> Request {
    request.map(|body| Body::new(Limited::new(body, 30)))
}

async fn by_hand(credential: Result<Security<Password>, Rejection>) -> String {
    match credential {
        Ok(Security(token)) => token.as_str().to_owned(),
        Err(rejection) => format!("by hand: {}", rejection.status()),
    }
}

async fn two(
    Security(token): Security<Password>,
    Security(maybe): Security<PasswordOptional>,
) -> String {
    format!("{} {}", token.as_str(), maybe.is_some_and(|token| !token.is_empty()))
}

fn serve() -> SocketAddr {
    let app = Router::new()
        .route("/borrowed", post(borrowed))
        .route("/owned", post(owned))
        .route("/by-hand", get(by_hand))
        .route("/two", get(two))
        .route("/limited", post(owned).layer(map_request(limit)));
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || runtime.block_on(async { axum::serve(listener, app).await }));
    address
}

#[test]
fn a_form_is_owned_or_borrowed() {
    let address = serve();
    for path in ["/owned", "/borrowed"] {
        assert_eq!(post_form(address, path, "username=a&password=b%2B").body, "a b+");
        assert_eq!(post_chunks(address, path, ["user", "name=a&pass", "word=b"]).status, 200);
        assert_eq!(post_form(address, path, "username=a").status, 400);
    }
}

#[test]
fn a_body_over_the_limit_is_refused_with_and_without_its_length() {
    let address = serve();
    for (path, limit) in [("/borrowed", 32), ("/owned", 64 * 1024)] {
        let body = |length: usize| {
            let start = "username=a&password=";
            format!("{start}{}", "b".repeat(length - start.len()))
        };
        assert_eq!(post_form(address, path, &body(limit)).status, 200);
        assert_eq!(post_chunks(address, path, [&*body(limit)]).status, 200);
        for response in [
            post_form(address, path, &body(limit + 1)),
            post_chunks(address, path, [&*body(limit + 1)]),
        ] {
            assert_eq!(response.error(), (413, "invalid_request".into()));
        }
    }
}

#[test]
fn a_limit_of_a_layer_counts_too() {
    let address = serve();
    assert_eq!(post_chunks(address, "/limited", ["username=a&password=b"]).status, 200);
    assert_eq!(post_chunks(address, "/limited", ["username=a&password=bbbbbbbbbbbbb"]).status, 413);
}

#[test]
fn a_body_that_is_cut_short_is_refused() {
    let head = "POST /owned HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\
                Content-Type: application/x-www-form-urlencoded\r\n\r\nusername=a&password=b";
    let mut stream = TcpStream::connect(serve()).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut response = String::new();
    stream.read_to_string(&mut response).unwrap();
    assert!(
        response.starts_with("HTTP/1.1 400 ") && response.contains("the body is incomplete"),
        "{response}"
    );
}

#[test]
fn only_a_form_is_a_form() {
    let address = serve();
    for content_type in ["application/json", "multipart/form-data; boundary=x", "text/plain", ""] {
        let headers = [("Content-Type", content_type)];
        for path in ["/owned", "/borrowed"] {
            let response = send(address, "POST", path, &headers, b"username=a&password=b").unwrap();
            assert_eq!(response.error(), (400, "invalid_request".into()));
        }
    }
    let headers: [(&str, &str); 0] = [];
    let without = send(address, "POST", "/owned", &headers, b"username=a&password=b").unwrap();
    assert_eq!(without.status, 400);
    let in_the_query = post_form(address, "/owned?username=a&password=b", "");
    assert_eq!(in_the_query.status, 400);
}

#[test]
fn a_handler_may_answer_itself() {
    let address = serve();
    let get = |path, line| ask(address, "GET", path, &[("Authorization", line)]);
    assert_eq!(get("/by-hand", "Bearer a").body, "a");
    assert_eq!(get("/by-hand", "Basic a").body, "by hand: 401 Unauthorized");
    assert_eq!(get("/two", "Bearer a").body, "a true");
    assert_eq!(get("/two", "Basic a").status, 401);
}
