//! Dependencies with arguments.

use doorward_tests::client::{self, Response};
use doorward_tests::server::Server;
use serde_json::{Value, json};

use crate::Framework;

fn ask(server: &Server, method: &str, path: &str, token: &str) -> Response {
    let line = format!("Bearer {token}");
    client::ask(server.address(), method, path, &[("Authorization", &line)])
}

const WRONG: [&str; 7] =
    ["alice", ":admin", "alice:", "alice:owner", "alice:Admin", "alice:admin:", "alice: admin"];

fn assert_invalid(response: &Response, context: &str) {
    let body = json!({ "detail": "Could not validate credentials" });
    assert_eq!(response.seen(), (401, body), "{context}");
    let challenge = response.header("www-authenticate");
    assert_eq!(challenge, [r#"Bearer error="invalid_token""#], "{context}");
}

/// Checks each role, and that a refusal has no challenge.
pub(crate) fn roles(framework: &Framework) {
    let server = framework.start();
    for (path, token, is_let_in) in [
        ("/role/editor", "alice:reader", false),
        ("/role/editor", "alice:editor", true),
        ("/role/editor", "alice:admin", true),
        ("/role/admin", "alice:reader", false),
        ("/role/admin", "alice:editor", false),
        ("/role/admin", "alice:admin", true),
    ] {
        let (status, body) = match is_let_in {
            true => (200, json!({ "user": "alice" })),
            false => (403, json!({ "detail": "Not enough rights" })),
        };
        let response = ask(&server, "GET", path, token);
        assert_eq!(response.seen(), (status, body), "{path} {token}");
        let challenges: [&str; 0] = [];
        assert_eq!(response.header("www-authenticate"), challenges, "{path} {token}");
    }
    for token in WRONG {
        assert_invalid(&ask(&server, "GET", "/role/editor", token), token);
    }
    let missing = client::ask(server.address(), "GET", "/role/editor", &[]);
    let body = json!({ "detail": "Not authenticated" });
    assert_eq!(missing.seen(), (401, body));
    assert_eq!(missing.header("www-authenticate"), ["Bearer"]);
}

/// Checks what each caller may do to each object.
pub(crate) fn objects(framework: &Framework) {
    // Their servers have no extractor of a part of the path.
    if ["hyper", "warp"].contains(&framework.name) {
        return;
    }
    let server = framework.start();
    let owners = [("1", "alice"), ("2", "bob"), ("3", "alice")];
    for (name, role) in [("alice", "reader"), ("bob", "editor"), ("root", "admin")] {
        let token = format!("{name}:{role}");
        for (method, action) in [("GET", "read"), ("PUT", "change")] {
            for (id, owner) in owners {
                let is_allowed = action == "read" || name == owner || role == "admin";
                let response = ask(&server, method, &format!("/act/{action}/{id}"), &token);
                let found = response.seen();
                let expected = match is_allowed {
                    true => {
                        let id: Value = id.parse().unwrap();
                        (200, json!({ "id": id, "owner": owner, "action": action, "user": name }))
                    }
                    false => (404, json!({ "detail": "Not Found" })),
                };
                assert_eq!(found, expected, "{token} {action} {id}");
            }
            for id in ["0", "4", "10", "-1", "1.0", "one", "1%20"] {
                let response = ask(&server, method, &format!("/act/{action}/{id}"), &token);
                let found = response.seen();
                assert_eq!(found, (404, json!({ "detail": "Not Found" })), "{action} {id}");
            }
        }
    }
    for token in WRONG {
        assert_invalid(&ask(&server, "GET", "/act/read/1", token), token);
        assert_invalid(&ask(&server, "PUT", "/act/change/9", token), token);
    }
}
