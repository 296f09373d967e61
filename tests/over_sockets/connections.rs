//! Requests on a connection that is kept, as proxies keep theirs. A proxy sends the next request of
//! anybody there.

use std::io::Write;
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use doorward_tests::client::{Response, receive};

use crate::Framework;

const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

/// Sends a head and a body, and then another request unless the response to the first says that the
/// connection is closed. Returns the response, and whether it says so.
fn exchange(address: SocketAddr, head: &str, body: &[u8]) -> (Response, bool) {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    write!(stream, "{head}\r\n").unwrap();
    // The server may answer and close before it has read the body.
    let _ = stream.write_all(body);
    let response = receive(&mut stream).unwrap();
    let closes = response.header("connection").contains(&"close");
    if !closes {
        write!(stream, "GET /base-optional HTTP/1.1\r\nHost: {address}\r\n\r\n")
            .unwrap_or_else(|error| panic!("closed without notice: {head} {error}"));
        let next = receive(&mut stream)
            .unwrap_or_else(|error| panic!("closed without notice: {head} {error}"));
        assert_eq!(next.status, 200, "{head}");
    }
    (response, closes)
}

/// Checks that a refusal of a request says that the connection is closed, or the next request is
/// answered.
pub(crate) fn unread_bodies(framework: &Framework) {
    let server = framework.start();
    let address = server.address();
    let long = vec![b'x'; 1_000_000];
    let chunked = [b"f4240\r\n", &*long, b"\r\n0\r\n\r\n"].concat();
    for (method, path, headers, status) in [
        // Refused by a scheme: by its extractor, in a chain, and in an alternative.
        ("POST", "/http-bearer", "", 401),
        ("GET", "/own", "", 401),
        ("GET", "/one-of-required", "", 401),
        // Refused by a dependency.
        ("GET", "/own", "Authorization: Bearer mallory\r\n", 403),
        // Not a form, and a form over its limit.
        ("POST", "/form", "", 400),
        ("POST", "/form", FORM, 413),
        ("POST", "/grant", "", 400),
        ("POST", "/revoke", FORM, 413),
        ("POST", "/client", FORM, 413),
    ] {
        let head = format!("{method} {path} HTTP/1.1\r\nHost: {address}\r\n{headers}");
        for (length, body) in
            [("Content-Length: 1000000\r\n", &long), ("Transfer-Encoding: chunked\r\n", &chunked)]
        {
            let (response, _) = exchange(address, &format!("{head}{length}"), body);
            assert_eq!(response.status, status, "{head}{length}");
        }
        // Without a body, the connection is kept.
        let empty = if method == "GET" { "" } else { "Content-Length: 0\r\n" };
        let (response, closes) = exchange(address, &format!("{head}{empty}"), b"");
        assert!(!closes, "{head}{}", response.body);
        assert!(response.header("connection").is_empty(), "{head}");
    }
    // A form that was read to its end leaves nothing behind.
    for body in ["username=a&password=b", "username=a"] {
        let length = body.len();
        let head =
            format!("POST /form HTTP/1.1\r\nHost: {address}\r\n{FORM}Content-Length: {length}\r\n");
        assert!(!exchange(address, &head, body.as_bytes()).1, "{body}");
    }
}

/// What a server does with a connection after it has answered a request whose body nobody has read.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Unread {
    /// It answers the next request.
    Kept,
    /// It says that it closes the connection.
    SaysSo,
    /// It closes the connection, and does not say so.
    Silent,
}

/// Measures what the server does by itself, at a path that no route has: 28 bytes, 4 KiB and an empty
/// body in chunks, all of which come together with the head, and 1 MB. What it does with 28 bytes that
/// come later depends on who is first.
pub(crate) fn without_us(framework: &Framework) {
    let server = framework.start();
    let address = server.address();
    let long = "x".repeat(1_000_000);
    let measured = [
        ("Content-Length: 28", &long[..28]),
        ("Content-Length: 4096", &long[..4096]),
        ("Transfer-Encoding: chunked", "0\r\n\r\n"),
        ("Content-Length: 1000000", &long),
    ]
    .map(|(line, body)| {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let head = format!("POST /nowhere HTTP/1.1\r\nHost: {address}\r\n{line}\r\n\r\n{body}");
        // The server may answer and close before it has read the body.
        let _ = stream.write_all(head.as_bytes());
        let response = receive(&mut stream).unwrap();
        if response.header("connection").contains(&"close") {
            return Unread::SaysSo;
        }
        let _ = write!(stream, "GET /base-optional HTTP/1.1\r\nHost: {address}\r\n\r\n");
        match receive(&mut stream) {
            Ok(next) if next.status == 200 => Unread::Kept,
            _ => Unread::Silent,
        }
    });
    assert_eq!(measured, framework.unread);
}
