//! Streams that end when their token is refused, or when it expires.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::time::{Duration, SystemTime};

use doorward::testing::TestAuthority;
use doorward_tests::client::ask;
use serde_json::json;

use crate::{Exception, Framework};

/// Creates an authority, whose metadata and keys are served until the tests end.
fn issuer() -> TestAuthority {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let authority = TestAuthority::new("api").unwrap().with_issuer(&*issuer);
    let metadata = json!({ "issuer": issuer, "jwks_uri": format!("{issuer}/keys") }).to_string();
    let keys = authority.jwks().to_owned();
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let mut head = String::new();
            let mut bytes = [0; 1024];
            while !head.contains("\r\n\r\n") {
                let read = connection.read(&mut bytes).unwrap();
                head.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
            }
            let body = if head.starts_with("GET /keys ") { &keys } else { &metadata };
            write!(
                connection,
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\
                 Content-Length: {}\r\n\r\n{body}",
                body.len()
            )
            .unwrap();
        }
    });
    authority
}

/// Returns a token that expires after this many seconds.
fn token(authority: &TestAuthority, user: &str, seconds: f64) -> String {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs_f64();
    let token = authority.token(user).scopes(["me"]).claim("exp", now + seconds);
    token.sign().unwrap().as_str().to_owned()
}

/// Asks for a stream.
fn open(address: SocketAddr, token: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let head =
        "GET /live?every=50 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer";
    write!(stream, "{head} {token}\r\n\r\n").unwrap();
    stream
}

/// Waits for an event that comes from now on.
fn wait_for_event(stream: &mut TcpStream) {
    let (mut bytes, mut text) = ([0; 4096], String::new());
    stream.set_nonblocking(true).unwrap();
    loop {
        match stream.read(&mut bytes) {
            Ok(read) => assert_ne!(read, 0, "it has ended"),
            Err(error) if error.kind() == ErrorKind::WouldBlock => break,
            Err(error) => panic!("{error}"),
        }
    }
    stream.set_nonblocking(false).unwrap();
    while !text.contains("data: tick") {
        let read = stream.read(&mut bytes).unwrap();
        assert_ne!(read, 0, "it has ended: {text}");
        text.push_str(std::str::from_utf8(&bytes[..read]).unwrap());
    }
}

fn read_to_end(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    stream.read_to_string(&mut text).expect("it ends");
    text
}

/// Checks that a stream ends when its token is refused, when it expires, and when nothing is known
/// of it for too long, and that others go on.
pub(crate) fn end(framework: &Framework) {
    if framework.has(&Exception::HasNoHandlers) {
        return;
    }
    let authority = issuer();
    let options = ["--issuer", authority.issuer(), "--audience", "api", "--leeway", "0"];
    let server = framework.start_with(&options);
    let address = server.address();
    let say = |word: &str, user: &str| ask(address, "POST", &format!("/live/{word}/{user}"), &[]);
    let mut other = open(address, &token(&authority, "other", 3600.0));
    wait_for_event(&mut other);

    for word in ["lock", "unknown"] {
        let of_user = token(&authority, word, 3600.0);
        let mut stream = open(address, &of_user);
        wait_for_event(&mut stream);
        assert_eq!(say(word, word).status, 204);
        read_to_end(&mut stream);
        let refused = read_to_end(&mut open(address, &of_user));
        let status = if word == "lock" { "HTTP/1.1 401" } else { "HTTP/1.1 503" };
        assert!(refused.starts_with(status), "{refused}");
        assert_eq!(say("unlock", word).status, 204);
        wait_for_event(&mut open(address, &of_user));
    }

    // On a busy machine, a token may have expired before the server reads it.
    let mut expired = [1.0, 5.0, 25.0]
        .iter()
        .map(|seconds| read_to_end(&mut open(address, &token(&authority, "brief", *seconds))));
    assert!(expired.any(|text| text.starts_with("HTTP/1.1 200") && text.contains("data: tick")));

    assert_eq!(say("wait", "other").status, 404);
    wait_for_event(&mut other);
}
