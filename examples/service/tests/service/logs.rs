//! The log, at its most talkative, has no secret.

use crate::server::{Database, Server, send, with_john};
use crate::tour::walk;

#[tokio::test]
async fn no_secret_is_logged_and_none_is_printed_twice() {
    let database = Database::new();
    let server = Server::start(&database);
    let mut secrets = walk(&server).await;
    // Credentials in places where nobody expects them.
    secrets.push("s3cret-in-the-query".to_owned());
    send(server.get("/notes?access_token=s3cret-in-the-query")).await.assert_status(401);
    secrets.push("s3cret-in-the-path".to_owned());
    send(server.get("/s3cret-in-the-path")).await.assert_status(404);
    secrets.push("wrong-s3cret".to_owned());
    server.log_in("johndoe", "wrong-s3cret", "").await.assert_error(400, "invalid_grant");
    let form = [("grant_type", "password"), ("password", "wrong-s3cret"), ("password", "x")];
    server.token(&form).await.assert_error(400, "invalid_request");
    server.refresh("wrong-s3cret", "").await.assert_error(400, "invalid_grant");

    secrets.push("87654321".to_owned());
    let account = serde_json::json!({ "username": "bob", "password": 87_654_321 });
    send(server.post("/accounts").json(&account)).await.assert_status(422);

    let first = server.first_secrets();
    let caller = format!("caller=\"{}\"", database.id_of("johndoe").await);
    let (printed, log) = server.kill();
    // The log is there, and says who has called.
    for said in ["DEBUG", &caller, "caller=\"client:reporter\"", "a token was refused"] {
        assert!(log.contains(said), "no {said:?} in the log:\n{log}");
    }
    for secret in &secrets {
        assert!(!log.contains(secret), "{secret:?} is in the log:\n{log}");
        let shown = [&first.admin, &first.reporter, &first.key].contains(&secret);
        assert_eq!(printed.matches(secret).count(), usize::from(shown), "{secret:?}:\n{printed}");
    }
}

#[tokio::test]
async fn a_refused_login_is_logged_with_its_address_and_without_what_was_typed() {
    let (database, mut server) = with_john().await;
    let id = database.id_of("johndoe").await;
    server.come_from([127, 2, 0, 1]);
    for (name, password) in [
        ("johndoe", "wrong-s3cret"),
        // In the wrong field.
        ("s3cret-as-a-name", "x"),
    ] {
        server.log_in(name, password, "").await.assert_error(400, "invalid_grant");
    }
    while server.log_in("johndoe", "wrong-s3cret", "").await.status != 429 {}
    let (_, log) = server.kill();
    let refused: Vec<_> = log.lines().filter(|line| line.contains("a login was refused")).collect();
    assert!(refused.len() > 3, "{log}");
    for line in &refused {
        assert!(line.contains("address=127.2.0.1"), "{line}");
        assert!(line.contains("client=\"web\""), "{line}");
    }
    // The account is named if there is one, by its id.
    let of_account = format!("account=\"{id}\"");
    assert!(refused[0].contains(&of_account), "{}", refused[0]);
    assert!(!refused[1].contains("account="), "{}", refused[1]);
    let last = refused.last().unwrap();
    assert!(last.contains("temporarily_unavailable"), "{last}");
    assert!(last.contains(&of_account), "{last}");
    assert!(!log.contains("s3cret"), "{log}");
}
