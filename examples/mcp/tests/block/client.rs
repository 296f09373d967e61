//! Calls of a server in process.

use axum::body::Body;
use axum::routing::any_service;
use doorward::adapter::Resolve;
use doorward::axum08::Router;
use doorward::jwt::TokenVerifier;
use doorward::layers::LateRefusals;
use doorward::testing::TestAuthority;
use doorward::{Dependency, SecurityLayer, Shared, public};
use http::Request;
use http::request::Builder;
use rmcp::ServerHandler;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tower::{Layer, ServiceExt};

pub(crate) struct Client {
    authority: TestAuthority,
    app: axum::Router,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) challenge: String,
    pub(crate) body: Value,
}

impl Answer {
    /// The text of a tool's result.
    pub(crate) fn text(&self) -> &str {
        self.body["result"]["content"][0]["text"].as_str().unwrap()
    }
}

impl Client {
    /// Serves a server whose entry points decide, each for itself.
    pub(crate) async fn of<C, H>(handler: H) -> Self
    where
        C: DeserializeOwned + Send + Sync + 'static,
        H: ServerHandler + Clone,
    {
        let authority = TestAuthority::new("https://api.example.com/mcp").unwrap();
        let tokens: TokenVerifier<C> = authority.verifier().build().await.unwrap();
        let service = LateRefusals::new().layer(any_service(service(handler)));
        let app = Router::new()
            .route_service("/mcp", public("each tool decides", service))
            .extension(Shared::new(tokens));
        Self { authority, app: app.into_inner() }
    }

    /// Serves a server behind a layer that takes late refusals.
    pub(crate) async fn behind<C, D, H>(layer: SecurityLayer<D>, handler: H) -> Self
    where
        C: DeserializeOwned + Send + Sync + 'static,
        D: Dependency<Output: Clone + Send + Sync>
            + for<'a, 'r> Resolve<'r, doorward::head::Head<'a>, D::Output>,
        H: ServerHandler + Clone,
    {
        Self::verifying::<C, D, H>(layer.with_late_refusals(), handler).await
    }

    /// Serves a server behind a layer, with a verifier of tokens for its resource.
    pub(crate) async fn verifying<C, D, H>(layer: SecurityLayer<D>, handler: H) -> Self
    where
        C: DeserializeOwned + Send + Sync + 'static,
        D: Dependency<Output: Clone + Send + Sync>
            + for<'a, 'r> Resolve<'r, doorward::head::Head<'a>, D::Output>,
        H: ServerHandler + Clone,
    {
        let authority = TestAuthority::new("https://api.example.com/mcp").unwrap();
        let tokens: TokenVerifier<C> = authority.verifier().build().await.unwrap();
        let mut client = Self::with(layer, handler, Shared::new(tokens));
        client.authority = authority;
        client
    }

    /// Serves a server behind such a layer, with this verifier.
    pub(crate) fn with<V, D, H>(layer: SecurityLayer<D>, handler: H, tokens: Shared<V>) -> Self
    where
        V: Send + Sync + 'static,
        D: Dependency<Output: Clone + Send + Sync>
            + for<'a, 'r> Resolve<'r, doorward::head::Head<'a>, D::Output>,
        H: ServerHandler + Clone,
    {
        let service = layer.layer(any_service(service(handler)));
        let app = Router::new().route_service("/mcp", service).extension(tokens);
        let authority = TestAuthority::new("https://api.example.com/mcp").unwrap();
        Self { authority, app: app.into_inner() }
    }

    /// Calls a method with a token for these scopes.
    pub(crate) async fn call(&self, scopes: &str, method: &str, params: &Value) -> Answer {
        let token = self.authority.token("alice").scopes(scopes.split(' ')).sign().unwrap();
        self.send(Some(token.as_str()), method, params).await
    }

    /// Calls a method in the version 2026-07-28.
    pub(crate) async fn call_modern(&self, scopes: &str, method: &str) -> Answer {
        let token = self.authority.token("alice").scopes(scopes.split(' ')).sign().unwrap();
        self.send_modern(token.as_str(), method, json!({})).await
    }

    /// Like [`send`](Self::send), in the version 2026-07-28.
    pub(crate) async fn send_modern(&self, token: &str, method: &str, params: Value) -> Answer {
        let name = params.get("name").or(params.get("uri")).and_then(Value::as_str);
        let mut request = Request::post("http://localhost/mcp")
            .header("mcp-protocol-version", "2026-07-28")
            .header("mcp-method", method);
        if let Some(name) = name {
            request = request.header("mcp-name", name);
        }
        let mut params = params.clone();
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { "name": "client", "version": "1" },
            "io.modelcontextprotocol/clientCapabilities": {},
        });
        self.answer(request, Some(token), method, &params).await
    }

    pub(crate) async fn send(&self, token: Option<&str>, method: &str, params: &Value) -> Answer {
        self.answer(Request::post("http://localhost/mcp"), token, method, params).await
    }

    async fn answer(
        &self,
        request: Builder,
        token: Option<&str>,
        method: &str,
        params: &Value,
    ) -> Answer {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let mut request = request
            .header("host", "localhost")
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        if let Some(token) = token {
            request = request.header("authorization", format!("Bearer {token}"));
        }
        let request = request.body(Body::from(body.to_string())).unwrap();
        let answer = self.app.clone().oneshot(request).await.unwrap();
        let challenge = answer.headers().get("www-authenticate");
        let challenge = challenge.map(|line| line.to_str().unwrap().to_owned());
        let status = answer.status().as_u16();
        let body = axum::body::to_bytes(answer.into_body(), 1 << 20).await.unwrap();
        Answer {
            status,
            challenge: challenge.unwrap_or_default(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        }
    }
}

pub(crate) fn service<H: ServerHandler + Clone>(
    handler: H,
) -> StreamableHttpService<H, NeverSessionManager> {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true);
    StreamableHttpService::new(
        move || Ok(handler.clone()),
        NeverSessionManager::default().into(),
        config,
    )
}
