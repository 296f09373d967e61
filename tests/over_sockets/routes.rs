//! The routes that need no vectors: scopes, handlers and the API description.

use serde_json::{Value, json};
use tollgate_tests::client::send;
use tollgate_tests::description::conformance;

use crate::Framework;

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
        let response = send(server.address(), "GET", path, &[], b"").unwrap();
        assert_eq!(
            (response.status, response.json()),
            (200, expected),
            "{path}"
        );
    }
}

/// Checks a dependency with one of the framework's extractors and one of tollgate's errors, a
/// guard, an optional scheme, and a custom response.
pub(crate) fn handlers(framework: &Framework) {
    let server = framework.start();
    let get = |path: &str, authorization: &str| {
        let line = (
            "Authorization".to_owned(),
            authorization.as_bytes().to_vec(),
        );
        let headers = if authorization.is_empty() {
            Vec::new()
        } else {
            vec![line]
        };
        send(server.address(), "GET", path, &headers, b"").unwrap()
    };
    let not_authenticated = json!({ "detail": "Not authenticated" });
    for (path, authorization, status, body) in [
        (
            "/own",
            "Bearer john",
            200,
            json!({ "user": "GET john items" }),
        ),
        ("/own", "Basic john", 401, not_authenticated.clone()),
        ("/own", "", 401, not_authenticated.clone()),
        (
            "/guarded",
            "Bearer john",
            200,
            json!({ "credential": "john" }),
        ),
        ("/guarded", "Basic john", 200, json!({ "credential": null })),
        ("/guarded", "", 401, not_authenticated),
        (
            "/by-hand",
            "Bearer john",
            200,
            json!({ "credential": "john" }),
        ),
        ("/by-hand", "", 200, json!({ "refused": 401 })),
    ] {
        let response = get(path, authorization);
        assert_eq!(
            (response.status, response.json()),
            (status, body),
            "{path} {authorization}"
        );
        let challenge: &[&str] = if status == 401 { &["Bearer"] } else { &[] };
        assert_eq!(
            response.header("www-authenticate"),
            challenge,
            "{path} {authorization}"
        );
    }
    let forbidden = get("/own", "Bearer mallory");
    assert_eq!(forbidden.status, 403);
    assert_eq!(
        forbidden.header("www-authenticate"),
        [r#"Bearer error="insufficient_scope", scope="items""#]
    );
}

/// Checks that the description is the same on each framework.
pub(crate) fn description(framework: &Framework) {
    let server = framework.start();
    let response = send(server.address(), "GET", "/openapi.json", &[], b"").unwrap();
    let document: Value = response.json();
    assert_eq!((response.status, document), (200, conformance().unwrap()));
}
