//! Refresh tokens: each is good once, and a family ends as a whole.

use tokio::task::JoinSet;

use crate::server::{Answer, PASSWORD, send, with_john};

#[tokio::test]
async fn a_spent_token_ends_its_family_and_no_other() {
    let (_database, server) = with_john().await;
    let first = server.log_in("johndoe", PASSWORD, "").await;
    let other = server.log_in("johndoe", PASSWORD, "").await;
    let second = server.refresh(&first.refresh_token(), "").await;
    let third = server.refresh(&second.refresh_token(), "").await;
    third.assert_status(200);

    // The first one is used again: the third, which was good, is worth nothing.
    for spent in [&first, &third, &second] {
        server.refresh(&spent.refresh_token(), "").await.assert_error(400, "invalid_grant");
    }
    server.refresh(&other.refresh_token(), "").await.assert_status(200);
    // So is what was signed for it, at once.
    for (login, status) in [(&third, 401), (&other, 200)] {
        let notes = server.get("/notes").bearer_auth(login.access_token());
        send(notes).await.assert_status(status);
    }
}

#[tokio::test]
async fn of_fifty_at_once_one_wins_and_the_family_ends() {
    let (database, server) = with_john().await;
    for _ in 0..5 {
        let token = server.log_in("johndoe", PASSWORD, "").await.refresh_token();
        let mut requests = JoinSet::new();
        for _ in 0..50 {
            let form =
                [("grant_type", "refresh_token"), ("client_id", "web"), ("refresh_token", &token)];
            requests.spawn(send(server.post("/token").form(&form)));
        }
        let answers = requests.join_all().await;
        let (won, lost): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
        assert_eq!((won.len(), lost.len()), (1, 49), "{won:?}");
        for answer in lost {
            answer.assert_error(400, "invalid_grant");
        }
        // The second of them was a replay, so the token of the winner is worth nothing.
        let next = server.refresh(&won[0].refresh_token(), "").await;
        next.assert_error(400, "invalid_grant");
        let sql = "SELECT count(*) FROM logins";
        let rows: i64 = database.value(sql).await;
        assert_eq!(rows, 0);
    }
}

#[tokio::test]
async fn a_refresh_never_gets_more_than_the_login() {
    let (database, server) = with_john().await;
    let login = server.log_in("johndoe", PASSWORD, "notes:read").await;
    for scope in ["notes:write", "notes:read notes:write", "admin", "no:such"] {
        server.refresh(&login.refresh_token(), scope).await.assert_error(400, "invalid_scope");
    }
    // Nothing of this has spent the token.
    let again = server.refresh(&login.refresh_token(), "").await;
    again.assert_status(200);
    assert_eq!(again.text_of("scope"), "notes:read");

    // A scope that is implied is less than the one that implies it.
    let login = server.log_in("johndoe", PASSWORD, "notes:write").await;
    let narrow = server.refresh(&login.refresh_token(), "notes:read").await;
    narrow.assert_status(200);
    assert_eq!(narrow.text_of("scope"), "notes:read");

    // A former administrator loses the scopes at the next refresh.
    let make = "UPDATE accounts SET is_admin = 1 WHERE name = 'johndoe'";
    database.execute(make).await;
    let login = server.log_in("johndoe", PASSWORD, "notes:read admin").await;
    login.assert_status(200);
    let unmake = "UPDATE accounts SET is_admin = 0 WHERE name = 'johndoe'";
    database.execute(unmake).await;
    server.refresh(&login.refresh_token(), "admin").await.assert_error(400, "invalid_scope");
    let again = server.refresh(&login.refresh_token(), "").await;
    assert_eq!(again.text_of("scope"), "notes:read");

    // So does a client that may no more have them.
    let login = server.log_in("johndoe", PASSWORD, "notes:read notes:write").await;
    let take = "UPDATE clients SET scopes = 'notes:read' WHERE id = 'web'";
    database.execute(take).await;
    let again = server.refresh(&login.refresh_token(), "").await;
    assert_eq!(again.text_of("scope"), "notes:read");
}

#[tokio::test]
async fn a_token_is_for_its_own_client() {
    let (database, server) = with_john().await;
    let add = "INSERT INTO clients (id, secret_hash, grants, scopes)
        VALUES ('app', '', 'password refresh_token', 'notes:read')";
    database.execute(add).await;
    let login = server.log_in("johndoe", PASSWORD, "").await;
    let token = login.refresh_token();
    let form = [("grant_type", "refresh_token"), ("client_id", "app"), ("refresh_token", &token)];
    server.token(&form).await.assert_error(400, "invalid_grant");
    let form = [("client_id", "app"), ("token", &token)];
    send(server.post("/revoke").form(&form)).await.assert_error(400, "invalid_grant");
    server.refresh(&token, "").await.assert_status(200);

    // A login has no scope that its client may not have.
    let form = [
        ("grant_type", "password"),
        ("client_id", "app"),
        ("username", "johndoe"),
        ("password", PASSWORD),
    ];
    assert_eq!(server.token(&form).await.text_of("scope"), "notes:read");
}

#[tokio::test]
async fn revoking_ends_the_family_even_by_a_spent_token() {
    let (_database, server) = with_john().await;
    let first = server.log_in("johndoe", PASSWORD, "").await;
    let second = server.refresh(&first.refresh_token(), "").await;
    for token in [&*first.refresh_token(), "unknown", &first.refresh_token()] {
        let form = [("client_id", "web"), ("token", token), ("token_type_hint", "access_token")];
        send(server.post("/revoke").form(&form)).await.assert_status(200);
    }
    server.refresh(&second.refresh_token(), "").await.assert_error(400, "invalid_grant");

    let form = [("client_id", "web"), ("token", &second.access_token())];
    let answer = send(server.post("/revoke").form(&form)).await;
    answer.assert_error(400, "unsupported_token_type");
    let form = [("token", first.refresh_token())];
    send(server.post("/revoke").form(&form)).await.assert_error(400, "invalid_client");
    let form = [("client_id", "web")];
    send(server.post("/revoke").form(&form)).await.assert_error(400, "invalid_request");
}

#[tokio::test]
async fn a_login_ends_after_its_time_and_is_purged() {
    let (database, server) = with_john().await;
    let old = server.log_in("johndoe", PASSWORD, "").await;
    database.execute("UPDATE logins SET expires_at = 1").await;
    let new = server.log_in("johndoe", PASSWORD, "").await;
    server.refresh(&old.refresh_token(), "").await.assert_error(400, "invalid_grant");
    let notes =
        async |login: &Answer| send(server.get("/notes").bearer_auth(login.access_token())).await;
    notes(&old).await.assert_status(401);
    notes(&new).await.assert_status(200);

    let key = server.first_secrets().key;
    let count = "SELECT count(*) FROM logins";
    assert_eq!(database.value::<i64>(count).await, 2);
    for _ in 0..2 {
        let purged = send(server.post("/purge").header("x-api-key", &key)).await;
        purged.assert_status(204);
        assert_eq!(database.value::<i64>(count).await, 1);
    }
    server.refresh(&new.refresh_token(), "").await.assert_status(200);
}

#[tokio::test]
async fn a_scope_that_the_client_has_by_another_is_refreshed() {
    let (database, server) = with_john().await;
    let narrow = "UPDATE clients SET scopes = 'notes:write' WHERE id = 'web'";
    database.execute(narrow).await;
    let login = server.log_in("johndoe", PASSWORD, "notes:read").await;
    login.assert_status(200);
    let again = server.refresh(&login.refresh_token(), "").await;
    again.assert_status(200);
    assert_eq!(again.text_of("scope"), "notes:read");
    server.refresh(&again.refresh_token(), "notes:write").await.assert_error(400, "invalid_scope");
}

#[tokio::test]
async fn a_scope_is_granted_once() {
    let (_database, server) = with_john().await;
    let repeated = "notes:write notes:read ".repeat(100);
    let login = server.log_in("johndoe", PASSWORD, repeated.trim_end()).await;
    assert_eq!(login.text_of("scope"), "notes:read notes:write");
    let again = server.refresh(&login.refresh_token(), "").await;
    assert_eq!(again.text_of("scope"), "notes:read notes:write");
}
