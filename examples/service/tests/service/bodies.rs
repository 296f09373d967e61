//! A body takes about as much memory as it is long, however it is sent. Needs Linux.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread::sleep;
use std::time::Duration;

use crate::server::{Server, with_john};

/// Sends a part of a body that takes up what hyper has for its first reads.
fn begin(server: &Server, path: &str, media_type: &str) -> TcpStream {
    let mut stream = TcpStream::connect(server.address).unwrap();
    stream.set_nodelay(true).unwrap();
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nContent-Type: {media_type}\r\nContent-Length: 60000\r\nExpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let mut answer = [0; 25];
    stream.read_exact(&mut answer).unwrap();
    assert_eq!(&answer, b"HTTP/1.1 100 Continue\r\n\r\n");
    stream.write_all(&[b' '; 8100]).unwrap();
    stream
}

/// Returns the most memory that the program has had, in KiB.
pub(crate) fn peak(server: &Server) -> usize {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let mut lines = status.lines();
    let line = lines.find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().strip_suffix(" kB").unwrap().parse().unwrap()
}

#[tokio::test]
async fn a_body_that_is_sent_byte_by_byte_takes_little_memory() {
    let (_database, server) = with_john().await;
    for (path, media_type) in
        [("/accounts", "application/json"), ("/token", "application/x-www-form-urlencoded")]
    {
        let before = peak(&server);
        let begin = |_| begin(&server, path, media_type);
        let mut streams: Vec<_> = (0..40).map(begin).collect();
        for _ in 0..1000 {
            for stream in &mut streams {
                // On a slow machine, the service may have lost its patience.
                let _ = stream.write_all(b" ");
            }
            // So that the service reads each byte for itself.
            sleep(Duration::from_millis(1));
        }
        let taken = peak(&server) - before;
        assert!(taken < 32 * 1024, "{path}: {taken} KiB");
    }
}
