//! Many streams on axum that end with their token: 1,000 over connections, each of which has to end
//! within a second of its time, and 10,000 in process, whose CPU time is measured. Here, time decides,
//! so nothing else should run on the machine. Needs Linux.
//!
//! ```sh
//! cargo run --release -p doorward-streams
//! ```

use std::collections::HashMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::time::{Duration, SystemTime};

use axum::body::Body;
use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::live::Live;
use doorward::testing::TestAuthority;
use doorward::verify::Verified;
use doorward::{Shared, http_bearer, secured};
use futures_util::{Stream, StreamExt, stream};
use http::Request;
use serde::Deserialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tower::ServiceExt;

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(verified = Claims)]
struct Api;

/// How often each stream asks.
#[derive(Clone, Copy)]
struct Every(Duration);

#[secured(Api)]
async fn events(live: Live, every: Shared<Every>) -> Body {
    Body::from_stream(live.every(every.0).around(ticks()))
}

/// Yields an event every half a second.
fn ticks() -> impl Stream<Item = Result<&'static str, Infallible>> + Send + 'static {
    stream::unfold((), async |()| {
        tokio::time::sleep(Duration::from_millis(500)).await;
        Some((Ok("data: tick\n\n"), ()))
    })
}

#[secured(Api)]
async fn silent(live: Live, every: Shared<Every>) -> Body {
    Body::from_stream(live.every(every.0).around(stream::pending::<Result<&str, Infallible>>()))
}

/// Creates the service. The tokens of a user are refused from the given time on.
async fn service(
    authority: &TestAuthority,
    refused: HashMap<String, SystemTime>,
    every: Duration,
) -> axum::Router {
    let tokens = authority.verifier().leeway(Duration::ZERO).remember(64 << 20);
    let tokens = tokens.refuse_if(move |claims: Verified<Claims>| {
        refused.get(&claims.sub).is_some_and(|from| *from <= SystemTime::now())
    });
    let tokens: TokenVerifier<Claims> = tokens.build().await.unwrap();
    Router::new()
        .route("/events", get(events))
        .route("/silent", get(silent))
        .extension(Shared::new(tokens))
        .extension(Shared::new(Every(every)))
        .into_inner()
}

fn seconds(time: SystemTime) -> f64 {
    time.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_secs_f64()
}

/// Reads a stream to its end. Returns how long after its time it ended, which is less than nothing if
/// it was too early.
async fn late(address: SocketAddr, token: String, time: SystemTime) -> f64 {
    let mut connection = TcpStream::connect(address).await.unwrap();
    let head = "GET /events HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer";
    connection.write_all(format!("{head} {token}\r\n\r\n").as_bytes()).await.unwrap();
    let mut answer = String::new();
    connection.read_to_string(&mut answer).await.unwrap();
    let ended = seconds(SystemTime::now());
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("tick"), "{answer}");
    ended - seconds(time)
}

async fn end_in_time() {
    const STREAMS: usize = 1000;
    rlimit::increase_nofile_limit(4096).unwrap();
    let authority = TestAuthority::new("api").unwrap();
    // All of them are open by then.
    let begin = SystemTime::now() + Duration::from_secs(20);
    let mut random = 63_u64;
    let mut time = || {
        // The generator of Knuth's MMIX.
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        begin + Duration::from_millis((random >> 33) % 20_000)
    };
    let (mut refused, mut streams) = (HashMap::new(), Vec::new());
    for number in 0..STREAMS {
        let (user, never) = (format!("user {number}"), begin + Duration::from_secs(3600));
        let (expires, from) = match number % 3 {
            0 => (time(), never),
            1 => (never, time()),
            _ => (time(), time()),
        };
        let token = authority.token(&*user).claim("exp", seconds(expires)).sign().unwrap();
        refused.insert(user, from);
        streams.push((token.as_str().to_owned(), expires.min(from)));
    }
    let app = service(&authority, refused, Duration::from_millis(500)).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, app).await });
    let streams = streams.into_iter().map(|(token, time)| tokio::spawn(late(address, token, time)));
    let mut late: Vec<f64> = Vec::new();
    for stream in streams.collect::<Vec<_>>() {
        late.push(stream.await.unwrap());
    }
    late.sort_by(f64::total_cmp);
    let (earliest, middle, latest) = (late[0], late[STREAMS / 2], late[STREAMS - 1]);
    println!(
        "{STREAMS} streams end {earliest:.3} to {latest:.3} s after their time, half of them within {middle:.3} s"
    );
    // A client that reads the clock of the same machine cannot be told before it happens.
    assert!(earliest >= 0.0, "{earliest}");
    assert!(latest <= 1.0, "{latest}");
}

/// The CPU time of this process.
fn cpu() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // Behind the name, which may have spaces: user and system time, in hundredths of a second.
    let fields = stat.rsplit_once(')').unwrap().1.split_whitespace();
    fields.skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap()).sum::<f64>() / 100.0
}

/// Opens silent streams, and returns the CPU time of a second in which all of them are open.
async fn cpu_of(streams: usize, every: Duration) -> f64 {
    const SECONDS: u64 = 20;
    let authority = TestAuthority::new("api").unwrap();
    let app = service(&authority, HashMap::new(), every).await;
    for number in 0..streams {
        let token = authority.token(format!("user {number}")).sign().unwrap();
        let request = Request::get("/silent")
            .header("authorization", format!("Bearer {}", token.as_str()))
            .body(Body::empty());
        let response = app.clone().oneshot(request.unwrap()).await.unwrap();
        assert_eq!(response.status(), 200);
        tokio::spawn(response.into_body().into_data_stream().for_each(async |_| {}));
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    let before = cpu();
    tokio::time::sleep(Duration::from_secs(SECONDS)).await;
    (cpu() - before) / Duration::from_secs(SECONDS).as_secs_f64()
}

async fn cost() {
    const STREAMS: usize = 10_000;
    let idle = cpu_of(STREAMS, Duration::from_secs(3600)).await;
    // Asked more often than by default, so that there is something to measure.
    let busy = cpu_of(STREAMS, Duration::from_secs(1)).await;
    let (question, second) = ((busy - idle) / 10_000.0, (busy - idle) / 30.0);
    println!(
        "{STREAMS} streams: {:.1} µs of CPU time a question, and {:.1} ms a second if each asks every 30 s",
        question * 1e6,
        second * 1e3,
    );
    assert!(second < 0.05, "{second}");
}

fn main() -> std::io::Result<()> {
    tokio::runtime::Runtime::new()?.block_on(end_in_time());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(cost());
    Ok(())
}
