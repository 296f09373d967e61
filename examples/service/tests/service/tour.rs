//! People and machines use the service, and all goes well.

use doorward::jwt::{Algorithm, TokenVerifier};
use doorward::{BearerToken, SecurityScopes};
use serde_json::{Value, json};

use crate::server::{Answer, Database, Server, send};

const JOHN: &str = "correct horse";
const ALICE: &str = "battery staple";

/// Checks the shape of an answer with a token, and returns the token.
#[track_caller]
fn token_in(answer: &Answer, scope: &str) -> String {
    answer.assert_status(200);
    assert_eq!(answer.header("cache-control"), ["no-store"]);
    let json = answer.json();
    assert_eq!(json["token_type"], "bearer");
    assert_eq!(json["expires_in"], 300);
    assert_eq!(json["scope"], scope);
    answer.access_token()
}

/// Walks through everything, and returns all secrets that it has seen.
pub(crate) async fn walk(server: &Server) -> Vec<String> {
    let first = server.first_secrets();
    let mut secrets = vec![JOHN.to_owned(), ALICE.to_owned()];
    secrets.extend([first.admin.clone(), first.reporter.clone(), first.key.clone()]);

    // Two people register and log in.
    for (username, password) in [("johndoe", JOHN), ("alice", ALICE)] {
        let registered = server.register(username, password).await;
        registered.assert_status(201);
        assert_eq!(registered.json(), json!({ "username": username }));
    }
    let login = server.log_in("johndoe", JOHN, "").await;
    let john = token_in(&login, "notes:read notes:write");
    let alice = server.log_in("alice", ALICE, "notes:write").await;
    let alice = token_in(&alice, "notes:write");

    // Each has their own notes.
    let texts = ["Milk", "Bread \u{1f35e}", "Eggs"];
    for text in texts {
        let note = server.post("/notes").bearer_auth(&john).json(&json!({ "text": text }));
        send(note).await.assert_status(201);
    }
    let note = server.post("/notes").bearer_auth(&alice).json(&json!({ "text": "Hers" }));
    send(note).await.assert_status(201);
    let notes = send(server.get("/notes").bearer_auth(&john)).await.json();
    let found: Vec<_> = notes.as_array().unwrap().iter().map(|note| &note["text"]).collect();
    assert_eq!(found, texts);
    let id = |note: &Value| note["id"].as_i64().unwrap();
    let after = format!("/notes?after={}", id(&notes[1]));
    let rest = send(server.get(&after).bearer_auth(&john)).await.json();
    assert_eq!(rest, json!([notes[2]]));
    let path = format!("/notes/{}", id(&notes[0]));
    for (token, status) in [(&alice, 404), (&john, 204), (&john, 404)] {
        send(server.delete(&path).bearer_auth(token)).await.assert_status(status);
    }
    // A token that may write may read.
    let notes = send(server.get("/notes").bearer_auth(&alice)).await.json();
    assert_eq!(notes[0]["text"], "Hers");

    // A refresh takes the place of a password, for as many scopes or fewer.
    let narrow = server.refresh(&login.refresh_token(), "notes:read").await;
    let reader = token_in(&narrow, "notes:read");
    send(server.get("/notes").bearer_auth(&reader)).await.assert_status(200);
    let note = server.post("/notes").bearer_auth(&reader).json(&json!({ "text": "No" }));
    send(note).await.assert_status(403);
    let full = server.refresh(&narrow.refresh_token(), "").await;
    let full_token = token_in(&full, "notes:read notes:write");

    // Logging out ends it.
    let form = [("client_id", "web"), ("token", &full.refresh_token())];
    let revoked = send(server.post("/revoke").form(&form)).await;
    revoked.assert_status(200);
    assert_eq!(revoked.text, "");
    server.refresh(&full.refresh_token(), "").await.assert_error(400, "invalid_grant");

    // A machine has a secret, in the header or in the form.
    let form = [("grant_type", "client_credentials")];
    let machine = server.post("/token").basic_auth("reporter", Some(&first.reporter)).form(&form);
    let machine = send(machine).await;
    let machine_token = token_in(&machine, "stats:read");
    assert_eq!(machine.json().get("refresh_token"), None);
    let form = [
        ("grant_type", "client_credentials"),
        ("client_id", "reporter"),
        ("client_secret", &first.reporter),
        ("scope", "stats:read"),
    ];
    token_in(&server.token(&form).await, "stats:read");
    let stats = send(server.get("/stats").bearer_auth(&machine_token)).await;
    assert_eq!(stats.json(), json!({ "accounts": 3, "logins": 1, "notes": 3 }));

    // A job has a key, and an administrator has a token that implies as much.
    let admin = server.log_in("admin", &first.admin, "admin").await;
    let admin_token = token_in(&admin, "admin");
    for request in [
        server.post("/purge").header("x-api-key", &first.key),
        server.post("/purge").bearer_auth(&admin_token),
    ] {
        send(request).await.assert_status(204);
    }
    send(server.get("/stats").bearer_auth(&admin_token)).await.assert_status(200);

    for answer in [&login, &narrow, &full, &admin] {
        secrets.extend([answer.access_token(), answer.refresh_token()]);
    }
    secrets.extend([alice, full_token, machine_token]);
    secrets
}

#[tokio::test]
async fn the_service_does_what_it_is_for() {
    let database = Database::new();
    walk(&Server::start(&database)).await;
}

#[tokio::test]
async fn anybody_can_verify_a_token_with_the_published_key() {
    let database = Database::new();
    let server = Server::start(&database);
    let first = server.first_secrets();
    let admin = server.log_in("admin", &first.admin, "admin notes:read").await;
    let keys = send(server.get("/.well-known/jwks.json")).await;
    assert_eq!(keys.header("cache-control"), ["public, max-age=300"]);
    let key = &keys.json()["keys"][0];
    assert_eq!(
        (&key["kty"], &key["crv"], &key["alg"]),
        (&json!("EC"), &json!("P-256"), &json!("ES256"))
    );
    assert!(key.get("d").is_none(), "the private key is published");

    let service = "https://notes.example.com";
    let tokens = TokenVerifier::<Value>::jwks(service, keys.text.clone()).audience(service);
    let tokens = tokens.algorithms([Algorithm::Es256]).build().await.unwrap();
    let verify = async |token: String| {
        let token = BearerToken::try_from(&*token).unwrap();
        tokens.verify(&token, SecurityScopes::NONE).await.unwrap()
    };
    let claims = verify(admin.access_token()).await;
    assert_eq!(claims["sub"], database.id_of("admin").await);
    assert_eq!(claims["client_id"], "web");
    assert_eq!(claims["scope"], "admin notes:read");
    assert_eq!(claims["exp"].as_u64().unwrap() - claims["iat"].as_u64().unwrap(), 300);

    let form = [("grant_type", "client_credentials")];
    let machine = server.post("/token").basic_auth("reporter", Some(&first.reporter)).form(&form);
    let machine = verify(send(machine).await.access_token()).await;
    assert_eq!(
        (&machine["sub"], &machine["client_id"]),
        (&json!("client:reporter"), &json!("reporter"))
    );
    assert_ne!(claims["jti"], machine["jti"]);
}
