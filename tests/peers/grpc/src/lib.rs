//! A service of gRPC behind layers, as the guide shows it, and routes of axum on the same port.

pub mod health;
pub mod notes;
pub mod security;

use std::io;
use std::net::SocketAddr;

use axum::routing::any;
use doorward::{Shared, layer, secured};
use tokio::net::TcpListener;
use tonic::service::{LayerExt, Routes};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::pb::health_server::HealthServer;
use tower_http::add_extension::AddExtensionLayer;

use crate::health::Service;
use crate::security::{BusyFor, Caller, available};

/// Serves routes until the process ends. Returns the address.
///
/// # Errors
///
/// Returns an error if there is no port left.
pub async fn serve(routes: Routes) -> io::Result<SocketAddr> {
    let (address, incoming) = listen().await?;
    let server = Server::builder().accept_http1(true).layer(busy()).add_routes(routes);
    tokio::spawn(server.serve_with_incoming(incoming));
    Ok(address)
}

/// Like [`serve`], for the health service alone, with a layer around the whole server.
///
/// # Errors
///
/// Same as [`serve`].
pub async fn serve_behind_a_layer() -> io::Result<SocketAddr> {
    let (address, incoming) = listen().await?;
    let layer = layer!(available, scopes("read")).with_late_refusals().with_grpc_refusals();
    let server =
        Server::builder().layer(busy()).layer(layer).add_service(HealthServer::new(Service));
    tokio::spawn(server.serve_with_incoming(incoming));
    Ok(address)
}

/// Returns what the layers share.
fn busy() -> AddExtensionLayer<Shared<BusyFor>> {
    AddExtensionLayer::new(Shared::new(BusyFor("busy")))
}

async fn listen() -> io::Result<(SocketAddr, TcpIncoming)> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    Ok((listener.local_addr()?, TcpIncoming::from(listener)))
}

/// Returns a layer around one service, and routes of HTTP next to it: `/plain` and `/extracted`
/// answer in HTTP, and `/word` is behind a layer for gRPC.
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
