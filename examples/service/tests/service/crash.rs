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

use crate::server::{PASSWORD, Server, try_send, with_john};

/// The refresh tokens that one client has received.
struct Chain {
    /// The tokens whose refresh was answered.
    spent: Vec<String>,
    /// The newest one. Whether the server has spent it, the client cannot know.
    last: String,
}

/// Refreshes until the server is gone.
async fn refresh_on(server: Arc<Server>, mut last: String, done: Arc<AtomicUsize>) -> Chain {
    let mut spent = Vec::new();
    loop {
        let form =
            [("grant_type", "refresh_token"), ("client_id", "web"), ("refresh_token", &last)];
        let Ok(answer) = try_send(server.post("/token").form(&form)).await else {
            return Chain { spent, last };
        };
        answer.assert_status(200);
        spent.push(std::mem::replace(&mut last, answer.refresh_token()));
        done.fetch_add(1, Ordering::Relaxed);
    }
}

/// Adds notes until the server is gone, and returns those that were answered.
async fn write_on(server: Arc<Server>, token: String, writer: usize) -> Vec<String> {
    let mut notes = Vec::new();
    loop {
        let text = format!("{writer}-{}", notes.len());
        let note = server.post("/notes").bearer_auth(&token).json(&json!({ "text": text }));
        let Ok(answer) = try_send(note).await else {
            return notes;
        };
        answer.assert_status(201);
        notes.push(text);
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
        let done = Arc::new(AtomicUsize::new(0));
        let (mut refreshing, mut writing) = (JoinSet::new(), JoinSet::new());
        let shared = Arc::new(server);
        for number in 0..4 {
            let login = shared.log_in("johndoe", PASSWORD, "").await;
            let writer = round * 4 + number;
            writing.spawn(write_on(shared.clone(), login.access_token(), writer));
            refreshing.spawn(refresh_on(shared.clone(), login.refresh_token(), done.clone()));
        }
        while done.load(Ordering::Relaxed) < 200 {
            tokio::task::yield_now().await;
        }
        shared.signal("-KILL");
        let chains = refreshing.join_all().await;
        let notes: HashSet<_> = writing.join_all().await.into_iter().flatten().collect();
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

        for Chain { spent, last } in chains {
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
