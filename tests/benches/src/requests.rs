//! A whole request to a server of axum, on a connection that stays open: to an open route, and to one
//! whose token is remembered, set up as the guide does it.

use std::cell::RefCell;
use std::future;
use std::hint::black_box;
use std::io;

use axum::routing;
use axum::serve::Listener;
use doorward::axum08::Router;
use doorward::axum08::routing::get;
use doorward::jwt::{Algorithm, SigningKey, TokenAuthority, TokenVerifier};
use doorward::verify::{Fetched, Verified};
use doorward::{Shared, http_bearer, secured};
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

/// A connection to each of two servers, and the request for either.
pub struct Input {
    runtime: Runtime,
    open: RefCell<DuplexStream>,
    secured: RefCell<DuplexStream>,
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

/// Returns a request with a token, and the two servers.
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
    });
    [("a request", Input { runtime, open, secured, request })]
}

/// The name of the open route in the table.
pub const OPEN: &str = "axum, an open route";
/// The name of the route with a remembered token in the table.
pub const REMEMBERED: &str = "doorward, a remembered token";

/// Both routes.
pub const ALL: [Contender<Input>; 2] = [
    Contender::new(OPEN, |input| input.ask(&input.open)),
    Contender::new(REMEMBERED, |input| input.ask(&input.secured)),
];
