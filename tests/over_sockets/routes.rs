//! The routes that need no vectors: scopes, handlers and the API description.

use doorward_tests::client::ask;
use doorward_tests::description::conformance;
use serde_json::json;

use crate::{Exception, Framework};

/// Checks the scopes that the leaf of each chain sees.
pub(crate) fn scopes(framework: &Framework) {
    let server = framework.start();
    let seen = |scopes: &[&str]| json!({ "scopes": scopes, "scope_str": scopes.join(" ") });
    for (path, expected) in [
        ("/scopes/none", seen(&[])),
        ("/scopes/me", seen(&["me"])),
        ("/scopes/items-me", seen(&["items", "me"])),
        ("/scopes/repeated", seen(&["me", "items"])),
        (
            "/scopes/branches",
            json!({ "left": seen(&["scope3", "scope1"]), "right": seen(&["scope3", "scope2"]) }),
        ),
    ] {
        let response = ask(server.address(), "GET", path, &[]);
        assert_eq!(response.seen(), (200, expected), "{path}");
    }
}

/// What a framework answers to other methods of a secured route, as the guide lists it.
pub(crate) fn methods(framework: &Framework) {
    let server = framework.start();
    let (head, put) = match framework.name {
        "axum" | "poem" => (401, 405),
        "actix-web" => (404, 404),
        "hyper" => (401, 401),
        "rocket" => (401, 404),
        _ => (405, 405),
    };
    for (method, status) in [("GET", 401), ("HEAD", head), ("PUT", put)] {
        assert_eq!(ask(server.address(), method, "/own", &[]).status, status, "{method}");
    }
}

/// Checks a dependency with one of the framework's extractors and one of doorward's errors, a
/// guard, an optional scheme, and a custom response.
pub(crate) fn handlers(framework: &Framework) {
    let server = framework.start();
    let get = |path: &str, authorization: &str| {
        let line = [("Authorization", authorization)];
        ask(server.address(), "GET", path, if authorization.is_empty() { &[] } else { &line })
    };
    let not_authenticated = json!({ "detail": "Not authenticated" });
    for (path, authorization, status, body) in [
        ("/own", "Bearer john", 200, json!({ "user": "GET john items" })),
        ("/own", "Basic john", 401, not_authenticated.clone()),
        ("/own", "", 401, not_authenticated.clone()),
        ("/guarded", "Bearer john", 200, json!({ "credential": "john" })),
        ("/guarded", "Basic john", 200, json!({ "credential": null })),
        ("/guarded", "", 401, not_authenticated),
        ("/by-hand", "Bearer john", 200, json!({ "credential": "john" })),
        ("/by-hand", "", 200, json!({ "refused": 401 })),
    ] {
        let response = get(path, authorization);
        assert_eq!(response.seen(), (status, body), "{path} {authorization}");
        let challenge: &[&str] = if status == 401 { &["Bearer"] } else { &[] };
        assert_eq!(response.header("www-authenticate"), challenge, "{path} {authorization}");
    }
    let forbidden = get("/own", "Bearer mallory");
    assert_eq!(forbidden.status, 403);
    assert_eq!(
        forbidden.header("www-authenticate"),
        [r#"Bearer error="insufficient_scope", scope="items""#]
    );
}

/// Checks which alternative a request means.
pub(crate) fn alternatives(framework: &Framework) {
    let server = framework.start();
    let get = |path: &str, lines: &[_]| ask(server.address(), "GET", path, lines);
    let [token, key, basic] =
        [("Authorization", "Bearer john"), ("X-API-Key", "k"), ("Authorization", "Basic YTpi")];
    for path in ["/one-of", "/one-of-required"] {
        for (lines, expected) in [
            (&[token][..], json!({ "token": "john" })),
            (&[key], json!({ "key": "k" })),
            (&[key, token], json!({ "token": "john" })),
            (&[basic, key], json!({ "key": "k" })),
        ] {
            let response = get(path, lines);
            let found = response.seen();
            assert_eq!(found, (200, expected), "{path} {lines:?}");
        }
        // A credential that is present and wrong is not absent.
        for (lines, challenge) in [
            (&[token, token][..], "Bearer"),
            (&[token, basic, key], "Bearer"),
            (&[key, key], "APIKey"),
            (&[("Authorization", "Bearer \u{e9}"), key], "Bearer"),
        ] {
            let is_dropped = framework.has(&Exception::DropsHeadersThatAreNotUtf8)
                && lines.iter().any(|(_, value)| !value.is_ascii());
            if is_dropped {
                continue;
            }
            let response = get(path, lines);
            assert_eq!(response.status, 401, "{path} {lines:?}");
            assert_eq!(response.header("www-authenticate"), [challenge], "{path} {lines:?}");
        }
    }
    for lines in [&[][..], &[basic], &[("X-API-Key", "")]] {
        let anyone = get("/one-of", lines);
        assert_eq!(anyone.seen(), (200, json!({})), "{lines:?}");
        let refused = get("/one-of-required", lines);
        assert_eq!(refused.status, 401, "{lines:?}");
        assert_eq!(refused.json(), json!({ "detail": "Not authenticated" }));
        assert_eq!(refused.header("www-authenticate"), ["Bearer", "APIKey"]);
    }
}

/// Checks that the description is the same on each framework, to the byte.
pub(crate) fn description(framework: &Framework) {
    let server = framework.start();
    let response = ask(server.address(), "GET", "/openapi.json", &[]);
    // The text, so that the order is the same too.
    let document = conformance().unwrap().to_string();
    assert_eq!((response.status, response.body), (200, document));
}
