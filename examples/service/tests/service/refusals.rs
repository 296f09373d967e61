//! Requests that are refused, and the responses to them.

use jsonwebtoken::{EncodingKey, Header};
use reqwest::RequestBuilder;
use serde_json::{Value, json};

use crate::server::{Database, PASSWORD, PUBLIC, Server, send, with_john};

#[tokio::test]
async fn an_account_has_a_good_name_and_password() {
    let (_database, server) = with_john().await;
    for (username, password, status) in [
        ("johndoe", PASSWORD, 409),
        ("admin", PASSWORD, 409),
        ("client:reporter", PASSWORD, 400),
        ("JohnDoe", PASSWORD, 400),
        ("", PASSWORD, 400),
        (&"j".repeat(33), PASSWORD, 400),
        ("alice", "1234567", 400),
        ("alice", &"x".repeat(257), 400),
    ] {
        let refused = server.register(username, password).await;
        refused.assert_status(status);
        assert!(refused.json()["detail"].is_string(), "{refused:?}");
    }
    let huge = json!({ "username": "alice", "password": "x".repeat(100_000) });
    send(server.post("/accounts").json(&huge)).await.assert_status(413);
    send(server.post("/accounts").json(&json!({}))).await.assert_status(422);
    server.register("alice", "12345678").await.assert_status(201);
}

#[tokio::test]
async fn the_limits_of_an_account_count_characters() {
    let database = Database::new();
    let server = Server::start(&database);
    for (username, length, status) in [("alice", 256, 201), ("bob", 257, 400), ("carol", 7, 400)] {
        let password = "\u{1f511}".repeat(length);
        server.register(username, &password).await.assert_status(status);
    }
}

#[tokio::test]
async fn a_password_is_the_same_however_it_is_encoded() {
    let database = Database::new();
    let server = Server::start(&database);
    let (composed, decomposed) = ("caf\u{e9} cr\u{e8}me", "cafe\u{301} cre\u{300}me");
    for (name, password) in [("alice", composed), ("bob", decomposed)] {
        server.register(name, password).await.assert_status(201);
        for password in [composed, decomposed, "caf\u{e9}\u{a0}cr\u{e8}me"] {
            server.log_in(name, password, "").await.assert_status(200);
        }
        let other = server.log_in(name, "cafe creme", "").await;
        other.assert_error(400, "invalid_grant");
    }
}

#[tokio::test]
async fn the_token_endpoint_answers_with_each_code() {
    let database = Database::new();
    let server = Server::start(&database);
    let secret = server.first_secrets().reporter;
    server.register("johndoe", PASSWORD).await.assert_status(201);

    // invalid_grant: nobody can tell a wrong name from a wrong password.
    let wrong = server.log_in("johndoe", "wrong horse", "").await;
    wrong.assert_error(400, "invalid_grant");
    let unknown = server.log_in("nobody", PASSWORD, "").await;
    assert_eq!((wrong.status, wrong.text), (unknown.status, unknown.text));
    server.refresh("unknown", "").await.assert_error(400, "invalid_grant");

    // invalid_scope
    for scope in ["admin", "notes:read admin", "notes", "stats:read"] {
        server.log_in("johndoe", PASSWORD, scope).await.assert_error(400, "invalid_scope");
    }
    let form = [("grant_type", "client_credentials"), ("scope", "notes:read")];
    let machine = server.post("/token").basic_auth("reporter", Some(&secret)).form(&form);
    send(machine).await.assert_error(400, "invalid_scope");

    // invalid_client: with a challenge if the client used the header.
    let form = [("grant_type", "client_credentials")];
    for (id, secret) in
        [("reporter", "wrong"), ("nobody", &*secret), ("reporter", ""), ("web", "x")]
    {
        let by_header = server.post("/token").basic_auth(id, Some(secret)).form(&form);
        let by_header = send(by_header).await;
        by_header.assert_error(401, "invalid_client");
        assert_eq!(
            by_header.header("www-authenticate"),
            [r#"Basic realm="token", charset="UTF-8""#]
        );
        let form = [form[0], ("client_id", id), ("client_secret", secret)];
        server.token(&form).await.assert_error(400, "invalid_client");
    }
    server.token(&form).await.assert_error(400, "invalid_client");

    // unauthorized_client: the client is known, but not for this.
    let form = [("grant_type", "client_credentials"), ("client_id", "web")];
    server.token(&form).await.assert_error(400, "unauthorized_client");
    for form in [
        &[("grant_type", "password"), ("username", "johndoe"), ("password", PASSWORD)][..],
        &[("grant_type", "refresh_token"), ("refresh_token", "x")],
    ] {
        let machine = server.post("/token").basic_auth("reporter", Some(&secret)).form(form);
        send(machine).await.assert_error(400, "unauthorized_client");
    }

    // unsupported_grant_type, and invalid_request.
    let other =
        [("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("client_id", "web")];
    server.token(&other).await.assert_error(400, "unsupported_grant_type");
    for form in [
        &[("client_id", "web")][..],
        &[("grant_type", "password"), ("client_id", "web"), ("username", "johndoe")],
        &[("grant_type", "refresh_token"), ("client_id", "web")],
        &[
            ("grant_type", "refresh_token"),
            ("grant_type", "refresh_token"),
            ("client_id", "web"),
            ("refresh_token", "x"),
        ],
        &[("grant_type", "client_credentials"), ("client_id", "web"), ("client_id", "reporter")],
        &[("grant_type", "client_credentials"), ("client_secret", "x")],
    ] {
        server.token(form).await.assert_error(400, "invalid_request");
    }
    let json = server.post("/token").json(&json!({ "grant_type": "client_credentials" }));
    send(json).await.assert_error(400, "invalid_request");
    let form = [("grant_type", "client_credentials"), ("client_id", "web")];
    let two = server.post("/token").basic_auth("reporter", Some(&secret)).form(&form);
    send(two).await.assert_error(400, "invalid_request");
    let huge = "x".repeat(100_000);
    server.log_in("johndoe", &huge, "").await.assert_error(413, "invalid_request");
}

#[tokio::test]
async fn a_route_wants_a_good_token_with_its_scopes() {
    let database = Database::new();
    let server = Server::start(&database);
    let first = server.first_secrets();
    server.register("johndoe", PASSWORD).await.assert_status(201);
    let reader = server.log_in("johndoe", PASSWORD, "notes:read").await.access_token();

    // No token.
    let bare = r#"Bearer realm="notes", scope="notes:read""#;
    send(server.get("/notes")).await.assert_refused(401, &[bare]);
    // A token that is not good. Each is made with the right key, but for the first.
    let pkcs8 = database.signing_key().await;
    let john = database.id_of("johndoe").await;
    let login: String = database.value("SELECT id FROM logins LIMIT 1").await;
    let sign = |change: fn(&mut Header, &mut Value)| {
        let mut header = jsonwebtoken::decode_header(&reader).unwrap();
        let now = jsonwebtoken::get_current_timestamp();
        let mut claims = json!({
            "iss": "https://notes.example.com", "aud": "https://notes.example.com",
            "sub": john, "client_id": "web", "scope": "notes:read", "sid": login, "iat": now,
            "exp": now + 300, "jti": "1",
        });
        change(&mut header, &mut claims);
        jsonwebtoken::encode(&header, &claims, &EncodingKey::from_ec_der(&pkcs8)).unwrap()
    };
    let invalid = concat!(
        r#"Bearer realm="notes", error="invalid_token", "#,
        r#"error_description="The access token is expired, revoked, malformed or otherwise invalid", scope="notes:read""#,
    );
    let (signed, _) = reader.rsplit_once('.').unwrap();
    for bad in [
        format!("{signed}.{}", "A".repeat(86)),
        sign(|_, claims| claims["exp"] = json!(1)),
        sign(|_, claims| claims["iss"] = json!("https://other.example.com")),
        sign(|_, claims| claims["aud"] = json!("https://other.example.com")),
        sign(|header, _| header.typ = Some("JWT".to_owned())),
        "t0k3n".to_owned(),
    ] {
        let refused = send(server.get("/notes").bearer_auth(&bad)).await;
        refused.assert_refused(401, &[invalid]);
    }
    let good = sign(|_, _| ());
    send(server.get("/notes").bearer_auth(good)).await.assert_status(200);

    // A good token without the scope.
    let form = [("grant_type", "client_credentials")];
    let machine = server.post("/token").basic_auth("reporter", Some(&first.reporter)).form(&form);
    let machine = send(machine).await.access_token();
    let lacking = |scope: &str| {
        let description = "The request requires more scopes than the access token grants";
        format!(
            "Bearer realm=\"notes\", error=\"insufficient_scope\", \
             error_description=\"{description}\", scope=\"{scope}\""
        )
    };
    let note = json!({ "text": "No" });
    for (request, scope) in [
        (server.post("/notes").bearer_auth(&reader).json(&note), "notes:write"),
        (server.delete("/notes/1").bearer_auth(&reader), "notes:write"),
        (server.get("/notes").bearer_auth(&machine), "notes:read"),
        (server.get("/stats").bearer_auth(&reader), "stats:read"),
        (server.post("/purge").bearer_auth(&machine), "maintenance"),
    ] {
        send(request).await.assert_refused(403, &[&lacking(scope)]);
    }

    // A good token, and a request that is faulty in another way.
    let writer = server.log_in("johndoe", PASSWORD, "notes:write").await.access_token();
    let long = json!({ "text": "x".repeat(10_001) });
    send(server.post("/notes").bearer_auth(&writer).json(&long)).await.assert_status(400);
    send(server.get("/notes?after=x").bearer_auth(&writer)).await.assert_status(400);
    send(server.delete("/notes/x").bearer_auth(&writer)).await.assert_status(400);
}

#[tokio::test]
async fn a_key_is_for_its_job_alone() {
    let database = Database::new();
    let server = Server::start(&database);
    let first = server.first_secrets();
    let none = [r#"Bearer realm="notes", scope="maintenance""#, "APIKey"];
    send(server.post("/purge")).await.assert_refused(401, &none);
    let secret = first.key.strip_prefix("purge-job.").unwrap();
    for wrong in ["x", "purge-job", "purge-job.", "purge-job.x", secret, &format!("other.{secret}")]
    {
        let refused = send(server.post("/purge").header("x-api-key", wrong)).await;
        refused.assert_refused(401, &["APIKey"]);
    }
    // A token decides if there is one.
    let both = server.post("/purge").header("x-api-key", &first.key).bearer_auth("x");
    send(both).await.assert_status(401);
    let other = server.get("/stats").header("x-api-key", &first.key);
    send(other).await.assert_status(401);
    // A key without the scope.
    database.execute("UPDATE api_keys SET scopes = '[\"other\"]'").await;
    let refused = send(server.post("/purge").header("x-api-key", &first.key)).await;
    refused.assert_status(403);
}

#[tokio::test]
async fn a_refusal_has_nothing_of_the_body() {
    let (_database, server) = with_john().await;
    let login = server.log_in("johndoe", PASSWORD, "").await;
    let (json, secret) = ("application/json", "123456789012");
    let long = format!(r#"{{"password":"{secret}{}"}}"#, "x".repeat(100_000));
    for (body, media_type, status) in [
        (r#"{"password":123456789012}"#, json, 422),
        (r#"{"username":123456789012}"#, json, 422),
        (r#"{"text":123456789012}"#, json, 422),
        ("123456789012", json, 422),
        (r#"{"password":"123456789012"#, json, 400),
        (r#"{"password":"123456789012"}"#, "text/plain", 415),
        (&long, json, 413),
    ] {
        for path in ["/accounts", "/notes"] {
            let request = server.post(path).bearer_auth(login.access_token());
            let request = request.header("content-type", media_type);
            let refused = send(request.body(body.to_owned())).await;
            refused.assert_status(status);
            assert!(refused.json()["detail"].is_string(), "{refused:?}");
            assert!(!refused.text.contains(secret), "{refused:?}");
        }
    }
}

#[tokio::test]
async fn a_token_ends_with_its_account() {
    let database = Database::new();
    let server = Server::start(&database);
    let note = json!({ "text": "Milk" });
    let requests = |token: &str| -> [RequestBuilder; 3] {
        [
            server.post("/notes").bearer_auth(token).json(&note),
            server.get("/notes").bearer_auth(token),
            server.delete("/notes/1").bearer_auth(token),
        ]
    };
    let register = || server.register("johndoe", PASSWORD);
    let log_in = async || server.log_in("johndoe", PASSWORD, "").await.access_token();
    let refused = async |token: &str, status: u16| {
        for request in requests(token) {
            let refused = send(request).await;
            refused.assert_status(status);
            assert!(refused.json()["detail"].is_string(), "{refused:?}");
        }
    };
    register().await.assert_status(201);
    let old = log_in().await;

    let delete = "DELETE FROM accounts WHERE name = 'johndoe'";
    database.execute(delete).await;
    refused(&old, 401).await;

    // Somebody else takes the name.
    register().await.assert_status(201);
    refused(&old, 401).await;
    let new = log_in().await;
    for (request, status) in requests(&new).into_iter().zip([201, 200, 204]) {
        send(request).await.assert_status(status);
    }

    // A machine has no account, whatever its scopes are.
    let give = "UPDATE clients SET scopes = 'notes:write' WHERE id = 'reporter'";
    database.execute(give).await;
    let secret = server.first_secrets().reporter;
    let form = [("grant_type", "client_credentials")];
    let machine = server.post("/token").basic_auth("reporter", Some(&secret)).form(&form);
    refused(&send(machine).await.access_token(), 403).await;
}

#[tokio::test]
async fn a_client_is_told_of_a_failure_as_an_endpoint_for_clients_does() {
    let database = Database::new();
    let server = Server::start(&database);
    let break_it = "ALTER TABLE clients RENAME TO elsewhere";
    database.execute(break_it).await;
    server.refresh("unknown", "").await.assert_error(500, "server_error");
    let form = [("client_id", "web"), ("token", "unknown")];
    send(server.post("/revoke").form(&form)).await.assert_error(500, "server_error");
    // The log says why.
    let (_, log) = server.kill();
    let cause = match database.is_postgres() {
        true => r#"relation "clients" does not exist"#,
        false => "no such table: clients",
    };
    let is_cause = |line: &&str| line.contains("the service has failed") && line.contains(cause);
    assert_eq!(log.lines().filter(is_cause).count(), 2, "{log}");
}

#[tokio::test]
async fn what_no_handler_sees_is_refused_in_json() {
    let (_database, server) = with_john().await;
    let token = server.log_in("johndoe", PASSWORD, "").await.access_token();
    for (request, status) in [
        (server.delete("/notes/x"), 400),
        (server.delete("/notes/99999999999999999999"), 400),
        (server.get("/notes?after=x"), 400),
        (server.get("/nowhere"), 404),
        (server.get("/docs/nowhere"), 404),
        (server.delete("/notes"), 405),
        (server.get("/token"), 405),
        (server.post("/notes").body("{"), 415),
        (server.post("/notes").json(&json!({ "text": 1 })), 422),
    ] {
        let refused = send(request.bearer_auth(&token)).await;
        refused.assert_status(status);
        assert_eq!(refused.header("content-type"), ["application/json"]);
        assert!(refused.json()["detail"].is_string(), "{refused:?}");
        assert_eq!(refused.header("allow").len(), usize::from(status == 405));
    }
}

#[tokio::test]
async fn a_token_is_for_this_service_alone() {
    let database = Database::new();
    let server = Server::start(&database);
    let secret = server.first_secrets().reporter;
    server.register("johndoe", PASSWORD).await.assert_status(201);
    let mut token = server.log_in("johndoe", PASSWORD, "").await.refresh_token();
    for (resources, status) in [
        (&["https://other.example.com"][..], 400),
        (&[PUBLIC, "https://notes.example.com.evil.com"], 400),
        (&[PUBLIC], 200),
        (&["https://notes.example.com/"], 200),
    ] {
        let with = |form: &[(&'static str, &str)]| {
            let resources = resources.iter().map(|resource| ("resource", *resource));
            let form = form.iter().copied().chain(resources);
            form.map(|(name, value)| (name, value.to_owned())).collect::<Vec<_>>()
        };
        let form = with(&[("grant_type", "client_credentials")]);
        let machine = server.post("/token").basic_auth("reporter", Some(&secret));
        // A refresh that is refused does not spend the token.
        let form_of_web = with(&[
            ("grant_type", "refresh_token"),
            ("client_id", "web"),
            ("refresh_token", &token),
        ]);
        for request in [machine.form(&form), server.post("/token").form(&form_of_web)] {
            let answer = send(request).await;
            if status == 400 {
                answer.assert_error(400, "invalid_target");
            } else {
                answer.assert_status(200);
                if answer.json()["refresh_token"].is_string() {
                    token = answer.refresh_token();
                }
            }
        }
    }
}
