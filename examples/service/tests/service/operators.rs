//! What operators do from the command line, and what people do with their passwords.

use serde_json::json;

use crate::server::{Database, PASSWORD, Server, send, with_john};

/// Runs a command beside the server, and returns what it has printed.
fn run(database: &Database, arguments: &[&str]) -> Result<String, String> {
    let output = database.command().args(arguments).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap().trim_end().to_owned();
    match output.status.success() {
        true => Ok(text(output.stdout)),
        false => Err(text(output.stderr)),
    }
}

#[tokio::test]
async fn a_database_is_filled_by_the_service_alone() {
    let database = Database::new();
    let refused = run(&database, &["add", "account", "admin"]).unwrap_err();
    assert_eq!(refused, "the database is empty: start the service first");
    Server::start(&database);
    let both = run(&database, &["--rotate-key", "list", "key"]).unwrap_err();
    assert_eq!(both, "write `--rotate-key` without a command");
}

#[tokio::test]
async fn a_client_is_added_and_revoked_with_its_tokens() {
    let database = Database::new();
    let server = Server::start(&database);
    let add = [
        "add",
        "client",
        "shop",
        "--grants",
        "client_credentials",
        "--scopes",
        "stats:read maintenance",
    ];
    let secret = run(&database, &add).unwrap();
    let form = [("grant_type", "client_credentials")];
    let log_in = async || {
        let token = server.post("/token").basic_auth("shop", Some(&secret));
        send(token.form(&form)).await
    };
    let login = log_in().await;
    assert_eq!(login.text_of("scope"), "stats:read maintenance");
    let stats = async || send(server.get("/stats").bearer_auth(login.access_token())).await;
    stats().await.assert_status(200);
    let list = run(&database, &["list", "client"]).unwrap();
    let shop = "shop: client_credentials: stats:read maintenance";
    assert!(list.lines().any(|line| line == shop), "{list}");
    assert!(!list.contains(&secret), "{list}");

    run(&database, &["revoke", "client", "shop"]).unwrap();
    stats().await.assert_status(401);
    log_in().await.assert_error(401, "invalid_client");
    let again = run(&database, &["revoke", "client", "shop"]);
    assert_eq!(again.unwrap_err(), "there is no `shop`");
}

#[tokio::test]
async fn a_public_client_logs_people_in() {
    let (database, server) = with_john().await;
    let add = [
        "add",
        "client",
        "app",
        "--public",
        "--grants",
        "password refresh_token",
        "--scopes",
        "notes:read",
    ];
    run(&database, &add).unwrap();
    let form = [
        ("grant_type", "password"),
        ("client_id", "app"),
        ("username", "johndoe"),
        ("password", PASSWORD),
    ];
    let login = server.token(&form).await;
    assert_eq!(login.text_of("scope"), "notes:read");
}

#[tokio::test]
async fn an_api_key_is_added_and_revoked() {
    let database = Database::new();
    let server = Server::start(&database);
    let add = ["add", "key", "night", "--scopes", "maintenance"];
    let key = run(&database, &add).unwrap();
    let purge = async || send(server.post("/purge").header("x-api-key", &key)).await;
    purge().await.assert_status(204);
    let list = run(&database, &["list", "key"]).unwrap();
    assert_eq!(list, "night: maintenance\npurge-job: maintenance");
    run(&database, &["revoke", "key", "night"]).unwrap();
    purge().await.assert_status(401);
}

#[tokio::test]
async fn an_account_is_added_gets_another_password_and_is_revoked() {
    let database = Database::new();
    let server = Server::start(&database);
    let first = run(&database, &["add", "account", "bob", "--admin"]).unwrap();
    let login = server.log_in("bob", &first, "").await;
    login.assert_status(200);
    let list = run(&database, &["list", "account"]).unwrap();
    assert_eq!(list, "admin\nbob");
    let second = run(&database, &["password", "bob"]).unwrap();
    let refused = server.log_in("bob", &first, "").await;
    refused.assert_error(400, "invalid_grant");
    let refused = server.refresh(&login.refresh_token(), "").await;
    refused.assert_error(400, "invalid_grant");
    let login = server.log_in("bob", &second, "").await;
    login.assert_status(200);
    run(&database, &["revoke", "account", "bob"]).unwrap();
    let notes = server.get("/notes").bearer_auth(login.access_token());
    send(notes).await.assert_status(401);
}

#[test]
fn a_wrong_command_is_refused() {
    let database = Database::new();
    let _server = Server::start(&database);
    for (arguments, named) in [
        (&["add", "account", "John Doe"][..], "John Doe"),
        (&["add", "key", "a.b", "--scopes", "maintenance"], "a.b"),
        (&["add", "key", "a", "--scopes", "admin"], "admin"),
        (&["add", "client", "a", "--grants", "x", "--scopes", "admin"], "x"),
        (&["add", "client", "web", "--grants", "password", "--scopes", "admin"], "UNIQUE"),
        (
            &[
                "add",
                "client",
                "a",
                "--public",
                "--grants",
                "client_credentials",
                "--scopes",
                "admin",
            ],
            "public",
        ),
        (&["password", "nobody"], "there is no `nobody`"),
    ] {
        let error = run(&database, arguments).unwrap_err().to_lowercase();
        assert!(error.contains(&named.to_lowercase()), "{error}");
    }
}

#[tokio::test]
async fn a_changed_password_ends_all_logins_of_the_account_and_no_other() {
    let (database, server) = with_john().await;
    let alice = run(&database, &["add", "account", "alice"]).unwrap();
    let alice = server.log_in("alice", &alice, "").await;
    let logins = [
        server.log_in("johndoe", PASSWORD, "notes:read").await,
        server.log_in("johndoe", PASSWORD, "").await,
    ];
    let change = async |old: &str, new: &str| {
        let request = server.put("/password").bearer_auth(logins[0].access_token());
        send(request.json(&json!({ "old": old, "new": new }))).await
    };
    let john = database.id_of("johndoe").await;
    let thief = format!("UPDATE known_networks SET network = '192.0.2.1' WHERE account = '{john}'");
    database.execute(&thief).await;
    server.log_in("johndoe", PASSWORD, "").await.assert_status(200);
    change("wrong", "battery staple").await.assert_status(403);
    change(PASSWORD, "short").await.assert_status(400);
    for login in &logins {
        let notes = server.get("/notes").bearer_auth(login.access_token());
        send(notes).await.assert_status(200);
    }
    change(PASSWORD, "battery staple").await.assert_status(204);
    for login in &logins {
        let notes = server.get("/notes").bearer_auth(login.access_token());
        send(notes).await.assert_status(401);
        let refused = server.refresh(&login.refresh_token(), "").await;
        refused.assert_error(400, "invalid_grant");
    }
    let notes = server.get("/notes").bearer_auth(alice.access_token());
    send(notes).await.assert_status(200);
    // A thief's network is not known any more, and that of the owner is.
    let networks = format!("SELECT network FROM known_networks WHERE account = '{john}'");
    assert_eq!(database.value::<String>(&networks).await, "127.0.0.1");
    let refused = server.log_in("johndoe", PASSWORD, "").await;
    refused.assert_error(400, "invalid_grant");
    let login = server.log_in("johndoe", "battery staple", "").await;
    login.assert_status(200);

    // A machine has no password.
    let secret = server.first_secrets().reporter;
    let token = server.post("/token").basic_auth("reporter", Some(&secret));
    let machine = send(token.form(&[("grant_type", "client_credentials")])).await;
    let request = server.put("/password").bearer_auth(machine.access_token());
    let refused = send(request.json(&json!({ "old": secret, "new": "battery staple" }))).await;
    refused.assert_status(403);
}

/// An administrator may delete the notes of others, and not read them.
#[tokio::test]
async fn who_may_do_what_with_a_note() {
    let (database, server) = with_john().await;
    let admin = server.first_secrets().admin;
    let narrow = server.log_in("admin", &admin, "notes:write").await;
    let narrow = narrow.access_token();
    let admin = server.log_in("admin", &admin, "").await.access_token();
    let alice = run(&database, &["add", "account", "alice"]).unwrap();
    let alice = server.log_in("alice", &alice, "").await.access_token();
    let john = server.log_in("johndoe", PASSWORD, "").await.access_token();
    let note = server.post("/notes").bearer_auth(&john);
    let note = send(note.json(&json!({ "text": "Milk" }))).await.json();
    let path = format!("/notes/{}", note["id"]);
    for (token, read) in [(&john, 200), (&alice, 404), (&admin, 404)] {
        let found = send(server.get(&path).bearer_auth(token)).await;
        found.assert_status(read);
    }
    for (token, deleted) in [(&alice, 404), (&narrow, 404), (&admin, 204), (&john, 404)] {
        let found = send(server.delete(&path).bearer_auth(token)).await;
        found.assert_status(deleted);
    }
}
