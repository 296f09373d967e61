//! Finds a bearer token in the headers of a request.

use std::cell::RefCell;
use std::hint::black_box;

use actix_web::FromRequest as _;
use actix_web::dev::Payload;
use actix_web_httpauth::extractors::bearer::BearerAuth;
use bytes::Bytes;
use doorward::{Scheme, oauth2_password_bearer};
use headers::HeaderMapExt as _;
use headers::authorization::{Authorization, Bearer};
use http::header::AUTHORIZATION;
use http::{HeaderMap, HeaderName, HeaderValue};
use poem_openapi::auth::BearerAuthorization as _;
use rocket::http::Header;
use rocket::local::blocking::{Client, LocalRequest};

use crate::{Contender, Named, ready};

/// The scheme of the tables.
#[oauth2_password_bearer(token_url = "token", scopes("me" = "Read about the user."))]
pub struct Password;

/// The same scheme, restricted to the grammar of RFC 6750.
#[oauth2_password_bearer(token_url = "token", strict)]
pub struct Strict;

/// A request with ten typical headers, prepared for each contender.
pub struct Input {
    pub(crate) headers: HeaderMap,
    pub(crate) actix: actix_web::HttpRequest,
    pub(crate) poem: poem::Request,
    pub(crate) salvo: RefCell<salvo::Request>,
    pub(crate) rocket: LocalRequest<'static>,
}

impl Input {
    fn new(authorization: &str, client: &'static Client) -> Self {
        let headers = headers(authorization);
        let mut actix = actix_web::test::TestRequest::default();
        let mut poem = poem::Request::builder();
        let mut salvo = salvo::Request::new();
        let mut rocket = client.get("/");
        for (name, value) in &headers {
            actix = actix.append_header((name.as_str(), value.as_bytes()));
            poem = poem.header(name.clone(), value.clone());
            salvo.headers_mut().append(name.clone(), value.clone());
            rocket.add_header(Header::new(
                name.to_string(),
                value.to_str().unwrap_or_default().to_owned(),
            ));
        }
        Self {
            headers,
            actix: actix.to_http_request(),
            poem: poem.finish(),
            salvo: RefCell::new(salvo),
            rocket,
        }
    }
}

/// Returns the cases: two tokens, no token, and another authentication scheme.
///
/// # Panics
///
/// Panics if rocket does not start.
#[must_use]
pub fn inputs() -> [Named<Input>; 4] {
    // A request of rocket borrows from its server.
    let server = Client::untracked(rocket::build()).expect("rocket starts");
    let server: &'static Client = Box::leak(Box::new(server));
    [
        ("40-byte token", format!("Bearer {}", "t0k3n".repeat(8))),
        ("900-byte JWT", format!("Bearer {}", jwt())),
        ("missing", String::new()),
        ("refused", "Basic am9obmRvZTpzZWNyZXQ=".to_owned()),
    ]
    .map(|(name, authorization)| (name, Input::new(&authorization, server)))
}

/// Returns a JWT of 900 bytes.
#[must_use]
pub fn jwt() -> String {
    let part = |length: usize| {
        "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCIsImtpZCI6Ik5FRTFRVVJCT1RNNE16STVSa1EzTmtVeVJFSXhORVF3"
            .chars()
            .cycle()
            .take(length)
            .collect::<String>()
    };
    format!("{}.{}.{}", part(90), part(466), part(342))
}

/// Returns headers whose values are reference-counted, as in a server. Each value starts at an even
/// address, so no contender depends on the position of a value in a buffer.
///
/// # Panics
///
/// Panics if `authorization` is not a header value.
#[must_use]
pub fn headers(authorization: &str) -> HeaderMap {
    let mut lines = vec![
        ("host", "api.example.com"),
        ("user-agent", "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"),
        ("accept", "application/json, text/plain, */*"),
        ("accept-language", "en-GB,en;q=0.7,de;q=0.3"),
        ("accept-encoding", "gzip, deflate, br, zstd"),
        ("referer", "https://www.example.com/items"),
        ("origin", "https://www.example.com"),
        ("cookie", "theme=dark; consent=essential"),
        ("x-request-id", "018f3c9e-7b2a-7c40-9d51-2f6f0a4be111"),
    ];
    if !authorization.is_empty() {
        lines.push(("authorization", authorization));
    }
    let mut headers = HeaderMap::with_capacity(lines.len());
    for (name, value) in lines {
        let buffer = Bytes::copy_from_slice(value.as_bytes());
        headers.append(
            HeaderName::from_static(name),
            HeaderValue::from_maybe_shared(buffer.clone()).expect("a header value"),
        );
    }
    headers
}

/// The lower bound for everyone: the lookup of the header.
pub const LIMIT: Contender<Input> = Contender::new("`HeaderMap::get` alone", |input| {
    black_box(&black_box(&input.headers).get(AUTHORIZATION));
});

/// doorward with a borrowed token.
pub const BORROWED: Contender<Input> = Contender::new("doorward, `&str`", |input| {
    let _ = black_box(&Password::authenticate_ref(black_box(&input.headers)));
});

/// doorward with an owned token.
pub const OWNED: Contender<Input> = Contender::new("doorward, `BearerToken`", |input| {
    black_box(&Password::authenticate(black_box(&input.headers)));
});

/// doorward with an owned token that is also read.
pub const READ: Contender<Input> =
    Contender::new("doorward, `BearerToken` and `as_str`", |input| {
        let token = Password::authenticate(black_box(&input.headers));
        if let Ok(token) = black_box(&token) {
            black_box(token.as_str());
        }
    });

/// doorward with a borrowed token, limited to the grammar of RFC 6750.
pub const STRICT: Contender<Input> = Contender::new("doorward, `strict`, `&str`", |input| {
    let _ = black_box(&Strict::authenticate_ref(black_box(&input.headers)));
});

/// The code of a careful user.
pub const BY_HAND: Contender<Input> = Contender::new("by hand, `&str`", |input| {
    black_box(&by_hand(black_box(&input.headers)));
});

/// Finds the token as a careful user does.
#[must_use]
pub fn by_hand(headers: &HeaderMap) -> Option<&str> {
    let line = headers.get(AUTHORIZATION)?.as_bytes();
    let (name, token) = line.split_at_checked(7)?;
    if !name.eq_ignore_ascii_case(b"bearer ") {
        return None;
    }
    core::str::from_utf8(token).ok()
}

/// The crate `headers`, which axum-extra's `TypedHeader` uses.
pub const HEADERS: Contender<Input> = Contender::new("`headers`", |input| {
    black_box(&black_box(&input.headers).typed_get::<Authorization<Bearer>>());
});

/// poem-openapi's own bearer check.
pub const POEM_OPENAPI: Contender<Input> = Contender::new("poem-openapi `Bearer`", |input| {
    black_box(&poem_openapi::auth::Bearer::from_request(black_box(&input.poem)));
});

/// actix-web-httpauth's extractor.
pub const ACTIX_WEB_HTTPAUTH: Contender<Input> = Contender::new("actix-web-httpauth", |input| {
    black_box(&ready(BearerAuth::from_request(black_box(&input.actix), &mut Payload::None)));
});

/// All contenders: the lower bound first, then ours.
pub const ALL: [Contender<Input>; 9] =
    [LIMIT, BORROWED, OWNED, READ, STRICT, BY_HAND, HEADERS, POEM_OPENAPI, ACTIX_WEB_HTTPAUTH];
