//! `/introspect`: what a client is told about its tokens, and about those of others.

use serde_json::{Value, json};

use crate::server::{Answer, PASSWORD, PUBLIC, Server, send, with_john};

async fn ask(server: &Server, id: &str, secret: &str, token: &str) -> Answer {
    let form = [("token", token), ("token_type_hint", "access_token")];
    send(server.post("/introspect").basic_auth(id, Some(secret)).form(&form)).await
}

async fn is_active(server: &Server, id: &str, secret: &str, token: &str) -> bool {
    let answer = ask(server, id, secret, token).await;
    answer.assert_status(200);
    assert_eq!(answer.header("cache-control"), ["no-store"]);
    let answer = answer.json();
    if answer["active"] == json!(true) {
        return true;
    }
    // Nothing else is said about it.
    assert_eq!(answer, json!({ "active": false }));
    false
}

#[tokio::test]
async fn a_client_is_told_about_its_own_access_tokens() {
    let (database, server) = with_john().await;
    let secret = server.first_secrets().reporter;
    let form = [("grant_type", "client_credentials")];
    let machine = server.post("/token").basic_auth("reporter", Some(&secret)).form(&form);
    let own = send(machine).await.access_token();
    let answer = ask(&server, "reporter", &secret, &own).await.json();
    let expected = [
        ("active", json!(true)),
        ("token_type", json!("Bearer")),
        ("iss", json!(PUBLIC)),
        ("aud", json!(PUBLIC)),
        ("sub", json!("client:reporter")),
        ("client_id", json!("reporter")),
        ("scope", json!("stats:read")),
    ];
    for (name, value) in expected {
        assert_eq!(answer[name], value, "{name}");
    }
    assert!(answer["exp"].is_u64(), "{answer}");

    let login = server.log_in("johndoe", PASSWORD, "").await;
    for token in [&*login.access_token(), &login.refresh_token(), "unknown", "\u{1}"] {
        assert!(!is_active(&server, "reporter", &secret, token).await, "{token}");
    }

    // It ends with the client.
    assert!(is_active(&server, "reporter", &secret, &own).await);
    let others = "INSERT INTO clients (id, secret_hash, grants, scopes)
        SELECT 'app', secret_hash, 'password refresh_token', 'notes:read' FROM clients
        WHERE id = 'reporter'";
    database.execute(others).await;
    assert!(!is_active(&server, "app", &secret, &own).await);
    let form = [("grant_type", "password"), ("username", "johndoe"), ("password", PASSWORD)];
    let person = server.post("/token").basic_auth("app", Some(&secret)).form(&form);
    let person = send(person).await;
    let (access, refresh) = (person.access_token(), person.refresh_token());
    assert!(is_active(&server, "app", &secret, &access).await);
    assert!(!is_active(&server, "app", &secret, &refresh).await);
    let form = [("token", &*refresh)];
    send(server.post("/revoke").basic_auth("app", Some(&secret)).form(&form))
        .await
        .assert_status(200);
    assert!(!is_active(&server, "app", &secret, &access).await);
}

#[tokio::test]
async fn only_a_client_with_a_secret_may_ask() {
    let (_database, server) = with_john().await;
    let token = server.log_in("johndoe", PASSWORD, "").await.access_token();
    ask(&server, "reporter", "wrong", &token).await.assert_error(401, "invalid_client");
    for (form, status, code) in [
        (vec![("token", &*token)], 400, "invalid_client"),
        (vec![("token", &*token), ("client_id", "web")], 401, "invalid_client"),
        (vec![("client_id", "web")], 400, "invalid_request"),
    ] {
        let refused = send(server.post("/introspect").form(&form)).await;
        refused.assert_error(status, code);
        assert_eq!(refused.json().get("active"), None::<&Value>);
    }
}
