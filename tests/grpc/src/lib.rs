//! A service of gRPC behind layers, as the guide shows it, and routes of axum on the same port.

pub mod health;
pub mod security;

use std::io;
use std::net::SocketAddr;

use axum::routing::any;
use tokio::net::TcpListener;
use tollgate::{layer, secured};
use tonic::service::{LayerExt, Routes};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::pb::health_server::HealthServer;

use crate::health::Service;
use crate::security::{Caller, available};

/// Serves the health, until the process ends. Returns the address.
///
/// # Errors
///
/// Returns an error if there is no port left.
pub async fn serve(routes: Routes) -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let server = Server::builder().accept_http1(true).add_routes(routes);
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
    Ok(address)
}

/// Like [`serve`], with a layer around the whole server.
///
/// # Errors
///
/// Same as [`serve`].
pub async fn serve_behind_a_layer() -> io::Result<SocketAddr> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let layer = layer!(available, scopes("read")).with_late_refusals().with_grpc_refusals();
    let server = Server::builder().layer(layer).add_service(HealthServer::new(Service));
    tokio::spawn(server.serve_with_incoming(TcpIncoming::from(listener)));
    Ok(address)
}

/// A layer around one service, and routes of HTTP beside it: `/plain` and `/extracted` answer like
/// any other, and `/word` is behind a layer for gRPC.
#[must_use]
pub fn routes() -> Routes {
    let layer = layer!(available, scopes("read")).with_grpc_refusals();
    let app = axum::Router::new()
        .route("/plain", any(ok).layer(layer!(available, scopes("read"))))
        .route("/extracted", any(extracted))
        .route("/word", any(ok).layer(layer));
    Routes::from(app).add_service(layer.named_layer(HealthServer::new(Service)))
}

async fn ok() {}

#[secured]
async fn extracted(#[security(available, scopes("read"))] _caller: Caller) {}
