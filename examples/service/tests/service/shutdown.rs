//! A service that is asked to stop finishes what it has begun.

use std::io::{Error, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use crate::server::{Database, Server};

#[tokio::test]
async fn a_running_request_is_finished() {
    for signal in ["-TERM", "-INT"] {
        let database = Database::new();
        let mut server = Server::start(&database);
        let body = r#"{"username":"johndoe","password":"correct horse"}"#;
        let (begin, end) = body.split_at(20);
        let mut running = TcpStream::connect(server.address).unwrap();
        let head = format!(
            "POST /accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        running.write_all(head.as_bytes()).unwrap();
        // The handler has begun when it asks for the body.
        let mut answer = [0; 25];
        running.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
        running.write_all(begin.as_bytes()).unwrap();

        server.signal(signal);
        // Nobody else gets in any more.
        let is_refused = |error: Error| error.kind() == ErrorKind::ConnectionRefused;
        while !TcpStream::connect(server.address).is_err_and(is_refused) {
            sleep(Duration::from_millis(10));
        }
        running.write_all(end.as_bytes()).unwrap();
        let mut answer = String::new();
        running.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 201 Created\r\n"), "{answer}");
        let (is_success, (_, log)) = server.wait();
        assert!(is_success, "{log}");
        let sql = "SELECT count(*) FROM accounts WHERE name = 'johndoe'";
        let count: i64 = database.value(sql).await;
        assert_eq!(count, 1);
    }
}
