//! Limits on clients: how many connect, how slow they are, and how long their bodies are.
//!
//! A connection takes a file descriptor and a buffer. A client that is slow or silent is cut off.
//! While the limit is reached, each response closes its connection, and the client that has taken
//! longest to send or to read gives way to the next one. Probes have places of their own.

use std::sync::{Arc, Mutex, MutexGuard, Once, PoisonError, Weak, atomic::Ordering::Relaxed};
use std::time::{Duration, Instant};
use std::{io, net::SocketAddr, pin::pin};

use axum::extract::{ConnectInfo, Request};
use axum::http::{HeaderValue, StatusCode, header::CONNECTION};
use axum::response::{IntoResponse, Response};
use axum::{BoxError, Extension, body::Body, middleware::Next, serve::Listener};
use doorward::{Shared, axum08::Router};
use futures_util::{TryStreamExt, future::ready, stream::once};
use http_body_util::{BodyExt, Limited};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::{server::graceful::GracefulShutdown, service::TowerToHyperService};
use tokio::sync::{Notify, Semaphore};
use tokio::{net::TcpListener, time::timeout};
use tokio_io_timeout::TimeoutStream;
use tower::{Layer, util::MapResponseLayer};

use crate::health::{Health, is_probe};

/// The maximum number of connections, if the system allows as many files.
const MAX_CONNECTIONS: u64 = 1000;
/// One of so many connections is kept for probes, which are served while all other requests wait.
const OF_PROBES: usize = 16;
/// Files for the database and the rest of the program.
const OTHER_FILES: u64 = 64;
/// How long a client may take to send the head of a request, counted from the end of the last one,
/// and how long it may not read while there is a response to write.
const PATIENCE: Duration = Duration::from_secs(10);
/// The maximum size of the head of a request.
const READ_AHEAD: usize = 32 * 1024;
/// The maximum size of a body.
const MAX_BODY: usize = 64 * 1024;
/// A request that takes longer gets a 408.
const TIMEOUT: Duration = Duration::from_secs(10);
/// How long running requests may take after the service was asked to stop.
const GRACE: Duration = Duration::from_secs(15);

/// A connection.
pub(crate) struct Turn {
    /// Since when the client is to send or to read something, unless the service is at work.
    of_client: Mutex<Option<Instant>>,
    /// The places of requests at which the service is at work.
    requests: Arc<Semaphore>,
    /// Ends the connection.
    cut: Notify,
}

impl Turn {
    /// A connection whose client is to send something.
    pub(crate) fn new(requests: Arc<Semaphore>) -> Self {
        Self { of_client: Mutex::new(Some(Instant::now())), requests, cut: Notify::new() }
    }

    fn of_client(&self) -> MutexGuard<'_, Option<Instant>> {
        self.of_client.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

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
    let max = usize::try_from(max).unwrap_or(1);
    let places = Arc::new(Semaphore::new(max));
    let requests = Arc::new(Semaphore::new(max - max / OF_PROBES));
    let mut turns: Vec<Weak<Turn>> = Vec::new();
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
            turns.retain(|turn| turn.strong_count() > 0);
            if places.available_permits() == 0 {
                warned.call_once(|| tracing::warn!(max, "all connections are taken"));
                let slow = turns.iter().filter_map(|turn| {
                    let turn = turn.upgrade()?;
                    let since = *turn.of_client();
                    Some((since?, turn))
                });
                if let Some((_, turn)) = slow.min_by_key(|(since, _)| *since) {
                    turn.cut.notify_one();
                }
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
        let turn = Arc::new(Turn::new(requests.clone()));
        turns.push(Arc::downgrade(&turn));
        let service = Extension(turn.clone()).layer(router.clone());
        let service = TowerToHyperService::new(Extension(ConnectInfo(address)).layer(service));
        let stream = TokioIo::new(Box::pin(stream));
        let connection = running.watch(http.serve_connection(stream, service));
        tokio::spawn(async move {
            let ended = tokio::select! {
                ended = connection => ended.map_err(BoxError::from),
                () = turn.cut.notified() => Err("another one took its place".into()),
            };
            if let Err(error) = ended {
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
/// port. The bytes before it are the client's. A probe comes without a proxy.
pub(crate) async fn client_address(is_behind_proxy: bool, mut request: Request) -> Request {
    static WARNED: Once = Once::new();
    let lines = request.headers().get_all("x-forwarded-for").iter();
    let line = lines.map(HeaderValue::as_bytes).next_back();
    if !is_behind_proxy && line.is_some() {
        WARNED
            .call_once(|| tracing::warn!("without `--behind-proxy`, `X-Forwarded-For` is ignored"));
    }
    if !is_behind_proxy || (line.is_none() && is_probe(&request)) {
        return request;
    }
    let last = line.and_then(|line| line.rsplit(|byte| *byte == b',').next());
    let last = str::from_utf8(last.unwrap_or_default()).unwrap_or_default().trim();
    let address = last.parse().map(|address| SocketAddr::new(address, 0)).or_else(|_| last.parse());
    match address {
        Ok(address) => drop(request.extensions_mut().insert(ConnectInfo(address))),
        Err(_) => tracing::error!("the proxy does not say who the client is"),
    }
    request
}

/// Reads a request, and waits until the service has a place for it. It may be cut until then, and
/// when its response is there.
pub(crate) async fn in_turn(
    Extension(turn): Extension<Arc<Turn>>,
    request: Request,
    next: Next,
) -> Response {
    *turn.of_client() = Some(Instant::now());
    let answered = timeout(TIMEOUT, async {
        let (head, body) = request.into_parts();
        let body = ready(body_in_one_piece(body).await);
        let request = Request::from_parts(head, Body::from_stream(once(body)));
        let _place = if is_probe(&request) { None } else { turn.requests.acquire().await.ok() };
        *turn.of_client() = None;
        next.run(request).await
    });
    let answered = answered.await;
    *turn.of_client() = Some(Instant::now());
    answered.unwrap_or_else(|_| StatusCode::REQUEST_TIMEOUT.into_response())
}

/// Copies the body of a request into one piece of memory. The handler gets the error, if it wants
/// the body.
///
/// hyper yields a body in pieces, each of which keeps the buffer that it was read into, and
/// [`Json`](axum::Json) keeps all pieces: 60 kB sent byte by byte would take 200 MB.
async fn body_in_one_piece(body: Body) -> Result<Vec<u8>, BoxError> {
    let mut pieces = Limited::new(body, MAX_BODY).into_data_stream();
    let mut whole = Vec::new();
    while let Some(piece) = pieces.try_next().await? {
        whole.extend_from_slice(&piece);
    }
    Ok(whole)
}
