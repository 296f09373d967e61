//! An MCP server that clients log in to: notes that one scope may read, and another may write.
//!
//! ```sh
//! cargo run -p tollgate-example-mcp -- --issuer https://id.example.com --resource http://127.0.0.1:8000/mcp
//! ```

use std::env;
use std::error::Error;
use std::io::stderr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::routing::any_service;
use http::{Uri, request::Parts};
use rmcp::handler::server::common::Extension as FromHead;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{schemars, tool, tool_router};
use serde::Deserialize;
use tokio::net::TcpListener;
use tollgate::axum08::Router;
use tollgate::jwt::TokenVerifier;
use tollgate::metadata::ResourceMetadata;
use tollgate::scheme::Setting;
use tollgate::{Shared, http_bearer, layer, plan, public};
use tower::Layer;
use tracing_subscriber::filter::LevelFilter;

/// The URL of this server, as clients write it. Tokens have to be for it.
static RESOURCE: Setting = Setting::resource("--resource");

/// The authorization server, whose tokens the server takes.
static ISSUER: Setting = Setting::issuer("--issuer");

#[http_bearer(
    strict,
    resource = &RESOURCE,
    authorization_servers(&ISSUER),
    scopes(
        "notes:read" = "Read the notes.",
        "notes:write" implies("notes:read") = "Add notes."
    ),
    verified = Claims
)]
struct Notebook;

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

#[derive(Clone, Default)]
struct Notes(Arc<Mutex<Vec<String>>>);

#[derive(Deserialize, schemars::JsonSchema)]
struct Note {
    text: String,
}

#[tool_router(server_handler)]
impl Notes {
    #[tool(description = "Lists the notes.")]
    fn list_notes(&self) -> String {
        let notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.join("\n")
    }

    #[tool(description = "Adds a note.")]
    async fn add_note(
        &self,
        Parameters(Note { text }): Parameters<Note>,
        FromHead(mut head): FromHead<Parts>,
    ) -> Result<String, String> {
        let writer = plan!(Notebook, scopes("notes:write"));
        let caller = writer.resolve_late(&mut head).await;
        // The layer answers with the refusal itself.
        let caller = caller.map_err(|refusal| refusal.to_string())?;
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        notes.push(format!("{}: {text}", caller.sub));
        Ok(format!("{} notes", notes.len()))
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_max_level(LevelFilter::WARN).with_writer(stderr).init();
    let listen = argument("--listen").unwrap_or_else(|| "127.0.0.1:8000".to_owned());
    let issuer = argument("--issuer").ok_or("--issuer: the URL of the authorization server")?;
    let resource = argument("--resource").unwrap_or_else(|| format!("http://{listen}/mcp"));
    let (host, origin) = host_and_origin(&resource.parse()?)?;
    RESOURCE.set(resource)?;
    ISSUER.set(issuer.clone())?;

    let metadata = ResourceMetadata::of::<Notebook>()?
        // What a client asks for first. The challenge of a tool asks for more.
        .with_scopes_supported(["notes:read"]);
    let tokens = TokenVerifier::<Claims>::discover(issuer, reqwest::Client::new());
    let tokens = tokens.build().await?;

    // Without sessions, each request stands for itself, with its own token. An answer that is not
    // a stream has its status when the tool has decided.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts([host])
        .with_allowed_origins([origin]);
    let notes = Notes::default();
    let mcp = StreamableHttpService::new(
        move || Ok(notes.clone()),
        NeverSessionManager::default().into(),
        config,
    );
    // Inside axum's own service, because the body of rmcp's answers is of another type.
    let reader = layer!(Notebook, scopes("notes:read")).with_late_refusals();
    let for_readers = reader.layer(any_service(mcp));
    let for_everybody = public("clients find the login with it", metadata.clone());
    let app = Router::new()
        .route_service("/mcp", for_readers)
        .route_service(metadata.path(), for_everybody)
        .extension(Shared::new(tokens));

    let listener = TcpListener::bind(&listen).await?;
    println!("Listening on http://{}", listener.local_addr()?);
    axum::serve(listener, app).await?;
    Ok(())
}

/// Returns the host of a URL, and its origin with the port. For rmcp, an origin without one has any
/// port.
fn host_and_origin(url: &Uri) -> Result<(String, String), Box<dyn Error>> {
    let (scheme, host) = url.scheme_str().zip(url.host()).ok_or("not a URL")?;
    let default = if scheme == "http" { 80 } else { 443 };
    let port = url.port_u16().unwrap_or(default);
    Ok((host.to_owned(), format!("{scheme}://{host}:{port}")))
}

fn argument(name: &str) -> Option<String> {
    env::args().skip_while(|argument| argument != name).nth(1)
}
