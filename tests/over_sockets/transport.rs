//! Requests that no well-behaved client sends. Whatever happens to one, the server answers the
//! next.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};

use doorward_tests::client::{ask, exchange, post_chunks, post_form, send};
use serde_json::json;

use crate::Framework;

const FORM: &str = "Content-Type: application/x-www-form-urlencoded\r\n";

/// Each kind of form: its route, a good body, and a member of the answer.
const FORMS: [(&str, &str, &str); 3] = [
    ("/form", "username=j%C3%B6hn&password=a%2Bb&scope=items+me", "scopes"),
    ("/grant", "grant_type=refresh_token&client_id=web&refresh_token=a%2Bb", "grant"),
    ("/revoke", "client_id=web&client_secret=a%26b&token=a%2Bb", "client"),
];

fn assert_alive(address: SocketAddr) {
    let response = post_form(address, "/form", "username=a&password=b");
    assert_eq!((response.status, &response.json()["username"]), (200, &json!("a")));
}

/// Checks that a body gives the same form regardless of its chunks.
pub(crate) fn chunks(framework: &Framework) {
    let server = framework.start();
    for (path, body, member) in FORMS {
        let whole = post_form(server.address(), path, body);
        assert_eq!(whole.status, 200, "{}", whole.body);
        assert!(!whole.json()[member].is_null(), "{}", whole.body);
        for size in [1, 2, 7, body.len()] {
            let chunks = body.as_bytes().chunks(size);
            let chunks = chunks.map(|chunk| std::str::from_utf8(chunk).unwrap());
            let response = post_chunks(server.address(), path, chunks);
            assert_eq!((response.status, &response.body), (200, &whole.body), "{path} {size}");
        }
    }
}

/// Checks that a body in many small parts takes no more memory than a body in one piece.
pub(crate) fn memory(framework: &Framework) {
    let server = framework.start();
    let address = server.address();
    let start = "username=a&password=";
    let body = format!("{start}{}", "b".repeat(65_108 - start.len()));
    let answer = |stream: &mut TcpStream| {
        let mut response = String::new();
        stream.read_to_string(&mut response).unwrap();
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    };
    assert_eq!(post_form(address, "/form", &body).status, 200);
    let Some(before) = server.peak_memory() else {
        return;
    };
    let head = format!("POST /form HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n{FORM}");

    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_nodelay(true).unwrap();
    write!(stream, "{head}Content-Length: {}\r\n\r\n", body.len()).unwrap();
    for byte in body.as_bytes() {
        stream.write_all(&[*byte]).unwrap();
    }
    answer(&mut stream);

    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "{head}Transfer-Encoding: chunked\r\n\r\n").unwrap();
    let chunks = body.as_bytes().chunks(8).map(|chunk| {
        let chunk = std::str::from_utf8(chunk).unwrap();
        format!("{:x}\r\n{chunk}\r\n", chunk.len())
    });
    let chunks: String = chunks.collect();
    write!(stream, "{chunks}0\r\n\r\n").unwrap();
    answer(&mut stream);

    let more = server.peak_memory().unwrap().saturating_sub(before);
    assert!(more < 2 * 1024 * 1024, "{more}");
}

/// Checks that a body over the limit is refused: with its length, without it, and before it is
/// sent.
pub(crate) fn limits(framework: &Framework) {
    let server = framework.start();
    let address = server.address();
    for (path, start, _) in FORMS {
        let body = |length: usize| format!("{start}&x={}", "b".repeat(length - start.len() - 3));
        let limit = 64 * 1024;
        assert_eq!(post_form(address, path, &body(limit)).status, 200, "{path}");
        let chunked = post_chunks(address, path, [&*body(limit)]);
        assert_eq!(chunked.status, 200, "{path}");
        let announced = format!(
            "POST {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\
             Content-Length: 1000000000000\r\n{FORM}\r\n{start}"
        );
        for response in [
            post_form(address, path, &body(limit + 1)),
            post_chunks(address, path, [&*body(limit + 1)]),
            exchange(address, announced.as_bytes()).unwrap(),
        ] {
            assert_eq!(response.error(), (413, json!("invalid_request")), "{path}");
        }
    }
    assert_alive(address);
}

/// Sends requests that end early, repeat headers, or contain very many or very long parts.
pub(crate) fn hostile_requests(framework: &Framework) {
    let server = framework.start();
    let address = server.address();

    let length = format!("Content-Length: 40\r\n{FORM}\r\n");
    let chunked = format!("Transfer-Encoding: chunked\r\n{FORM}\r\n");
    for (path, body) in [
        ("/form", format!("{length}username=a&password=b")),
        ("/form", format!("{length}username=a")),
        ("/form", format!("{chunked}15\r\nusername=a&password=b\r\nzz\r\n")),
        ("/form", format!("{chunked}a\r\nusername=a\r\nzz\r\n")),
        ("/form", format!("{chunked}a\r\nusername=a\r\n")),
        ("/grant", format!("{length}grant_type=client_credentials")),
        ("/grant", format!("{chunked}1d\r\ngrant_type=client_credentials\r\n")),
        ("/revoke", format!("{length}token=t")),
        ("/revoke", format!("{chunked}7\r\ntoken=t\r\nzz\r\n")),
    ] {
        let cut = format!("POST {path} HTTP/1.1\r\nHost: a\r\n{body}");
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(cut.as_bytes()).unwrap();
        stream.shutdown(Shutdown::Write).unwrap();
        let mut response = String::new();
        // A server may close without an answer, but it never answers as if the body were complete.
        let _ = stream.read_to_string(&mut response);
        let is_incomplete =
            response.starts_with("HTTP/1.1 400 ") && response.contains("the body is incomplete");
        assert!(response.is_empty() || is_incomplete, "{body}: {response}");
        assert_alive(address);
    }

    let pairs = post_form(address, "/form", &"a=b&".repeat(16_000));
    assert_eq!(pairs.json()["error"], "invalid_request");
    let many = post_form(address, "/form", &"a=b&".repeat(100_000));
    assert_eq!(many.error(), (413, json!("invalid_request")));
    assert_alive(address);

    let twice = [("Authorization", "Bearer a"), ("Authorization", "Bearer b")];
    for (path, status) in [("/base", 401), ("/password", 401), ("/password-strict", 400)] {
        let response = ask(address, "GET", path, &twice);
        assert_eq!(response.status, status, "{path}");
    }

    let types =
        [("Content-Type", "text/plain"), ("Content-Type", "application/x-www-form-urlencoded")];
    let response = send(address, "POST", "/form", &types, b"username=a&password=b").unwrap();
    assert_eq!(response.error(), (400, json!("invalid_request")));

    let token = "t".repeat(60_000);
    let long = format!("Bearer {token}");
    let response = ask(address, "GET", "/password", &[("Authorization", &long)]);
    assert_eq!(response.seen(), (200, json!({ "credential": token })));
    assert_alive(address);
}
