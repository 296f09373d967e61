//! The client of rmcp, from nothing to a note that it may add.

use std::error::Error;

use rmcp::model::{CallToolRequestParams, CallToolResult, ClientConfig};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::auth::{AuthClient, AuthorizationCallback, AuthorizationRequest, OAuthState};
use rmcp::transport::streamable_http_client::{
    InsufficientScopeError, StreamableHttpClientTransportConfig,
};
use rmcp::{RoleClient, ServiceExt};
use serde_json::json;

/// Where the authorization server sends the user back to. Nobody listens there.
pub(crate) const REDIRECT_URI: &str = "http://127.0.0.1:9/callback";

type Client = RunningService<RoleClient, ClientConfig>;

/// Connects, logs in, reads the notes, is refused, steps up, and adds a note. `consent` is the
/// user: it opens a URL and returns the one that it is sent back to.
pub(crate) async fn walk(server: &str, consent: impl AsyncFn(String) -> String) {
    let challenge = connect(reqwest::Client::new(), server).await.unwrap_err();
    let challenge = challenge.auth_challenge().unwrap().to_owned();

    let mut login = OAuthState::new(server, None).await.unwrap();
    let request =
        AuthorizationRequest::new(REDIRECT_URI).with_client_name("rmcp").with_challenge(challenge);
    login.start_authorization(request).await.unwrap();
    let back = consent(login.get_authorization_url().await.unwrap()).await;
    login.handle_callback_url(&back).await.unwrap();

    let manager = login.into_authorization_manager().unwrap();
    let authorized = AuthClient::new(reqwest::Client::new(), manager);
    let client = connect(authorized.clone(), server).await.unwrap();
    let tools = client.list_all_tools().await.unwrap();
    let mut tools: Vec<_> = tools.iter().map(|tool| &*tool.name).collect();
    tools.sort_unstable();
    assert_eq!(tools, ["add_note", "clear_notes", "list_notes"]);
    assert_eq!(text(&list(&client).await.unwrap()), "");

    let refused = add(&client).await.unwrap_err();
    let refused = insufficient_scope(&refused).unwrap();
    let scope = refused.get_required_scope().unwrap();
    assert_eq!(scope, "notes:write");

    let manager = authorized.auth_manager.lock().await;
    let back = consent(manager.request_scope_upgrade(scope).await.unwrap()).await;
    let back = AuthorizationCallback::from_redirect_url(&back).unwrap();
    manager
        .exchange_code_for_token_with_issuer(&back.code, &back.csrf_token, back.issuer.as_deref())
        .await
        .unwrap();
    drop(manager);

    assert_eq!(text(&add(&client).await.unwrap()), "1 notes");
    assert!(text(&list(&client).await.unwrap()).ends_with(": Buy milk."));
    client.cancel().await.unwrap();
}

async fn connect<C>(
    client: C,
    server: &str,
) -> Result<Client, Box<rmcp::service::ClientInitializeError>>
where
    C: rmcp::transport::streamable_http_client::StreamableHttpClient,
{
    let config = StreamableHttpClientTransportConfig::with_uri(server);
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let client = ClientConfig::default().serve(transport).await;
    client.map_err(Box::new)
}

async fn list(client: &Client) -> Result<CallToolResult, ServiceError> {
    client.call_tool(CallToolRequestParams::new("list_notes")).await
}

async fn add(client: &Client) -> Result<CallToolResult, ServiceError> {
    let arguments = json!({ "text": "Buy milk." }).as_object().cloned();
    let call = CallToolRequestParams::new("add_note").with_arguments(arguments.unwrap());
    client.call_tool(call).await
}

fn text(result: &CallToolResult) -> String {
    let text = result.content.iter().filter_map(|content| content.as_text());
    text.map(|text| &*text.text).collect()
}

/// Returns the refusal with the status 403, which a chain of errors ends with.
fn insufficient_scope(error: &ServiceError) -> Option<&InsufficientScopeError> {
    let ServiceError::TransportSend(error) = error else {
        return None;
    };
    let mut error: &(dyn Error + 'static) = error.error.as_ref();
    loop {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        error = error.source()?;
    }
}
