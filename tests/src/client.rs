//! An HTTP/1.1 client that sends headers and bodies byte for byte, even those that ordinary clients
//! refuse to send.

use std::io::{Error, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// A response as received.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    head: String,
    /// The body as text.
    pub body: String,
}

impl Response {
    /// Returns the values of a header, in order.
    #[must_use]
    pub fn header(&self, name: &str) -> Vec<&str> {
        let lines = self.lines();
        lines
            .filter(|(found, _)| found.eq_ignore_ascii_case(name))
            .map(|(_, value)| value)
            .collect()
    }

    /// Returns the lines of the header.
    pub fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let lines = self.head.lines().skip(1);
        lines.filter_map(|line| Some((line.split_once(':')?.0, line.split_once(':')?.1.trim())))
    }

    /// Returns the status and the body as JSON.
    #[must_use]
    pub fn seen(&self) -> (u16, Value) {
        (self.status, self.json())
    }

    /// Returns the status and the code of the error.
    #[must_use]
    pub fn error(&self) -> (u16, Value) {
        (self.status, self.json()["error"].take())
    }

    /// Returns the body as JSON, or `null` if it is not JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }
}

/// Sends a request and returns the response. A body is sent with its length. `Host` and
/// `Connection` are added unless they are among the headers.
///
/// # Errors
///
/// Returns an error if the connection fails or the answer is not a response.
pub fn send(
    address: SocketAddr,
    method: &str,
    path: &str,
    headers: &[(impl AsRef<str>, impl AsRef<[u8]>)],
    body: &[u8],
) -> Result<Response, Error> {
    let mut request = format!("{method} {path} HTTP/1.1\r\n").into_bytes();
    let names = headers.iter().map(|(name, _)| name.as_ref());
    let has = |wanted: &str| names.clone().any(|name| name.eq_ignore_ascii_case(wanted));
    if !has("host") {
        request.extend(format!("Host: {address}\r\n").into_bytes());
    }
    if !has("connection") {
        request.extend(b"Connection: close\r\n");
    }
    for (name, value) in headers {
        request.extend([name.as_ref().as_bytes(), b": ", value.as_ref(), b"\r\n"].concat());
    }
    if method != "GET" {
        request.extend(format!("Content-Length: {}\r\n", body.len()).into_bytes());
    }
    request.extend(b"\r\n");
    request.extend(body);
    exchange(address, &request)
}

/// Sends a request without a body and returns the response.
///
/// # Panics
///
/// Panics if the connection fails or the answer is not a response.
#[must_use]
pub fn ask(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)]) -> Response {
    send(address, method, path, headers, b"").expect("a response")
}

/// Sends a form and returns the response.
///
/// # Panics
///
/// Same as [`ask`].
#[must_use]
pub fn post_form(address: SocketAddr, path: &str, body: &str) -> Response {
    let form = [("Content-Type", "application/x-www-form-urlencoded")];
    send(address, "POST", path, &form, body.as_bytes()).expect("a response")
}

/// Sends a form in chunks, so its length is not known in advance.
///
/// # Panics
///
/// Same as [`ask`].
pub fn post_chunks<'c>(
    address: SocketAddr,
    path: &str,
    chunks: impl IntoIterator<Item = &'c str>,
) -> Response {
    let mut request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\
         Content-Type: application/x-www-form-urlencoded\r\n\r\n"
    );
    for chunk in chunks {
        request += &format!("{:x}\r\n{chunk}\r\n", chunk.len());
    }
    exchange(address, format!("{request}0\r\n\r\n").as_bytes()).expect("a response")
}

/// Sends raw bytes and returns the response.
///
/// # Errors
///
/// Same as [`send`].
pub fn exchange(address: SocketAddr, request: &[u8]) -> Result<Response, Error> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(Duration::from_secs(60)))?;
    // A server that refuses a body may answer and close before it has read the body.
    let _ = stream.write_all(request);
    receive(&mut stream)
}

/// Receives one response, and leaves the connection open.
///
/// # Errors
///
/// Returns an error if the connection fails or ends without a response.
pub fn receive(stream: &mut TcpStream) -> Result<Response, Error> {
    let (mut bytes, mut chunk) = (Vec::new(), [0; 4096]);
    loop {
        let read = stream.read(&mut chunk)?;
        bytes.extend_from_slice(&chunk[..read]);
        let response = parse(&bytes);
        // A server that has refused a body may still wait for the rest of it.
        let is_whole = response.as_ref().is_some_and(|response| {
            let length = response.header("content-length");
            length.first().and_then(|length| length.parse().ok()) == Some(response.body.len())
        });
        if read == 0 || is_whole {
            return response.ok_or_else(|| Error::other("no response"));
        }
    }
}

fn parse(bytes: &[u8]) -> Option<Response> {
    let response = String::from_utf8_lossy(bytes);
    let (head, body) = response.split_once("\r\n\r\n")?;
    Some(Response {
        status: head.split(' ').nth(1)?.parse().ok()?,
        head: head.to_owned(),
        body: body.to_owned(),
    })
}
