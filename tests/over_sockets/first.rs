//! A check that waits, as one that asks a database does, comes before everything else: the other
//! parameters of the handler, and the body.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::thread;
use std::time::Duration;

use doorward_tests::client::{Response, exchange, receive};

use crate::{Exception, Framework};

/// The number of bytes that a server may have read when it refuses a request. The buffers of
/// actix-web hold 256 KiB.
const BUFFERS: u64 = 512 << 10;

/// The content type of a kind of body, and a body of that kind.
pub(crate) fn body_of(kind: &str) -> (&'static str, &'static str) {
    match kind {
        "json" => ("application/json", r#"{"number":1}"#),
        "form" => ("application/x-www-form-urlencoded", "number=1"),
        _ => ("application/x-www-form-urlencoded", "grant_type=password&username=a&password=b"),
    }
}

impl Framework {
    /// The ways to require the check, in the path of a route.
    fn ways(&self) -> &'static [&'static str] {
        match self.name {
            "hyper" | "warp" => &["parameter"],
            "rocket" => &["guard", "parameter", "value"],
            _ => &["guard", "parameter", "layer", "value"],
        }
    }

    pub(crate) fn routes(&self) -> impl Iterator<Item = (&'static str, String)> {
        let kinds: &[_] = match self.name {
            "rocket" => &["form", "password"],
            _ => &["json", "form", "password"],
        };
        kinds.iter().flat_map(|kind| {
            self.ways().iter().map(move |way| (*kind, format!("/first/{kind}/{way}")))
        })
    }
}

fn head(address: SocketAddr, target: &str, token: &str, content_type: &str) -> String {
    format!(
        "POST {target} HTTP/1.1\r\nHost: {address}\r\nAuthorization: Bearer {token}\r\n\
         Content-Type: {content_type}\r\n"
    )
}

fn assert_refused(response: &Response, request: &str) {
    assert_eq!(response.status, 401, "{request} {}", response.body);
    assert_eq!(
        response.header("www-authenticate"),
        [r#"Bearer error="invalid_token""#],
        "{request}"
    );
}

/// Each fault of a request is answered only to a caller who passes the check.
pub(crate) fn faults(framework: &Framework) {
    let server = framework.start();
    for (kind, route) in framework.routes() {
        let (content_type, body) = body_of(kind);
        for (target, content_type, body, is_good) in [
            ("/1?number=1", content_type, body, true),
            ("/x?number=1", content_type, body, false),
            ("/1?number=x", content_type, body, false),
            ("/1?number=1", "text/plain", body, false),
            ("/1?number=1", content_type, "{\"", false),
            ("/1?number=1", content_type, r#"{"number":"x"}"#, false),
            ("/1?number=1", content_type, "number=x&username=a&grant_type=b", false),
        ] {
            let ask = |token| {
                let head = head(server.address(), &format!("{route}{target}"), token, content_type);
                let length = body.len();
                let request =
                    format!("{head}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}");
                (exchange(server.address(), request.as_bytes()).unwrap(), request)
            };
            let (response, request) = ask("out:20");
            assert_refused(&response, &request);
            let (response, request) = ask("in:1");
            assert_eq!(response.status == 200, is_good, "{request} {}", response.status);
            assert_ne!(response.status, 401, "{request}");
        }
    }
}

/// A refusal waits for no body, reads none, and ends the connection if the rest of one may come.
pub(crate) fn bodies(framework: &Framework) {
    let server = framework.start();
    let address = server.address();
    for (kind, route) in framework.routes() {
        let (content_type, body) = body_of(kind);
        let head = |token| head(address, &format!("{route}/1?number=1"), token, content_type);
        // A body that drips. Rocket itself waits for 14 bytes.
        let drop = b"number=1&number=";
        let (mut stream, _) = send(address, &head("out:20"), "Content-Length: 9000", drop);
        assert_refused(&receive(&mut stream).unwrap(), &route);
        // A body over every limit.
        let long = vec![b'x'; 1_000_000];
        let (mut stream, _) = send(address, &head("out:20"), "Content-Length: 1000000", &long);
        let response = receive(&mut stream).unwrap();
        assert_refused(&response, &route);
        assert_eq!(response.header("connection"), ["close"], "{route}");
        // The caller waits for leave to send the body.
        let expects = "Content-Length: 1000000\r\nExpect: 100-continue";
        let (mut stream, _) = send(address, &head("out:20"), expects, b"");
        let mut first = [0; 12];
        stream.read_exact(&mut first).unwrap();
        let gets_leave = framework.has(&Exception::GivesLeaveFirst);
        let expected = if gets_leave { "HTTP/1.1 100" } else { "HTTP/1.1 401" };
        assert_eq!(String::from_utf8_lossy(&first), expected, "{route}");
        // Chunks without an end.
        let (mut stream, _) = send(address, &head("out:20"), "Transfer-Encoding: chunked", b"");
        let mut sender = stream.try_clone().unwrap();
        let sending = thread::spawn(move || {
            let chunk = [&b"10000\r\n"[..], &[b'x'; 0x10000], b"\r\n"].concat();
            // A server that reads on takes more than this.
            (0..200_000).any(|_| sender.write_all(&chunk).is_err())
        });
        let response = receive(&mut stream).unwrap();
        assert_refused(&response, &route);
        assert_eq!(response.header("connection"), ["close"], "{route}");
        assert!(sending.join().unwrap(), "the connection stays open: {route}");
        // A body that the check lets in.
        let length = format!("Content-Length: {}", body.len());
        let (mut stream, _) = send(address, &head("in:20"), &length, body.as_bytes());
        assert_eq!(receive(&mut stream).unwrap().status, 200, "{route}");
    }
}

/// While the check waits, the server takes no more of the body than its buffers hold.
pub(crate) fn unread(framework: &Framework) {
    let server = framework.start();
    let address = server.address();
    for (kind, route) in framework.routes() {
        let (content_type, _) = body_of(kind);
        let head = head(address, &format!("{route}/1?number=1"), "out:400", content_type);
        for length in ["Content-Length: 1048576", "Transfer-Encoding: chunked"] {
            let body = [&b"100000\r\n"[..], &[b'x'; 0x10_0000]].concat();
            let (mut stream, sent) = send(address, &head, length, &body);
            let mut most = 0;
            stream.set_read_timeout(Some(Duration::from_millis(20))).unwrap();
            loop {
                let taken = taken(&stream, sent);
                match stream.peek(&mut [0]) {
                    // What was read while the response was on its way does not count.
                    Err(error) if matches!(error.kind(), ErrorKind::WouldBlock) => {
                        most = most.max(taken);
                    }
                    _ => break,
                }
            }
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            assert_refused(&receive(&mut stream).unwrap(), &route);
            assert!(most < BUFFERS, "{route} {length}: {most} bytes were taken");
        }
    }
}

/// Sends a head, and as much of a body as the connection takes at once. Returns the number of bytes,
/// too.
fn send(address: SocketAddr, head: &str, length: &str, body: &[u8]) -> (TcpStream, u64) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let head = format!("{head}{length}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    stream.set_nonblocking(true).unwrap();
    let mut sent = head.len();
    for part in body.chunks(0x1000) {
        // A server that has refused the request may have closed the connection.
        let Ok(written) = stream.write(part) else { break };
        sent += written;
        if written < part.len() {
            break;
        }
    }
    stream.set_nonblocking(false).unwrap();
    (stream, sent as u64)
}

/// Returns how many of the bytes that a client has sent are in neither buffer of the system, so that
/// the server has them. The lesser of two answers holds: bytes that move from one buffer to the other
/// while the system writes its table are in neither, and the server never gives any back.
fn taken(stream: &TcpStream, sent: u64) -> u64 {
    let answers = [in_flight(stream), in_flight(stream)];
    answers
        .into_iter()
        .map(|bytes| bytes.map_or(0, |bytes| sent.saturating_sub(bytes)))
        .min()
        .unwrap()
}

/// Returns how many of the bytes that a client has sent lie in the buffers of the system, on the
/// client's side and on the server's, if the system's table has both sides.
fn in_flight(stream: &TcpStream) -> Option<u64> {
    let port = |address: SocketAddr| format!("{:04X}", address.port());
    // A connection that the server has ended has no other side.
    let (client, server) = (port(stream.local_addr().ok()?), port(stream.peer_addr().ok()?));
    // Only Linux has this table.
    let table = std::fs::read_to_string("/proc/net/tcp").ok()?;
    let (mut unsent, mut unread) = (None, None);
    for line in table.lines().skip(1) {
        let fields: Vec<_> = line.split_whitespace().collect();
        let ends = |address: &str, port: &str| address.ends_with(&format!(":{port}"));
        let (sending, receiving) = fields[4].split_once(':').unwrap();
        let hex = |number| u64::from_str_radix(number, 16).unwrap();
        if ends(fields[1], &client) && ends(fields[2], &server) {
            unsent = Some(hex(sending));
        } else if ends(fields[1], &server) && ends(fields[2], &client) {
            unread = Some(hex(receiving));
        }
    }
    Some(unsent? + unread?)
}
