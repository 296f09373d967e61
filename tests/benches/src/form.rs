//! Decodes a password-grant body into a struct.

use std::borrow::Cow;
use std::cell::RefCell;
use std::hint::black_box;
use std::iter::repeat_with;

use axum::body::Body;
use axum::extract::FromRequest as _;
use bytes::Bytes;
use doorward::form::{RequestForm, RequestedScopes};
use doorward::{OAuth2PasswordRequestForm, PasswordRequestForm};
use http::Request;
use http::header::CONTENT_TYPE;
use memchr::memchr2_iter;
use serde::Deserialize;

use crate::{Contender, Named, ROUNDS, ready};

/// A form that borrows from the body.
#[derive(PasswordRequestForm)]
#[password_form(max_bytes = 2_000_000)]
pub struct Borrowed<'a> {
    /// `grant_type`
    pub grant_type: Option<Cow<'a, str>>,
    /// `username`
    pub username: Cow<'a, str>,
    /// `password`
    pub password: Cow<'a, str>,
    /// `scope`
    pub scopes: RequestedScopes<'a>,
    /// `client_id`
    pub client_id: Option<Cow<'a, str>>,
    /// `client_secret`
    pub client_secret: Option<Cow<'a, str>>,
}

/// The struct that a user writes for `axum::Form`. The scopes are split, as doorward does.
#[derive(Deserialize)]
pub struct Serde {
    /// `grant_type`
    pub grant_type: Option<String>,
    /// `username`
    pub username: String,
    /// `password`
    pub password: String,
    /// `scope`
    #[serde(default, deserialize_with = "split")]
    pub scope: Vec<String>,
    /// `client_id`
    pub client_id: Option<String>,
    /// `client_secret`
    pub client_secret: Option<String>,
}

fn split<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let scope = Cow::<str>::deserialize(deserializer)?;
    Ok(scope.split_whitespace().map(str::to_owned).collect())
}

/// A body, prepared for each contender.
pub struct Input {
    body: Bytes,
    /// A request for each round.
    requests: RefCell<Vec<Request<Body>>>,
}

impl Input {
    /// Creates an input with this body.
    ///
    /// # Panics
    ///
    /// Never, because the header is valid.
    #[must_use]
    pub fn new(body: impl Into<Bytes>) -> Self {
        // A copy on the heap is aligned. The check that a body is UTF-8 takes up to 30 instructions
        // more for one that is not.
        let body = Bytes::from(body.into().to_vec());
        let request = || {
            Request::post("/token")
                .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
                .body(Body::from(body.clone()))
                .expect("a request")
        };
        let requests = RefCell::new(repeat_with(request).take(ROUNDS).collect());
        Self { body, requests }
    }
}

/// Returns the bodies for which the bars are set.
#[must_use]
pub fn inputs() -> [Named<Input>; 3] {
    [
        ("typical (103 bytes)", Input::new(TYPICAL)),
        ("escaped UTF-8", Input::new(ESCAPED)),
        ("4 KiB password", Input::new(long_password())),
    ]
}

/// A login with a client.
pub const TYPICAL: &str = "grant_type=password&username=johndoe&password=secret&scope=items+me&client_id=web&client_secret=hunter2";

const ESCAPED: &str = "grant_type=password&username=j%C3%B6hn+d%C3%B6e&password=s%C3%A9cr%C3%A8t%26%E2%82%AC&scope=items%3Aread+me&client_id=w%C3%A9b&client_secret=%F0%9F%94%91";

/// Returns a login with a password of 4 KiB.
#[must_use]
pub fn long_password() -> String {
    let password = "p4ssw0rd".repeat(512);
    format!("grant_type=password&username=johndoe&password={password}")
}

/// Returns ordinary bodies. Nothing is tuned for them.
#[must_use]
pub fn ordinary() -> [Named<Input>; 5] {
    [
        (
            "Swagger UI",
            "grant_type=password&username=johndoe&password=correct%20horse%20battery%20staple&scope=me%20items",
        ),
        ("two fields", "username=alice&password=wonderland"),
        (
            "mail address",
            "username=alice.liddell%40example.com&password=Tr0ub4dor%263&scope=",
        ),
        (
            "many scopes",
            "grant_type=password&username=bob&password=hunter2&scope=openid+profile+email+offline_access+orders%3Aread+orders%3Awrite+invoices%3Aread&client_id=5f3c9e7b2a",
        ),
        (
            "unknown fields",
            "utf8=%E2%9C%93&authenticity_token=Zm9vYmFyYmF6cXV4&username=carol&password=pa55+word&remember_me=1&commit=Sign+in",
        ),
    ]
    .map(|(name, body)| (name, Input::new(body)))
}

/// The lower bound for everyone: one scan for the ends of names and values.
pub const LIMIT: Contender<Input> = Contender::new("one scan for the pairs", |input| {
    black_box(&memchr2_iter(b'&', b'=', black_box(&input.body)).count());
});

/// doorward with borrowed fields.
pub const BORROWED: Contender<Input> = Contender::new("doorward, borrowed", |input| {
    black_box(&Borrowed::decode(black_box(&input.body)));
});

/// doorward's ready-made form, which owns its fields.
pub const OWNED: Contender<Input> =
    Contender::new("doorward, `OAuth2PasswordRequestForm`", |input| {
        black_box(&OAuth2PasswordRequestForm::decode(black_box(&input.body)));
    });

/// serde_urlencoded with owned strings.
pub const SERDE_URLENCODED: Contender<Input> = Contender::new("serde_urlencoded, owned", |input| {
    black_box(&serde_urlencoded::from_bytes::<Serde>(black_box(&input.body)));
});

/// `axum::Form`, from a request whose body has already arrived. It consumes the request.
pub const AXUM_FORM: Contender<Input> = Contender::new("`axum::Form`", |input| {
    if let Some(request) = input.requests.borrow_mut().pop() {
        black_box(&ready(axum::Form::<Serde>::from_request(request, &())));
    }
});

/// All contenders: the lower bound first, then ours.
pub const ALL: [Contender<Input>; 5] = [LIMIT, BORROWED, OWNED, SERDE_URLENCODED, AXUM_FORM];
