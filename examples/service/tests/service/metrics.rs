//! Decisions are counted, on a listener of its own.

use crate::server::{Database, PASSWORD, Server, program, send};

#[tokio::test]
async fn each_decision_is_counted_once() {
    let database = Database::new();
    let mut program = program(&database);
    program.args(["--metrics", "127.0.0.1:0"]);
    let server = Server::start_as(program.env("RUST_LOG", "info"), 8);
    server.register("johndoe", PASSWORD).await.assert_status(201);
    let token = server.log_in("johndoe", PASSWORD, "notes:read").await.access_token();
    let notes = |token: &str| send(server.get("/notes").bearer_auth(token));
    send(server.get("/notes")).await.assert_status(401);
    for status in [200, 200] {
        notes(&token).await.assert_status(status);
    }
    notes("t0p.s3cret").await.assert_status(401);
    send(server.post("/notes").bearer_auth(&token)).await.assert_status(403);
    send(server.get("/notes/7").bearer_auth(&token)).await.assert_status(404);
    send(server.get("/metrics")).await.assert_status(404);
    let counted = server.metrics().await;
    counted.assert_status(200);
    let crate_name = "doorward_example_service";
    for (labels, count) in [
        (r#"outcome="let_in",place="handler",handler="CRATE::notes::list""#, 2),
        (
            r#"outcome="refused",place="handler",handler="CRATE::notes::list",reason="missing",scheme="Login",required="notes:read",status="401""#,
            1,
        ),
        (
            r#"outcome="refused",place="handler",handler="CRATE::notes::list",reason="invalid",scheme="Login",required="notes:read",status="401""#,
            1,
        ),
        (
            r#"outcome="refused",place="handler",handler="CRATE::notes::create",reason="insufficient_scope",scheme="Login",required="notes:write",status="403""#,
            1,
        ),
        (
            r#"outcome="refused",place="handler",handler="CRATE::notes::read",reason="dependency",dependency="note(Read)",required="notes:read",status="404""#,
            1,
        ),
    ] {
        let labels = labels.replace("CRATE", crate_name);
        let line = format!("doorward_decisions_total{{{labels}}} {count}\n");
        assert!(counted.text.contains(&line), "{line}{}", counted.text);
    }
    assert!(!counted.text.contains("t0p") && !counted.text.contains("johndoe"), "{}", counted.text);
    // At `info`, no decision is in the log.
    let (_, log) = server.kill();
    assert!(!log.contains("doorward::decision"), "{log}");
}
