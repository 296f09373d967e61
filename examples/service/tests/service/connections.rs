//! Clients that are slow, or only connected, keep nobody out.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::thread::{scope, sleep};
use std::time::{Duration, Instant};

use crate::server::{Database, PASSWORD, Server, program, send};

/// Far more than the service allows. Only a test that fails waits for its end.
const FOR_EVER: Duration = Duration::from_secs(90);

/// The places that 128 files leave for connections.
const PLACES: usize = 64;

const JWKS: &str = "GET /.well-known/jwks.json HTTP/1.1\r\nHost: x\r\n\r\n";

/// Starts the service where the system allows 128 files.
fn with_few_files(database: &Database) -> Server {
    let program = program(database);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", r#"ulimit -n 128 && exec "$0" "$@""#])
        .arg(program.get_program())
        .args(program.get_args())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Server::start_as(&mut shell, 7)
}

fn connect(server: &Server) -> TcpStream {
    let stream = TcpStream::connect(server.address).unwrap();
    stream.set_read_timeout(Some(FOR_EVER)).unwrap();
    stream.set_write_timeout(Some(FOR_EVER)).unwrap();
    stream
}

/// Sends a byte now and then until the server has closed the connection.
fn trickle(stream: &mut TcpStream) {
    let started = Instant::now();
    while stream.write_all(b"x").is_ok() {
        assert!(started.elapsed() < FOR_EVER, "the connection is still open");
        sleep(Duration::from_millis(100));
    }
}

/// Returns what the server sends until it closes the connection.
fn until_closed(stream: &mut TcpStream) -> Result<String, Error> {
    let mut text = String::new();
    stream.read_to_string(&mut text).map(|_| text)
}

/// Sends a request on a connection, and returns the head of the answer.
fn ask(stream: &mut TcpStream) -> String {
    stream.write_all(JWKS.as_bytes()).unwrap();
    let mut read = [0; 4096];
    let mut answer = String::new();
    while !answer.ends_with("}]}") {
        let length = stream.read(&mut read).unwrap();
        assert_ne!(length, 0, "{answer}");
        answer += str::from_utf8(&read[..length]).unwrap();
    }
    let (head, _) = answer.split_once("\r\n\r\n").unwrap();
    head.to_lowercase()
}

#[tokio::test]
async fn idle_connections_keep_nobody_out() {
    let database = Database::new();
    let server = with_few_files(&database);
    let idle: Vec<_> = (0..120).map(|_| connect(&server)).collect();
    let registered = server.register("johndoe", PASSWORD);
    let registered = tokio::time::timeout(FOR_EVER, registered).await;
    registered.unwrap().assert_status(201);
    drop(idle);
    let (_, log) = server.kill();
    let warnings = log.matches("all connections are taken");
    // Not a line for each.
    assert_eq!(warnings.count(), 1, "{log}");
}

#[test]
fn busy_connections_are_closed_while_all_places_are_taken() {
    let database = Database::new();
    let server = with_few_files(&database);
    let mut kept = Vec::new();
    for _ in 1..PLACES {
        let mut stream = connect(&server);
        let head = ask(&mut stream);
        assert!(!head.contains("connection:"), "{head}");
        kept.push(stream);
    }
    let mut last = connect(&server);
    let head = ask(&mut last);
    assert!(head.contains("connection: close"), "{head}");
    assert_eq!(until_closed(&mut last).unwrap(), "");
}

/// Begins a request whose body never ends.
fn begin(server: &Server) -> TcpStream {
    let mut slow = connect(server);
    let head = "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{";
    slow.write_all(head.as_bytes()).unwrap();
    slow
}

/// Returns what has come on a connection so far, or `None` if it is open and silent.
fn so_far(stream: &TcpStream) -> Option<String> {
    stream.set_nonblocking(true).unwrap();
    let mut read = [0; 12];
    match stream.peek(&mut read) {
        Ok(length) => Some(String::from_utf8_lossy(&read[..length]).into_owned()),
        Err(error) if error.kind() == ErrorKind::WouldBlock => None,
        Err(_) => Some(String::new()),
    }
}

/// Checks that as many connections were cut without an answer as others needed places. On a machine
/// that is too busy, some have run out of time before that, and were answered.
fn assert_cut(all: &[TcpStream], is_in_time: bool) {
    let ended: Vec<_> = all.iter().map(so_far).collect();
    let answered = ended.iter().flatten().filter(|answer| !answer.is_empty()).count();
    let cut = ended.iter().flatten().count() - answered;
    assert!(cut > 0, "{ended:?}");
    if is_in_time {
        assert_eq!(answered, 0, "{ended:?}");
        assert!((20..=30).contains(&cut), "{ended:?}");
    }
}

#[tokio::test]
async fn slow_bodies_give_way() {
    let database = Database::new();
    let server = with_few_files(&database);
    let started = Instant::now();
    let slow: Vec<_> = (0..PLACES + 20).map(|_| begin(&server)).collect();
    for path in ["/livez", "/readyz", "/.well-known/jwks.json", "/openapi.json"] {
        send(server.get(path)).await.assert_status(200);
    }
    assert_cut(&slow, started.elapsed() < Duration::from_secs(8));
}

#[tokio::test]
async fn probes_are_served_while_all_places_are_at_work() {
    let database = Database::new();
    let server = with_few_files(&database);
    server.register("johndoe", PASSWORD).await.assert_status(201);
    let token = server.log_in("johndoe", PASSWORD, "").await.access_token();
    let mut opened = database.open().await;
    let lock = if database.is_postgres() { "BEGIN; LOCK TABLE notes" } else { "BEGIN IMMEDIATE" };
    sqlx::raw_sql(lock).execute(&mut opened).await.unwrap();
    let request = format!(
        "POST /notes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: 15\r\n\r\n{{\"text\":\"Milk\"}}"
    );
    let started = Instant::now();
    let mut waiting = Vec::new();
    for _ in 0..PLACES + 20 {
        let mut stream = connect(&server);
        stream.write_all(request.as_bytes()).unwrap();
        waiting.push(stream);
    }
    send(server.get("/livez")).await.assert_status(200);
    assert_cut(&waiting, started.elapsed() < Duration::from_secs(4));
    sqlx::raw_sql("ROLLBACK").execute(&mut opened).await.unwrap();
}

#[test]
fn slow_clients_are_cut() {
    let database = Database::new();
    let server = Server::start(&database);
    scope(|scope| {
        scope.spawn(|| {
            // It sends nothing.
            assert_eq!(until_closed(&mut connect(&server)).unwrap(), "");
        });
        scope.spawn(|| {
            let mut half = connect(&server);
            half.write_all(b"GET / HTTP/1.1\r\nx: ").unwrap();
            trickle(&mut half);
        });
        scope.spawn(|| {
            let mut kept = connect(&server);
            ask(&mut kept);
            assert_eq!(until_closed(&mut kept).unwrap(), "");
        });
        scope.spawn(|| {
            let mut body = connect(&server);
            let head = "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n";
            body.write_all(head.as_bytes()).unwrap();
            let mut writer = body.try_clone().unwrap();
            scope.spawn(move || trickle(&mut writer));
            let mut answer = [0; 12];
            body.read_exact(&mut answer).unwrap();
            assert_eq!(&answer, b"HTTP/1.1 408");
        });
        scope.spawn(|| {
            // It takes no answer. Together they are more than the system keeps for a connection.
            let mut deaf = connect(&server);
            let request = "GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: x\r\n\r\n";
            deaf.write_all(request.repeat(100).as_bytes()).unwrap();
            trickle(&mut deaf);
        });
    });
    let (_, log) = server.kill();
    assert!(log.contains("a connection was cut"), "{log}");
}
