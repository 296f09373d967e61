//! A service whose stream goes on until its caller is refused.

use std::collections::HashMap;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use doorward::{Plan, Rejection, SecurityLayer, Shared, dependency, plan};
use http::StatusCode;
use tokio_stream::{Stream, StreamExt, once, pending};
use tonic::transport::Server;
use tonic::{Request, Response, Status, async_trait};
use tonic_health::pb::health_server::{Health, HealthServer};
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tower_http::add_extension::AddExtensionLayer;

use super::{SERVING, head};
use crate::listen;
use crate::security::{Caller, caller};

/// The callers who are refused from now on, each with the status.
#[derive(Debug, Default)]
pub struct Refused(Mutex<HashMap<String, StatusCode>>);

impl Refused {
    /// Refuses a caller.
    pub fn refuse(&self, caller: &str, status: StatusCode) {
        let mut refused = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        refused.insert(caller.to_owned(), status);
    }
}

/// Finds the caller.
///
/// # Errors
///
/// Returns an error if the caller is refused.
#[dependency]
pub fn known(
    #[security(caller)] caller: Caller,
    refused: Shared<Refused>,
) -> Result<Caller, Rejection> {
    let refused = refused.0.lock().unwrap_or_else(PoisonError::into_inner);
    refused.get(&caller.0).map_or(Ok(caller), |status| Err(Rejection::new(*status)))
}

/// What the layer requires, and what a stream asks again.
const READER: Plan<known> = plan!(known, scopes("read"));

/// How often a stream asks.
const EVERY: Duration = Duration::from_millis(50);

struct Watched;

#[async_trait]
impl Health for Watched {
    async fn check(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        Ok(Response::new(SERVING))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send>>;

    async fn watch(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let news = once(Ok(SERVING)).chain(pending());
        let live = READER.live(&head(&request)).every(EVERY);
        let watched = live.around(news).ending_with(|refusal| {
            let reason = refusal.reason().as_str();
            Err(match refusal.status() {
                StatusCode::UNAUTHORIZED => Status::unauthenticated(reason),
                StatusCode::FORBIDDEN => Status::permission_denied(reason),
                _ => Status::unavailable(reason),
            })
        });
        Ok(Response::new(Box::pin(watched)))
    }
}

/// Serves the service behind a layer, until the process ends. Returns the address.
///
/// # Errors
///
/// Returns an error if there is no port left.
pub async fn serve_watched(refused: Shared<Refused>) -> io::Result<SocketAddr> {
    let (address, incoming) = listen().await?;
    let layer = SecurityLayer::new(READER).with_grpc_refusals();
    let server = Server::builder()
        .layer(AddExtensionLayer::new(refused))
        .layer(layer)
        .add_service(HealthServer::new(Watched));
    tokio::spawn(server.serve_with_incoming(incoming));
    Ok(address)
}
