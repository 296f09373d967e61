//! The routes that need no vectors: scopes, and the API description.

use serde_json::{Value, json};
use tollgate_tests::client::send;
use tollgate_tests::description::conformance;

use crate::Framework;

/// What the leaf of each chain sees.
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

/// The description, which is the same on each framework.
pub(crate) fn description(framework: &Framework) {
    let server = framework.start();
    let response = send(server.address(), "GET", "/openapi.json", &[], b"").unwrap();
    let document: Value = response.json();
    assert_eq!((response.status, document), (200, conformance().unwrap()));
}
