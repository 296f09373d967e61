//! Two services whose methods have scopes of their own, with streams in both directions, and one that
//! is public.

use std::collections::HashSet;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Mutex;
use std::time::Duration;

use doorward::live::Live;
use doorward::routes::Routes;
use doorward::tonic014::service_routes;
use doorward::{
    BearerError, BearerToken, SecurityScopes, Shared, dependency, http_bearer, layer, plan, public,
    secured,
};
use tokio_stream::wrappers::IntervalStream;
use tokio_stream::{Stream, StreamExt as _};
use tonic::transport::Server;
use tonic::{Request, Response, Status, Streaming};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::{self, Health, HealthServer};
use tonic_health::pb::{FILE_DESCRIPTOR_SET, HealthCheckRequest, HealthCheckResponse};
use tower::Layer as _;
use tower_http::add_extension::AddExtensionLayer;

use self::pb::journal_server::{self, Journal, JournalServer};
use self::pb::notes_server::{self, Notes, NotesServer};

/// The code that tonic's build script writes.
#[allow(missing_docs, clippy::all, clippy::pedantic, reason = "it is generated")]
pub mod pb {
    include!(concat!(env!("OUT_DIR"), "/notes.v1.Notes.rs"));
    include!(concat!(env!("OUT_DIR"), "/notes.v1.Journal.rs"));
}

/// The message of each method.
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Note {
    /// Its text.
    #[prost(string, tag = "1")]
    pub text: String,
}

/// The scheme of the services. A token is the scope that it grants.
#[http_bearer(
    realm = "notes",
    scopes(
        "notes:read" = "Read notes.",
        "notes:write" implies("notes:read") = "Change notes.",
        "admin" implies("notes:write") = "Everything."
    )
)]
pub struct Api;

/// A caller who is let in.
#[derive(Clone, Debug)]
pub struct Caller(pub String);

/// The tokens that are refused from now on.
#[derive(Debug, Default)]
pub struct Revoked(pub Mutex<HashSet<String>>);

/// Finds the caller.
///
/// # Errors
///
/// Returns an error if the token does not grant the scopes, or is revoked.
#[dependency]
pub fn caller(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
    revoked: Shared<Revoked>,
) -> Result<Caller, BearerError> {
    if revoked.0.lock().is_ok_and(|revoked| revoked.contains(token.as_str())) {
        return Err(scopes.invalid_token());
    }
    scopes.check(token.as_str())?;
    Ok(Caller(token.as_str().to_owned()))
}

/// All three services.
#[derive(Clone, Copy, Debug)]
pub struct Notebook;

/// How often a stream asks again whether it may go on.
const EVERY: Duration = Duration::from_millis(20);

#[secured]
#[tonic::async_trait]
impl Notes for Notebook {
    #[security(caller, scopes("notes:read"))]
    async fn get(&self, request: Request<Note>) -> Result<Response<Note>, Status> {
        if request.get_ref().text == "drafts" {
            // This one requires more, which only the method knows.
            plan!(caller, scopes("admin")).resolve_call(&request).await?;
        }
        Ok(Response::new(request.into_inner()))
    }

    async fn put(
        &self,
        request: Request<Note>,
        #[security(caller, scopes("notes:write"))] caller: Caller,
    ) -> Result<Response<Note>, Status> {
        let text = format!("{} by {}", request.into_inner().text, caller.0);
        Ok(Response::new(Note { text }))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<Note, Status>> + Send>>;

    #[security(caller, scopes("notes:read"))]
    async fn watch(
        &self,
        request: Request<Note>,
        live: Live,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let note = request.into_inner();
        let notes =
            IntervalStream::new(tokio::time::interval(EVERY)).map(move |_| Ok(note.clone()));
        let notes = live.every(EVERY).around(notes).ending_with(|refusal| Err(refusal.into()));
        Ok(Response::new(Box::pin(notes)))
    }
}

#[secured(caller, scopes("notes:write"))]
#[tonic::async_trait]
impl Journal for Notebook {
    async fn collect(
        &self,
        request: Request<Streaming<Note>>,
        live: Live,
    ) -> Result<Response<Note>, Status> {
        let notes = live.every(EVERY).around(request.into_inner());
        let mut notes = notes.ending_with(|refusal| Err(refusal.into()));
        let mut text = String::new();
        while let Some(note) = notes.next().await {
            text += &note?.text;
        }
        Ok(Response::new(Note { text }))
    }

    type TalkStream = Pin<Box<dyn Stream<Item = Result<Note, Status>> + Send>>;

    async fn talk(
        &self,
        request: Request<Streaming<Note>>,
        live: Live,
        #[security(caller)] caller: Caller,
    ) -> Result<Response<Self::TalkStream>, Status> {
        let answers = request.into_inner().map(move |note| {
            let text = format!("{} to {}", note?.text, caller.0);
            Ok(Note { text })
        });
        let answers = live.every(EVERY).around(answers).ending_with(|refusal| Err(refusal.into()));
        Ok(Response::new(Box::pin(answers)))
    }
}

const SERVING: HealthCheckResponse = HealthCheckResponse { status: ServingStatus::Serving as i32 };

#[secured]
#[tonic::async_trait]
impl Health for Notebook {
    #[public(reason = "load balancers ask it")]
    async fn check(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        Ok(Response::new(SERVING))
    }

    type WatchStream = tokio_stream::Once<Result<HealthCheckResponse, Status>>;

    #[public(reason = "load balancers ask it")]
    async fn watch(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Ok(Response::new(tokio_stream::once(Ok(SERVING))))
    }
}

/// Returns the table of the methods.
#[must_use]
pub fn routes() -> Routes {
    Notebook::notes_routes(notes_server::SERVICE_NAME)
        .and(Notebook::journal_routes(journal_server::SERVICE_NAME))
        .and(Notebook::health_routes(health_server::SERVICE_NAME))
}

/// Serves the services until the process ends. Returns the address.
///
/// # Errors
///
/// Returns an error if there is no port left.
pub async fn serve(revoked: Shared<Revoked>) -> io::Result<SocketAddr> {
    let (address, incoming) = crate::listen().await?;
    let server = Server::builder()
        .layer(AddExtensionLayer::new(revoked))
        .add_service(NotesServer::new(Notebook))
        .add_service(JournalServer::new(Notebook))
        .add_service(HealthServer::new(Notebook));
    tokio::spawn(server.serve_with_incoming(incoming));
    Ok(address)
}

/// Like [`serve`], with a layer around each service, and the table of these layers.
///
/// # Errors
///
/// Same as [`serve`], and if the descriptors cannot be read.
pub async fn serve_behind_layers(
    revoked: Shared<Revoked>,
) -> Result<(SocketAddr, Routes), Box<dyn std::error::Error>> {
    let (address, incoming) = crate::listen().await?;
    let readers = layer!(caller, scopes("notes:read")).with_grpc_refusals();
    let writers = layer!(caller, scopes("notes:write")).with_grpc_refusals();
    let reflection = tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
        .build_v1()?;

    let notes = readers.layer(NotesServer::new(Notebook));
    let journal = writers.layer(JournalServer::new(Notebook));
    let health = public("load balancers ask it", HealthServer::new(Notebook));
    let reflection = public("the API is no secret", reflection);
    let routes = service_routes(&notes)
        .and(service_routes(&journal))
        .and(service_routes(&health))
        .and(service_routes(&reflection));
    let server = Server::builder()
        .layer(AddExtensionLayer::new(revoked)) // outside of the other layers
        .add_service(notes)
        .add_service(journal)
        .add_service(health)
        .add_service(reflection);
    tokio::spawn(server.serve_with_incoming(incoming));
    Ok((address, routes))
}
