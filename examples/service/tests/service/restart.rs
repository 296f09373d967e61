//! A restart loses nothing.

use crate::server::{Database, PASSWORD, Server, send, with_john};

#[tokio::test]
async fn accounts_notes_tokens_and_the_key_outlive_the_server() {
    let (database, server) = with_john().await;
    let first = server.first_secrets();
    let login = server.log_in("johndoe", PASSWORD, "").await;
    let note = serde_json::json!({ "text": "Milk" });
    let note = server.post("/notes").bearer_auth(login.access_token()).json(&note);
    send(note).await.assert_status(201);
    let keys = send(server.get("/.well-known/jwks.json")).await.text;
    server.kill();

    let mut server = Server::restart(&database);
    assert_eq!(send(server.get("/.well-known/jwks.json")).await.text, keys);
    let notes = send(server.get("/notes").bearer_auth(login.access_token())).await;
    assert_eq!(notes.json()[0]["text"], "Milk");
    server.refresh(&login.refresh_token(), "").await.assert_status(200);
    server.refresh(&login.refresh_token(), "").await.assert_error(400, "invalid_grant");
    server.log_in("johndoe", PASSWORD, "").await.assert_status(200);
    server.log_in("admin", &first.admin, "").await.assert_status(200);
    send(server.post("/purge").header("x-api-key", &first.key)).await.assert_status(204);

    // A secret is shown by the first start alone.
    server.terminate();
    let (is_success, (printed, _)) = server.wait();
    assert!(is_success);
    assert_eq!(printed.lines().count(), 3, "{printed}");
}

#[cfg(unix)]
#[test]
fn nobody_else_can_read_the_database() {
    use std::os::unix::fs::PermissionsExt;
    let database = Database::new();
    let _server = Server::start(&database);
    let folder = std::fs::read_dir(database.folder()).unwrap();
    for file in folder {
        let file = file.unwrap();
        let mode = file.metadata().unwrap().permissions().mode();
        assert_eq!(mode & 0o77, 0, "{file:?}");
    }
}
