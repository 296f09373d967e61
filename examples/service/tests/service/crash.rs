//! The program is killed in the middle of its work, and started again.
//!
//! Clients know what they were answered. Whatever that was, the database knows the same.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest, Sha256};
use sqlx::AnyConnection;
use tokio::task::JoinSet;

use crate::server::{Answer, PASSWORD, Server, try_send, with_john};

/// What one client was answered.
struct Client {
    /// The refresh tokens whose refresh was answered.
    spent: Vec<String>,
    /// The newest refresh token. Whether the server has spent it, the client cannot know.
    last: String,
    /// The notes that the server has taken.
    notes: Vec<String>,
}

/// Refreshes and adds a note, in turn, until the server is gone.
///
/// In turn, because an account has room for 1,000 notes: the number of refreshes bounds them.
async fn work_on(
    server: Arc<Server>,
    login: Answer,
    number: usize,
    refreshed: Arc<AtomicUsize>,
) -> Client {
    let token = login.access_token();
    let mut client = Client { spent: Vec::new(), last: login.refresh_token(), notes: Vec::new() };
    loop {
        let form = [
            ("grant_type", "refresh_token"),
            ("client_id", "web"),
            ("refresh_token", client.last.as_str()),
        ];
        let Ok(answer) = try_send(server.post("/token").form(&form)).await else {
            return client;
        };
        answer.assert_status(200);
        client.spent.push(std::mem::replace(&mut client.last, answer.refresh_token()));
        refreshed.fetch_add(1, Ordering::Relaxed);

        let text = format!("{number}-{}", client.notes.len());
        let note = server.post("/notes").bearer_auth(&token).json(&json!({ "text": text }));
        let Ok(answer) = try_send(note).await else {
            return client;
        };
        answer.assert_status(201);
        client.notes.push(text);
    }
}

/// Says whether a token is spent, or `None` if its login has ended.
async fn is_spent(database: &mut AnyConnection, token: &str) -> Option<bool> {
    let hash = |part: &str| URL_SAFE_NO_PAD.encode(Sha256::digest(part));
    let (first, second) = token.split_once('.').unwrap();
    let query = sqlx::query_scalar("SELECT token_hash FROM logins WHERE id = $1");
    let query = query.bind(hash(first)).fetch_optional(database);
    let found: Option<String> = query.await.unwrap();
    found.map(|found| found != hash(second))
}

#[tokio::test]
async fn a_server_that_is_killed_forgets_nothing_that_it_has_answered() {
    let (database, mut server) = with_john().await;
    for round in 0..3 {
        let refreshed = Arc::new(AtomicUsize::new(0));
        let mut working = JoinSet::new();
        let shared = Arc::new(server);
        for number in 0..8 {
            let login = shared.log_in("johndoe", PASSWORD, "").await;
            working.spawn(work_on(shared.clone(), login, round * 8 + number, refreshed.clone()));
        }
        while refreshed.load(Ordering::Relaxed) < 200 {
            tokio::task::yield_now().await;
        }
        shared.signal("-KILL");
        let clients = working.join_all().await;
        let notes: HashSet<_> = clients.iter().flat_map(|client| client.notes.clone()).collect();
        drop(shared);

        server = Server::restart(&database);
        let mut opened = database.open().await;
        if !database.is_postgres() {
            let check: String = database.value("PRAGMA integrity_check").await;
            assert_eq!(check, "ok");
            let strays = sqlx::query("PRAGMA foreign_key_check").fetch_all(&mut opened);
            assert!(strays.await.unwrap().is_empty());
        }
        let kept = sqlx::query_scalar("SELECT text FROM notes").fetch_all(&mut opened);
        let kept: HashSet<String> = kept.await.unwrap().into_iter().collect();
        assert!(notes.is_subset(&kept), "{:?}", notes.difference(&kept));

        for Client { spent, last, .. } in clients {
            for token in &spent {
                assert_eq!(is_spent(&mut opened, token).await, Some(true));
            }
            let was_spent =
                is_spent(&mut opened, &last).await.expect("it was answered, so it was stored");
            let answer = server.refresh(&last, "").await;
            if was_spent {
                // The answer was lost with the server: the client comes again, and logs in again.
                answer.assert_error(400, "invalid_grant");
            } else {
                // Nothing was lost: the client goes on, until somebody sends an old token.
                answer.assert_status(200);
                let next = server.refresh(&answer.refresh_token(), "").await;
                server.refresh(&last, "").await.assert_error(400, "invalid_grant");
                server.refresh(&next.refresh_token(), "").await.assert_error(400, "invalid_grant");
            }
            for token in spent.iter().chain([&last]) {
                assert_eq!(is_spent(&mut opened, token).await, None);
            }
        }
    }
}
