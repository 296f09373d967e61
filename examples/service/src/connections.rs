//! Limits on clients: how many connect, how slow they are, and how long their bodies are.
//!
//! A connection takes a file descriptor and a buffer. A client that is slow or silent is cut off.
//! While the limit is reached, each response closes its connection, so that the client that has
//! waited longest is next.

use std::sync::{Arc, Once, atomic::Ordering::Relaxed};
use std::{io, net::SocketAddr, pin::pin, time::Duration};

use axum::extract::{ConnectInfo, Request};
use axum::{BoxError, Extension, body::Body, http::HeaderValue, http::header::CONNECTION};
use axum::{response::Response, serve::Listener};
use futures_util::{TryStreamExt, stream::once};
use http_body_util::{BodyExt, Limited};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::{server::graceful::GracefulShutdown, service::TowerToHyperService};
use tokio::time::timeout;
use tokio::{net::TcpListener, sync::Semaphore};
use tokio_io_timeout::TimeoutStream;
use tollgate::{Shared, axum08::Router};
use tower::{Layer, util::MapResponseLayer};

use crate::health::Health;

/// The maximum number of connections, if the system allows as many files.
const MAX_CONNECTIONS: u64 = 1000;
/// Files for the database and the rest of the program.
const OTHER_FILES: u64 = 64;
/// How long a client may take to send the head of a request, counted from the end of the last one,
/// and how long it may not read while there is a response to write.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum size of the head of a request.
const READ_AHEAD: usize = 32 * 1024;
/// The maximum size of a body.
const MAX_BODY: usize = 64 * 1024;
/// How long running requests may take after the service was asked to stop.
const GRACE: Duration = Duration::from_secs(15);

/// Serves until the program is asked to stop, and then finishes the requests that have begun. While
/// it drains, it serves on, and says that others should.
pub(crate) async fn serve(
    mut listener: TcpListener,
    router: Router,
    health: Shared<Health>,
    drain: Duration,
) -> io::Result<()> {
    let files = rlimit::increase_nofile_limit(MAX_CONNECTIONS + OTHER_FILES)?;
    let max = files.saturating_sub(OTHER_FILES).clamp(1, MAX_CONNECTIONS);
    let places = Arc::new(Semaphore::new(usize::try_from(max).unwrap_or(1)));
    let warned = Once::new();
    let (all, closing) = (places.clone(), health.clone());
    let router = router.layer(MapResponseLayer::new(move |mut response: Response| {
        if all.available_permits() == 0 || closing.stopping.load(Relaxed) {
            let close = HeaderValue::from_static("close");
            response.headers_mut().insert(CONNECTION, close);
        }
        response
    }));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE).max_buf_size(READ_AHEAD);
    let running = GracefulShutdown::new();
    let mut stop = pin!(async {
        asked_to_stop().await?;
        health.stopping.store(true, Relaxed);
        // Whoever asks again does not want to wait.
        let _ = timeout(drain, asked_to_stop()).await;
        io::Result::Ok(())
    });
    loop {
        let next = async {
            let (stream, address) = Listener::accept(&mut listener).await;
            if places.available_permits() == 0 {
                warned.call_once(|| tracing::warn!(max, "all connections are taken: others wait"));
            }
            (stream, address, places.clone().acquire_owned().await)
        };
        let (stream, address, place) = tokio::select! {
            // In this order: signals are listened for before the first connection is accepted.
            biased;
            stop = &mut stop => break stop?,
            next = next => next,
        };
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(PATIENCE));
        let service =
            TowerToHyperService::new(Extension(ConnectInfo(address)).layer(router.clone()));
        let stream = TokioIo::new(Box::pin(stream));
        let connection = running.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%address, %error, "a connection was cut");
            }
            drop(place);
        });
    }
    drop(listener);
    if timeout(GRACE, running.shutdown()).await.is_err() {
        tracing::warn!("requests were still running");
    }
    Ok(())
}

/// Waits for Ctrl-C or SIGTERM.
#[cfg(unix)]
async fn asked_to_stop() -> io::Result<()> {
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    tokio::select! { stop = tokio::signal::ctrl_c() => stop, _ = terminate.recv() => Ok(()) }
}

#[cfg(not(unix))]
use tokio::signal::ctrl_c as asked_to_stop;

/// Takes the address of the client from the proxy, which adds it as the last one, with or without a
/// port. The bytes before it are the client's.
pub(crate) async fn behind_proxy(mut request: Request) -> Request {
    let lines = request.headers().get_all("x-forwarded-for").iter();
    let line = lines.map(HeaderValue::as_bytes).next_back();
    let last = line.and_then(|line| line.rsplit(|byte| *byte == b',').next());
    let last = str::from_utf8(last.unwrap_or_default()).unwrap_or_default().trim();
    let address = last.parse().map(|address| SocketAddr::new(address, 0)).or_else(|_| last.parse());
    match address {
        Ok(address) => drop(request.extensions_mut().insert(ConnectInfo(address))),
        Err(_) => tracing::error!("the proxy does not say who the client is"),
    }
    request
}

/// Copies the body of a request into one piece of memory, when the handler asks for it.
///
/// hyper yields a body in pieces, each of which keeps the buffer that it was read into, and
/// [`Json`](axum::Json) keeps all pieces: 60 kB sent byte by byte would take 200 MB.
pub(crate) async fn body_in_one_piece(request: Request) -> Request {
    request.map(|body| Body::from_stream(once(read(body))))
}

async fn read(body: Body) -> Result<Vec<u8>, BoxError> {
    let mut pieces = Limited::new(body, MAX_BODY).into_data_stream();
    let mut whole = Vec::new();
    while let Some(piece) = pieces.try_next().await? {
        whole.extend_from_slice(&piece);
    }
    Ok(whole)
}
