//! What one connection can make the service hold, for each route that answers with much. Needs
//! Linux.

use std::net::SocketAddr;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::bodies::peak;
use crate::server::{PASSWORD, Server, send, with_john};

/// A page, in JSON.
const PAGE: usize = 64 * 1024;

/// Asks, and reads the status alone.
async fn ask(address: SocketAddr, path: &str, token: &str) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    // Otherwise the system takes what the service should hold.
    socket.set_recv_buffer_size(4096).unwrap();
    let mut stream = socket.connect(address).await.unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut status = [0; 12];
    stream.read_exact(&mut status).await.unwrap();
    assert_eq!(&status, b"HTTP/1.1 200", "{path}");
    stream
}

async fn with_long_notes(server: &Server) -> String {
    let token = server.log_in("johndoe", PASSWORD, "").await.access_token();
    // Each character is six in JSON.
    let text = "\u{1}".repeat(10_000);
    for _ in 0..100 {
        let note = server.post("/notes").bearer_auth(&token).json(&json!({ "text": text }));
        send(note).await.assert_status(201);
    }
    token
}

#[tokio::test]
async fn readers_who_are_slow_take_little_memory() {
    let (_database, server) = with_john().await;
    let token = with_long_notes(&server).await;
    for path in ["/notes", "/notes/1", "/docs/swagger-ui-bundle.js", "/docs/", "/openapi.json"] {
        let before = peak(&server);
        let mut readers = Vec::new();
        for _ in 0..60 {
            readers.push(ask(server.address, path, &token).await);
        }
        let taken = peak(&server) - before;
        println!("{path}: {taken} KiB for {} connections", readers.len());
        // The database has as many pages at once as connections.
        assert!(taken < 60 * 256, "{path}: {taken} KiB");
    }
}

#[tokio::test]
async fn a_list_of_long_notes_has_more_pages() {
    let (_database, server) = with_john().await;
    let token = with_long_notes(&server).await;
    let small = server.post("/notes").bearer_auth(&token).json(&json!({ "text": "Milk" }));
    let small = send(small).await.json()["id"].clone();
    let (mut after, mut read) = (0, 0);
    loop {
        let page = send(server.get(&format!("/notes?after={after}")).bearer_auth(&token)).await;
        page.assert_status(200);
        assert!(page.text.len() <= PAGE, "{}", page.text.len());
        let notes = page.json();
        let Some(last) = notes.as_array().unwrap().last() else { break };
        after = last["id"].as_i64().unwrap();
        read += notes.as_array().unwrap().len();
    }
    assert_eq!((read, json!(after)), (101, small));
}
