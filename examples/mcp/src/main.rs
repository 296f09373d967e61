//! An MCP server that clients log in to: notes that one scope may read, and another may write. Editors
//! may remove them.
//!
//! ```sh
//! cargo run -p doorward-example-mcp -- --issuer https://id.example.com --resource http://127.0.0.1:8000/mcp
//! ```
//!
//! With `--routes` it prints what each path, tool, prompt and resource requires, and ends.

use std::env;
use std::error::Error;
use std::io::stderr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::routing::any_service;
use doorward::axum08::Router;
use doorward::jwt::TokenVerifier;
use doorward::metadata::ResourceMetadata;
use doorward::rmcp3::{Undecided, declared};
use doorward::routes::Routes;
use doorward::scheme::Setting;
use doorward::verify::Verified;
use doorward::{Rejection, Shared, dependency, http_bearer, layer, public, secured};
use http::{StatusCode, Uri};
use rmcp::handler::server::router::prompt::PromptRouter;
use rmcp::handler::server::router::tool::ToolRouter;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{
    ListResourcesResult, PaginatedRequestParams, PromptMessage, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, Resource, ResourceContents, Role as Speaker,
    ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{
    ErrorData, RoleServer, ServerHandler, prompt, prompt_handler, prompt_router, schemars, tool,
    tool_handler, tool_router,
};
use serde::Deserialize;
use tokio::net::TcpListener;
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
    #[serde(default)]
    role: Role,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    #[default]
    Author,
    Editor,
}

/// The caller has this role or one above it.
#[dependency]
fn role(
    #[argument] least: Role,
    #[security(Notebook)] caller: Verified<Claims>,
) -> Result<(), Rejection> {
    if caller.role >= least { Ok(()) } else { Err(Rejection::new(StatusCode::FORBIDDEN)) }
}

#[derive(Clone)]
struct Notes {
    notes: Arc<Mutex<Vec<String>>>,
    tools: ToolRouter<Self>,
    prompts: PromptRouter<Self>,
}

#[derive(Deserialize, schemars::JsonSchema)]
struct Note {
    text: String,
}

#[secured(layer = Notebook, scopes("notes:read"))]
#[tool_router]
impl Notes {
    #[tool(description = "Lists the notes.")]
    fn list_notes(&self) -> String {
        self.lock().join("\n")
    }

    #[tool(description = "Adds a note.")]
    async fn add_note(
        &self,
        Parameters(Note { text }): Parameters<Note>,
        #[security(Notebook, scopes("notes:write"))] caller: Verified<Claims>,
    ) -> Result<String, String> {
        let mut notes = self.lock();
        notes.push(format!("{}: {text}", caller.sub));
        Ok(format!("{} notes", notes.len()))
    }

    #[security(Notebook, scopes("notes:write"))]
    #[security(role(Role::Editor))]
    #[tool(description = "Removes all notes.")]
    async fn clear_notes(&self) -> String {
        self.lock().clear();
        "no notes".to_owned()
    }
}

#[secured(layer = Notebook, scopes("notes:read"))]
#[prompt_router]
impl Notes {
    #[security(Notebook, scopes("notes:write"))]
    #[prompt(description = "Asks for one note that says what all of them say.")]
    async fn sum_up(&self) -> Vec<PromptMessage> {
        let text = format!("Add a note that sums these up:\n{}", self.lock().join("\n"));
        vec![PromptMessage::new_text(Speaker::User, text)]
    }
}

/// The resource with all notes.
const NOTES: &str = "notes:///all";

#[secured(layer = Notebook, scopes("notes:read"))]
#[tool_handler(router = self.tools)]
#[prompt_handler(router = self.prompts)]
impl ServerHandler for Notes {
    fn get_info(&self) -> ServerConfig {
        let all = ServerCapabilities::builder().enable_tools().enable_prompts().enable_resources();
        ServerConfig::new(all.build())
    }

    async fn list_resources(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new(NOTES, "notes")]))
    }

    #[security(Notebook, scopes("notes:write"))]
    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _context: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        if request.uri != NOTES {
            return Err(ErrorData::resource_not_found("no such resource", None));
        }
        let text = ResourceContents::text(self.lock().join("\n"), NOTES);
        Ok(ReadResourceResult::new(vec![text]).into())
    }
}

impl Notes {
    /// Creates the server, unless one of its tools or prompts is neither secured nor public.
    fn new() -> Result<Self, Undecided> {
        let routes = Self::routes();
        Ok(Self {
            notes: Arc::default(),
            tools: declared(Self::tool_router(), &routes)?,
            prompts: declared(Self::prompt_router(), &routes)?,
        })
    }

    fn routes() -> Routes {
        let routes = Self::tool_router_routes().and(Self::prompt_router_routes());
        routes.and(Self::handler_routes())
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
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

    // Without sessions, each request stands for itself, with its own token. An answer that is not
    // a stream has its status when the tool has decided.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .with_allowed_hosts([host])
        .with_allowed_origins([origin]);
    let notes = Notes::new()?;
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
        .route_service(metadata.path(), for_everybody);
    if env::args().any(|argument| argument == "--routes") {
        print!("{}", app.routes().and(Notes::routes()));
        return Ok(());
    }

    let tokens = TokenVerifier::<Claims>::discover(issuer, reqwest::Client::new());
    let tokens = tokens.for_scheme::<Notebook>();
    let app = app.extension(Shared::new(tokens.build().await?));

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
