//! Too many logins are refused, and nothing else is.

use crate::server::{Database, Server};

#[tokio::test]
async fn too_many_logins_from_one_address_are_refused() {
    let database = Database::new();
    let server = Server::start(&database);
    let first = server.first_secrets();
    let login = server.log_in("admin", &first.admin, "").await;
    let mut tries = 1;
    let refused = loop {
        let answer = server.log_in("admin", "a guess", "").await;
        if answer.status == 429 {
            break answer;
        }
        answer.assert_error(400, "invalid_grant");
        tries += 1;
    };
    assert!(tries >= 20, "refused after {tries}");
    refused.assert_error(429, "temporarily_unavailable");
    let seconds: u32 = refused.header("retry-after")[0].parse().unwrap();
    assert!((1..=7).contains(&seconds), "{seconds}");
    // Not even the right password is looked at, and nobody registers.
    server
        .log_in("admin", &first.admin, "")
        .await
        .assert_status(429);
    server
        .register("johndoe", "correct horse")
        .await
        .assert_status(429);

    let mut token = login.refresh_token();
    for _ in 0..30 {
        let answer = server.refresh(&token, "").await;
        answer.assert_status(200);
        token = answer.refresh_token();
    }
}
