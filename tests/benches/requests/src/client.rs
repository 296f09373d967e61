//! A client that is light: `client PORT FILE TOKENS SECONDS REQUESTS`.
//!
//! Asks for `/items` over a few kept connections of HTTP/1.1, with the first TOKENS of the FILE in
//! turn, for SECONDS and at least REQUESTS. Prints what it has measured in JSON. A response other
//! than `200` is an error.

use std::error::Error;
use std::fs::read_to_string;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{env, str};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

const CONNECTIONS: usize = 8;

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What all connections share.
struct Load {
    requests: Vec<String>,
    sent: AtomicUsize,
    at_least: usize,
    end: Instant,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let arguments: Vec<_> = env::args().skip(1).collect();
    let [port, file, tokens, seconds, at_least] = arguments.as_slice() else {
        return Err("client PORT FILE TOKENS SECONDS REQUESTS".into());
    };
    let port: u16 = port.parse()?;
    let file = read_to_string(file)?;
    let request = |token| {
        format!("GET /items HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n\r\n")
    };
    let start = Instant::now();
    let load = Arc::new(Load {
        requests: file.lines().take(tokens.parse()?).map(request).collect(),
        sent: AtomicUsize::new(0),
        at_least: at_least.parse()?,
        end: start + Duration::from_secs_f64(seconds.parse()?),
    });
    let mut connections = JoinSet::new();
    for _ in 0..CONNECTIONS {
        connections.spawn(connection(port, load.clone()));
    }
    let mut times = Vec::new();
    while let Some(done) = connections.join_next().await {
        times.extend(done??);
    }
    let seconds = start.elapsed().as_secs_f64();
    times.sort_unstable();
    let micros = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e6;
    println!(
        r#"{{"requests": {}, "seconds": {seconds}, "p50": {}, "p99": {}}}"#,
        times.len(),
        micros(50),
        micros(99)
    );
    Ok(())
}

/// Sends requests over one connection, and returns how long each response took.
async fn connection(port: u16, load: Arc<Load>) -> Result<Vec<Duration>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await?;
    stream.set_nodelay(true)?;
    let (mut times, mut buffer) = (Vec::new(), vec![0; 4096]);
    loop {
        let number = load.sent.fetch_add(1, Ordering::Relaxed);
        let now = Instant::now();
        if number >= load.at_least && now >= load.end {
            return Ok(times);
        }
        stream.write_all(load.requests[number % load.requests.len()].as_bytes()).await?;
        let mut read = 0;
        while !is_whole(&buffer[..read])? {
            match stream.read(&mut buffer[read..]).await? {
                0 => return Err("the server has closed the connection".into()),
                more => read += more,
            }
        }
        times.push(now.elapsed());
    }
}

/// Whether this is a whole response with the status `200`.
fn is_whole(response: &[u8]) -> Result<bool> {
    let response = str::from_utf8(response)?;
    let Some((head, body)) = response.split_once("\r\n\r\n") else {
        return Ok(false);
    };
    if !head.starts_with("HTTP/1.1 200 ") {
        return Err(format!("not a 200: {response}").into());
    }
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(": ")?;
        name.eq_ignore_ascii_case("content-length").then_some(value)
    });
    Ok(body.len() >= length.ok_or("no Content-Length")?.parse()?)
}
