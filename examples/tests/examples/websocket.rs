//! A page in a real browser opens a WebSocket with its token, and is told why it is closed.
//!
//! Skipped if `chromedriver` is not installed, unless `DOORWARD_BROWSER` is set.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocketUpgrade};
use axum::http::HeaderMap;
use axum::response::{Html, Response};
use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::live::Live;
use doorward::testing::TestAuthority;
use doorward::verify::Verified;
use doorward::websocket::protocol;
use doorward::{Shared, http_bearer, public, secured};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::browser::{Driver, Page};

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(websocket, verified = Claims)]
struct Api;

/// Says hello. Whatever the page says then, its token is refused from then on.
#[secured]
async fn socket(
    #[security(Api)] caller: Verified<Claims>,
    live: Live,
    locked: Shared<AtomicBool>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    let upgrade = upgrade.protocols(protocol(&headers).map(str::to_owned));
    upgrade.on_upgrade(async move |mut socket| {
        let hello = format!("hello {}", caller.sub);
        if socket.send(Message::text(hello)).await.is_err() {
            return;
        }
        let mut refused = pin!(live.every(Duration::from_millis(50)).refused());
        loop {
            tokio::select! {
                Some(Ok(_)) = socket.recv() => locked.store(true, Ordering::Relaxed),
                refusal = &mut refused => {
                    let (code, reason) = (refusal.close_code(), refusal.reason().as_str().into());
                    let close = Message::Close(Some(CloseFrame { code, reason }));
                    let _ = socket.send(close).await;
                    return;
                }
                else => return,
            }
        }
    })
}

#[public(reason = "the page needs no token")]
async fn page() -> Html<&'static str> {
    Html("<!doctype html><title>Socket</title>")
}

/// Opens a socket, and returns what happens to it.
async fn talk(page: &Page, url: &str, token: &str) -> Value {
    let script = r#"
        const [url, token, done] = arguments;
        const said = [];
        const socket = new WebSocket(url, ["bearer", token]);
        socket.onopen = () => said.push(`open ${socket.protocol}`);
        socket.onmessage = (event) => {
            said.push(event.data);
            socket.send("goodbye");
        };
        socket.onclose = (event) => done([...said, `${event.code} ${event.reason}`]);
    "#;
    page.0.execute_async(script, vec![json!(url), json!(token)]).await.unwrap()
}

#[tokio::test]
async fn a_page_opens_a_socket_with_its_token() {
    let Some(driver) = Driver::start() else {
        return;
    };
    let authority = TestAuthority::new("api").unwrap();
    let locked = Shared::from(Arc::new(AtomicBool::new(false)));
    let of_verifier = locked.clone();
    let tokens = authority.verifier().refuse_if(move |_| of_verifier.load(Ordering::Relaxed));
    let tokens: TokenVerifier<Claims> = tokens.build().await.unwrap();
    let app = Router::new().route("/", get(page)).route("/socket", get(socket));
    let app = app.extension(Shared::new(tokens)).extension(locked).into_inner();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });

    let page = driver.open(&format!("http://{address}/")).await;
    let url = format!("ws://{address}/socket");
    let token = authority.token("johndoe").sign().unwrap();
    let said = talk(&page, &url, token.as_str()).await;
    assert_eq!(said, json!(["open bearer", "hello johndoe", "3000 invalid"]));
    // Refused before it opens, of which a page learns nothing but that.
    for wrong in [token.as_str(), "wrong"] {
        assert_eq!(talk(&page, &url, wrong).await, json!(["1006 "]), "{wrong}");
    }
    page.0.close().await.unwrap();
}
