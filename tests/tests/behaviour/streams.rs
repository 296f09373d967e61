//! Streams and sockets that end with their token, over connections. The guide shows the handlers.

mod actix_web;
mod axum;
mod poem;
mod rocket;
mod salvo;
mod warp;

use core::time::Duration;
use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::sleep;

use doorward::jwt::TokenVerifier;
use doorward::testing::TestAuthority;
use doorward::{Shared, http_bearer};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Deserialize;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Error, Message, client};

/// The claims that are needed: none.
#[derive(Deserialize)]
struct Claims {}

#[http_bearer(websocket, verified = Claims)]
struct Api;

type Tokens = Shared<TokenVerifier<Claims>>;

/// How often the requirement is asked.
const EVERY: Duration = Duration::from_millis(50);

/// What the streams are about.
fn news() -> impl Stream<Item = &'static str> + Send + 'static {
    unfold((), |()| async {
        tokio::time::sleep(Duration::from_millis(10)).await;
        Some(("news", ()))
    })
}

/// A server, and what a test changes of it.
struct Server {
    address: SocketAddr,
    authority: TestAuthority,
    is_locked: Arc<AtomicBool>,
}

impl Server {
    fn start(serve: fn(TcpListener, Tokens)) -> Self {
        let authority = TestAuthority::new("api").unwrap();
        let is_locked = Arc::new(AtomicBool::new(false));
        let locked = Arc::clone(&is_locked);
        let tokens = authority.verifier().leeway(Duration::ZERO);
        let tokens = tokens.refuse_if(move |_| locked.load(Ordering::Relaxed)).build();
        let tokens = tokio::runtime::Runtime::new().unwrap().block_on(tokens).unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        serve(listener, Shared::new(tokens));
        Self { address, authority, is_locked }
    }

    fn lock(&self) {
        self.is_locked.store(true, Ordering::Relaxed);
    }

    /// Returns a token that expires after this many seconds.
    fn token(&self, seconds: f64) -> String {
        let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
        let token = self.authority.token("johndoe").claim("exp", now + seconds);
        token.sign().unwrap().as_str().to_owned()
    }

    /// Reads events to the end of their stream.
    fn events(&self, token: &str) -> String {
        let mut connection = TcpStream::connect(self.address).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let request = format!(
            "GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n\r\n"
        );
        connection.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        match connection.read_to_string(&mut answer) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => panic!("it goes on: {answer}"),
            read => read.unwrap(),
        };
        answer
    }
}

/// Each framework: its server.
const SERVERS: [fn(TcpListener, Tokens); 6] =
    [axum::serve, actix_web::serve, poem::serve, rocket::serve, salvo::serve, warp::serve];

#[test]
fn events_end_when_the_token_is_refused() {
    for serve in SERVERS {
        let server = Server::start(serve);
        let token = server.token(3600.0);
        std::thread::scope(|scope| {
            let reader = scope.spawn(|| server.events(&token));
            sleep(6 * EVERY);
            assert!(!reader.is_finished());
            server.lock();
            let answer = reader.join().unwrap();
            assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
            assert!(answer.contains("news"), "{answer}");
        });
        // As a browser asks that connects again.
        assert!(server.events(&token).starts_with("HTTP/1.1 401"));
    }
}

#[test]
fn events_end_when_the_token_expires() {
    for serve in SERVERS {
        let server = Server::start(serve);
        // On a busy machine, a token may have expired before the server reads it.
        let mut answers =
            [1.0, 5.0, 25.0].iter().map(|seconds| server.events(&server.token(*seconds)));
        assert!(
            answers.any(|answer| answer.starts_with("HTTP/1.1 200") && answer.contains("news"))
        );
    }
}

#[test]
fn a_socket_is_closed_as_unauthorized() {
    for serve in SERVERS {
        let server = Server::start(serve);
        let mut request = format!("ws://{}/socket", server.address).into_client_request().unwrap();
        let offered = server.authority.token("johndoe").sign_for_websocket().unwrap();
        request.headers_mut().insert("sec-websocket-protocol", offered.parse().unwrap());
        let connection = TcpStream::connect(server.address).unwrap();
        connection.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let (mut socket, response) = client(request, connection).unwrap();
        assert_eq!(response.headers()["sec-websocket-protocol"], "bearer");
        socket.send(Message::text("hello")).unwrap();
        assert_eq!(socket.read().unwrap(), Message::text("hello"));
        server.lock();
        let close = loop {
            match socket.read() {
                Ok(Message::Close(close)) => break close,
                Ok(_) => {}
                Err(Error::ConnectionClosed) => panic!("closed without a reason"),
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(u16::from(close.unwrap().code), 3000);
    }
}
