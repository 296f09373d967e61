//! Limits on clients: how many connect, how slow they are, and how long their bodies are.
//!
//! A connection takes a file descriptor and a buffer. A client that is slow or silent is cut off.
//! While the limit is reached, each response closes its connection, so that the client that has
//! waited longest is next.

use std::io;
use std::mem::replace;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::ConnectInfo;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::Response;
use axum::serve::Listener;
use axum::{BoxError, Router};
use futures_util::StreamExt;
use futures_util::stream::once;
use http_body_util::{BodyExt, Limited, StreamBody};
use hyper::Request;
use hyper::body::{Frame, Incoming};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::timeout;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

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

/// Serves until the program is asked to stop, and then finishes the requests that have begun.
pub(crate) async fn serve(mut listener: TcpListener, router: Router) -> io::Result<()> {
    let files = rlimit::increase_nofile_limit(MAX_CONNECTIONS + OTHER_FILES)?;
    let max = files.saturating_sub(OTHER_FILES).clamp(1, MAX_CONNECTIONS);
    let places = Arc::new(Semaphore::new(usize::try_from(max).unwrap_or(1)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(READ_AHEAD);
    let running = GracefulShutdown::new();
    let mut asked_to_stop = pin!(asked_to_stop());
    let mut warned = false;
    loop {
        let next = async {
            let (stream, address) = Listener::accept(&mut listener).await;
            if places.available_permits() == 0 && !replace(&mut warned, true) {
                tracing::warn!(max, "all connections are taken, so others wait");
            }
            (stream, address, places.clone().acquire_owned().await)
        };
        let (stream, address, place) = tokio::select! {
            next = next => next,
            stop = &mut asked_to_stop => break stop?,
        };
        let with_address = move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            request
        };
        let places = places.clone();
        let closed_if_full = move |mut response: Response| {
            if places.available_permits() == 0 {
                let close = HeaderValue::from_static("close");
                response.headers_mut().insert(CONNECTION, close);
            }
            response
        };
        let service = router.clone().map_request(with_address);
        let service = TowerToHyperService::new(service.map_response(closed_if_full));
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(PATIENCE));
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
async fn asked_to_stop() -> io::Result<()> {
    #[cfg(unix)]
    let mut terminate = tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate())?;
    #[cfg(unix)]
    let terminated = terminate.recv();
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        interrupted = tokio::signal::ctrl_c() => interrupted,
        _ = terminated => Ok(()),
    }
}

/// Copies the body of a request into one piece of memory, when the handler asks for it.
///
/// hyper yields a body in pieces, each of which keeps the buffer that it was read into, and
/// [`Json`](axum::Json) keeps all pieces: 60 kB sent byte by byte would take 200 MB.
pub(crate) async fn body_in_one_piece(request: axum::extract::Request) -> axum::extract::Request {
    request.map(|body| Body::new(StreamBody::new(once(read(body)))))
}

async fn read(body: Body) -> Result<Frame<Bytes>, BoxError> {
    let mut pieces = Limited::new(body, MAX_BODY).into_data_stream();
    let mut whole = Vec::new();
    while let Some(piece) = pieces.next().await {
        whole.extend_from_slice(&piece?);
    }
    Ok(Frame::data(whole.into()))
}
