//! A whole request to a server of axum, on a connection that stays open: to an open route, to one
//! whose token is remembered, set up as the guide does it, and to one below a middleware that compares
//! the token, which is ours or written by hand.

use std::cell::RefCell;
use std::future;
use std::hint::black_box;
use std::io;

use axum::Extension;
use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing;
use axum::serve::Listener;
use doorward::axum08::Router;
use doorward::axum08::routing::get;
use doorward::jwt::{Algorithm, SigningKey, TokenAuthority, TokenVerifier};
use doorward::verify::{Fetched, Verified};
use doorward::{BearerToken, Rejection, Shared, dependency, http_bearer, layer, secured};
use http::StatusCode;
use http::header::AUTHORIZATION;
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::runtime::{Builder, Runtime};

use crate::{Contender, Named};

const ISSUER: &str = "https://id.example.com";
const AUDIENCE: &str = "https://api.example.com";

/// The claims that the service reads.
#[derive(Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api;

#[secured]
async fn items(#[security(Api, scopes("items"))] caller: Verified<Claims>) -> String {
    black_box(&caller.sub);
    String::from("items")
}

async fn open() -> String {
    String::from("items")
}

/// The token that a middleware takes.
struct Expected(String);

/// A token whose value the caller knows.
#[http_bearer]
struct Known;

/// Who sent the token.
#[derive(Clone)]
struct Caller(&'static str);

/// Compares the token as either middleware does it, so that only what is around it differs.
fn caller_of(token: &str, expected: &Expected) -> Option<Caller> {
    (token == expected.0).then_some(Caller("johndoe"))
}

const WRONG: Rejection = Rejection::new(StatusCode::UNAUTHORIZED);

#[dependency]
fn caller(
    #[security(Known)] token: BearerToken,
    expected: Shared<Expected>,
) -> Result<Caller, Rejection> {
    caller_of(token.as_str(), &expected).ok_or(WRONG)
}

#[secured(layer = caller)]
async fn below_layer(Extension(Caller(name)): Extension<Caller>) -> String {
    String::from(name)
}

async fn below_hand(Extension(Caller(name)): Extension<Caller>) -> String {
    String::from(name)
}

/// The same as `layer!(caller)`, written by hand.
async fn by_hand(mut request: Request, next: Next) -> Result<Response, StatusCode> {
    let expected = request.extensions().get::<Shared<Expected>>();
    let expected = &**expected.ok_or(StatusCode::INTERNAL_SERVER_ERROR)?;
    let token = request.headers().get(AUTHORIZATION).and_then(|line| line.to_str().ok());
    let token = token.and_then(|line| line.strip_prefix("Bearer "));
    let caller = token.and_then(|token| caller_of(token, expected));
    request.extensions_mut().insert(caller.ok_or(StatusCode::UNAUTHORIZED)?);
    Ok(next.run(request).await)
}

/// A connection to each server, and the request for all of them.
pub struct Input {
    runtime: Runtime,
    open: RefCell<DuplexStream>,
    secured: RefCell<DuplexStream>,
    below_hand: RefCell<DuplexStream>,
    below_layer: RefCell<DuplexStream>,
    request: String,
}

impl Input {
    fn ask(&self, connection: &RefCell<DuplexStream>) {
        let connection = &mut *connection.borrow_mut();
        let answer = self.runtime.block_on(async {
            connection.write_all(self.request.as_bytes()).await?;
            let mut answer = [0; 512];
            let length = connection.read(&mut answer).await?;
            io::Result::Ok(answer[..length].to_vec())
        });
        let answer = answer.expect("the server answers");
        assert!(answer.starts_with(b"HTTP/1.1 200 "), "{}", String::from_utf8_lossy(&answer));
    }
}

/// Accepts one connection.
struct Once(Option<DuplexStream>);

impl Listener for Once {
    type Io = DuplexStream;
    type Addr = ();

    async fn accept(&mut self) -> (DuplexStream, ()) {
        match self.0.take() {
            Some(connection) => (connection, ()),
            None => future::pending().await,
        }
    }

    fn local_addr(&self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a connection of a client, and what accepts it at the server.
fn connection() -> (RefCell<DuplexStream>, Once) {
    let (near, far) = tokio::io::duplex(4 * 1024);
    (RefCell::new(near), Once(Some(far)))
}

/// Returns a request with a token, and the servers.
///
/// # Panics
///
/// Panics if the server cannot be started.
#[must_use]
pub fn inputs() -> [Named<Input>; 1] {
    let key = SigningKey::random(Algorithm::Es256).expect("random numbers");
    let authority = TokenAuthority::builder(ISSUER, key).audience(AUDIENCE).build();
    let authority = authority.expect("an authority");
    let token = authority.token("johndoe").scopes(["items"]).sign().expect("a token");
    let jwks = authority.jwks().to_owned();

    let request = format!(
        "GET /items HTTP/1.1\r\nhost: id\r\nauthorization: Bearer {}\r\n\r\n",
        token.as_str()
    );

    let runtime = Builder::new_current_thread().build().expect("a runtime");
    let ((open, to_open), (secured, to_secured)) = (connection(), connection());
    let ((below_hand, to_hand), (below_layer, to_layer)) = (connection(), connection());
    let expected = Shared::new(Expected(token.as_str().to_owned()));
    runtime.block_on(async {
        let fetch = move |url: String| future::ready(Ok(Fetched::new(url, jwks.clone())));
        let tokens =
            TokenVerifier::<Claims>::jwks_url(ISSUER, "https://id.example.com/keys", fetch)
                .audience(AUDIENCE)
                .build()
                .await
                .expect("the keys are there");
        let app = axum::Router::new().route("/items", routing::get(self::open));
        tokio::spawn(axum::serve(to_open, app).into_future());
        let app = Router::new().route("/items", get(items)).extension(Shared::new(tokens));
        tokio::spawn(axum::serve(to_secured, app).into_future());
        let app = axum::Router::new().route("/items", routing::get(self::below_hand));
        let app = app.layer(from_fn(by_hand)).layer(Extension(expected.clone()));
        tokio::spawn(axum::serve(to_hand, app).into_future());
        let app = Router::new().route("/items", get(self::below_layer)).layer(layer!(caller));
        let app = app.extension(expected);
        tokio::spawn(axum::serve(to_layer, app).into_future());
    });
    [("a request", Input { runtime, open, secured, below_hand, below_layer, request })]
}

/// The name of the open route in the table.
pub const OPEN: &str = "axum, an open route";
/// The name of the route with a remembered token in the table.
pub const REMEMBERED: &str = "doorward, a remembered token";

/// The name of the route below a middleware by hand in the table.
pub const BELOW_HAND: &str = "axum, a middleware by hand";
/// The name of the route below a layer in the table.
pub const BELOW_LAYER: &str = "doorward, a layer and a handler that counts on it";

/// All routes.
pub const ALL: [Contender<Input>; 4] = [
    Contender::new(OPEN, |input| input.ask(&input.open)),
    Contender::new(REMEMBERED, |input| input.ask(&input.secured)),
    Contender::new(BELOW_HAND, |input| input.ask(&input.below_hand)),
    Contender::new(BELOW_LAYER, |input| input.ask(&input.below_layer)),
];
