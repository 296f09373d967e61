//! Each answer of a route that decides is one event, which says the same as the answer.

use doorward_tests::client;
use doorward_tests::server::Server;
use doorward_tests::vectors::load;
use serde_json::Value;

use crate::Framework;
use crate::first::body_of;
use crate::vectors::{SCHEMES, is_carried};

/// The header lines of a request.
type Lines = [(&'static str, &'static str)];

/// Requests to the routes of plans: a path, and the lines of each request.
const PLANS: [(&str, &[&Lines]); 20] = {
    const NONE: &[(&str, &str)] = &[];
    const JOHN: &[(&str, &str)] = &[("Authorization", "Bearer john")];
    const BASIC: &[(&str, &str)] = &[("Authorization", "Basic YTpi")];
    const KEY: &[(&str, &str)] = &[("X-API-Key", "k")];
    const TWICE: &[(&str, &str)] = &[("X-API-Key", "k"), ("X-API-Key", "k")];
    const EDITOR: &[(&str, &str)] = &[("Authorization", "Bearer alice:editor")];
    [
        ("/own", &[NONE, JOHN, BASIC, &[("Authorization", "Bearer mallory")]]),
        ("/guarded", &[NONE, JOHN, BASIC]),
        ("/scopes/none", &[NONE]),
        ("/scopes/branches", &[NONE]),
        ("/rfc/me", &[NONE, JOHN, &[("Authorization", "Bearer me")]]),
        ("/rfc/items", &[NONE, JOHN, &[("Authorization", "Bearer me")]]),
        ("/one-of", &[NONE, JOHN, BASIC, KEY, TWICE]),
        ("/one-of-required", &[NONE, JOHN, BASIC, KEY, TWICE]),
        ("/role/editor", &[NONE, JOHN, EDITOR]),
        ("/role/admin", &[NONE, JOHN, EDITOR]),
        ("/challenged/key", &[NONE, KEY, TWICE]),
        ("/challenged/maybe", &[NONE, JOHN, KEY]),
        ("/challenged/either", &[NONE, JOHN, KEY]),
        ("/challenged/quiet", &[NONE, JOHN]),
        ("/challenged/ticket", &[NONE, JOHN]),
        ("/format/me", &[NONE, JOHN, &[("Authorization", "Bearer good")]]),
        ("/visit", &[NONE, &[("Cookie", "session=alice")], &[("Cookie", "session=bob")]]),
        ("/users/reports", &[NONE, JOHN]),
        ("/act/read/1", &[NONE, JOHN, EDITOR]),
        ("/act/read/9", &[EDITOR]),
    ]
};

/// Counts the answers, and holds the events against them.
pub(crate) fn counted(framework: &Framework) {
    let arguments = ["--framework", framework.name, "--decisions"];
    let program = env!("CARGO_BIN_EXE_conformance");
    let (server, errors) = Server::start_heard(program, &arguments).unwrap();
    let mut answers = Vec::new();
    let mut ask = |method: &str, target: &str, lines: &[(String, Vec<u8>)], body: &[u8]| {
        let answer = client::send(server.address(), method, target, lines, body).unwrap();
        answers.push((target.to_owned(), answer.status));
        answer.status
    };
    for (file, path) in SCHEMES {
        for vector in load(file) {
            if vector.headers.iter().all(|(_, value)| is_carried(value)) {
                for path in [path, &format!("{path}-optional")] {
                    let target = format!("{path}{}", vector.query());
                    ask(&vector.method, &target, &vector.headers, b"");
                }
            }
        }
    }
    for (path, requests) in PLANS {
        // Their servers have no extractor of a part of the path.
        if path.starts_with("/act/") && ["hyper", "warp"].contains(&framework.name) {
            continue;
        }
        for lines in requests {
            let lines = lines.iter().map(|(name, value)| ((*name).to_owned(), (*value).into()));
            ask("GET", path, &Vec::from_iter(lines), b"");
        }
    }
    for (kind, route) in framework.routes() {
        let (content_type, body) = body_of(kind);
        for (token, status) in [("in:1", 200), ("out:1", 401)] {
            let lines = [
                ("Authorization".to_owned(), format!("Bearer {token}").into()),
                ("Content-Type".to_owned(), content_type.into()),
            ];
            let target = format!("{route}/1?number=1");
            assert_eq!(ask("POST", &target, &lines, body.as_bytes()), status, "{target}");
        }
    }
    drop(server);
    // There, two filters decide about a request, each by its own plan.
    if framework.name == "warp" {
        let doubled = answers.iter().position(|answer| *answer == ("/guarded".to_owned(), 200));
        let doubled = doubled.unwrap();
        answers.insert(doubled, answers[doubled].clone());
        answers.insert(doubled, answers[doubled].clone());
    }
    let events = errors.join().unwrap().into_iter().filter(|line| line.starts_with('{'));
    let events = Vec::from_iter(events.map(|line| serde_json::from_str::<Value>(&line).unwrap()));
    for ((target, status), event) in answers.iter().zip(&events) {
        let context = format!("{target} {status} {event}");
        let outcome = match status {
            ..300 => "let_in",
            500.. => "failed",
            _ => "refused",
        };
        assert_eq!(event["outcome"], outcome, "{context}");
        let is_let_in = outcome == "let_in";
        let refusal = if is_let_in { Value::Null } else { (*status).into() };
        assert_eq!(event["status"], refusal, "{context}");
        assert_eq!(event["reason"].is_null(), is_let_in, "{context}");
        assert!(!event["handler"].as_str().unwrap().is_empty(), "{context}");
        let text = event.to_string();
        // Parts of the credentials and of the paths.
        for part in ["john", "mallory", "alice", "bob", "t0k", "secret", "/", "number"] {
            assert!(!text.contains(part), "{context}");
        }
    }
    assert_eq!(events.len(), answers.len());
}
