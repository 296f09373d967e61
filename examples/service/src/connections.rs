//! Connections: how many there are, and how slow their clients may be.
//!
//! Each takes a file, and memory for what is read ahead. A client that is slow, or sends nothing,
//! is cut off. While all places are taken, each answer closes its connection, and the client that
//! has waited longest is next.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::ConnectInfo;
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Request};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;
use tower::ServiceExt;

/// The most connections at a time, if the system allows as many files.
const MOST: u64 = 1000;

/// Files for the database and the rest of the program.
const OTHER_FILES: u64 = 64;

/// How long a client may take to send the head of a request, counted from the end of the last one,
/// and how long it may take nothing of an answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The head of a request has to fit in here.
const READ_AHEAD: usize = 32 * 1024;

/// Accepts connections until it is asked to stop, and then finishes the requests that have begun.
pub(crate) async fn serve(
    listener: TcpListener,
    router: Router,
    asked_to_stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let files = rlimit::increase_nofile_limit(MOST + OTHER_FILES)?;
    let most = files.saturating_sub(OTHER_FILES).clamp(1, MOST);
    let places = Arc::new(Semaphore::new(usize::try_from(most).unwrap_or(1)));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(PATIENCE)
        .max_buf_size(READ_AHEAD);
    let running = GracefulShutdown::new();
    let mut asked_to_stop = pin!(asked_to_stop);
    let mut told = None::<Instant>;
    loop {
        let next = async {
            let (stream, address) = accept(&listener).await;
            if places.available_permits() == 0
                && told.is_none_or(|told| told.elapsed() > Duration::from_secs(60))
            {
                tracing::warn!(most, "all connections are taken, so others wait");
                told = Some(Instant::now());
            }
            (stream, address, places.clone().acquire_owned().await)
        };
        let (stream, address, place) = tokio::select! {
            next = next => next,
            () = &mut asked_to_stop => break,
        };
        let (router, places) = (router.clone(), places.clone());
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(ConnectInfo(address));
            let (answered, places) = (router.clone().oneshot(request), places.clone());
            async move {
                let mut answer = answered.await?;
                if places.available_permits() == 0 {
                    let close = HeaderValue::from_static("close");
                    answer.headers_mut().insert(CONNECTION, close);
                }
                Ok::<_, Infallible>(answer)
            }
        });
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
    running.shutdown().await;
    Ok(())
}

/// Accepts a connection. If that fails, as without a free file, it tries again.
async fn accept(listener: &TcpListener) -> (TcpStream, SocketAddr) {
    loop {
        match listener.accept().await {
            Ok(accepted) => return accepted,
            Err(error) => tracing::error!(%error, "a connection was not accepted"),
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
