//! The stream of a session ends when the client's token is refused.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::Response;
use doorward::axum08::Router;
use doorward::axum08::routing::any;
use doorward::jwt::TokenVerifier;
use doorward::live::Live;
use doorward::testing::TestAuthority;
use doorward::{Shared, secured};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};
use tower::ServiceExt;

use super::{Claims, Notebook, Notes};

type Service = StreamableHttpService<Notes, LocalSessionManager>;

/// Each answer goes on until it ends, or until its client would be refused.
#[secured(Notebook, scopes("notes:read"))]
async fn serve(live: Live, State(service): State<Service>, request: Request) -> Response {
    let live = live.every(Duration::from_millis(50));
    let answer = service.handle(request).await;
    answer.map(|body| Body::from_stream(live.around(Body::new(body).into_data_stream())))
}

/// A client in process.
struct Client {
    app: axum::Router,
    token: String,
    session: Option<String>,
}

impl Client {
    async fn send(&self, method: &str, message: &Value) -> Response {
        let mut request = Request::builder()
            .method(method)
            .uri("http://localhost/mcp")
            .header("host", "localhost")
            .header("authorization", format!("Bearer {}", self.token))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        let body = if message.is_null() { Body::empty() } else { Body::from(message.to_string()) };
        self.app.clone().oneshot(request.body(body).unwrap()).await.unwrap()
    }
}

async fn text(answer: Response) -> String {
    let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

#[tokio::test]
async fn the_stream_of_a_session_ends_with_its_token() {
    let authority = TestAuthority::new("https://api.example.com/mcp").unwrap();
    let is_locked = Arc::new(AtomicBool::new(false));
    let locked = is_locked.clone();
    let tokens: TokenVerifier<Claims> = authority
        .verifier()
        .refuse_if(move |_| locked.load(Ordering::Relaxed))
        .build()
        .await
        .unwrap();
    let service = Service::new(
        || Ok(Notes::default()),
        LocalSessionManager::default().into(),
        StreamableHttpServerConfig::default(),
    );
    let app = Router::new()
        .route("/mcp", any(serve))
        .extension(Shared::new(tokens))
        .into_inner()
        .with_state(service);
    let token = authority.token("alice").scopes(["notes:read"]).sign().unwrap();
    let mut client = Client { app, token: token.as_str().to_owned(), session: None };

    let hello = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": { "name": "client", "version": "1" },
    } });
    let answer = client.send("POST", &hello).await;
    assert_eq!(answer.status(), 200);
    let session = answer.headers()["mcp-session-id"].to_str().unwrap().to_owned();
    client.session = Some(session);
    assert!(text(answer).await.contains("serverInfo"));
    let ready = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
    assert_eq!(client.send("POST", &ready).await.status(), 202);

    let stream = client.send("GET", &Value::Null).await;
    assert_eq!(stream.status(), 200);
    let reading = tokio::spawn(text(stream));
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(!reading.is_finished());
    is_locked.store(true, Ordering::Relaxed);
    tokio::time::timeout(Duration::from_secs(60), reading).await.unwrap().unwrap();
    // As a client asks that connects again.
    let refused = client.send("GET", &Value::Null).await;
    assert_eq!(refused.status(), 401);
    assert!(refused.headers().contains_key("www-authenticate"));
}
