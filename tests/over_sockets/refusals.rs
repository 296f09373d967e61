//! Refusals in the format of the server.

use doorward_tests::client;
use serde_json::json;

use crate::Framework;

/// Checks each reason for which the scheme or its verifier refuses, and that the challenge is
/// there.
pub(crate) fn in_own_format(framework: &Framework) {
    let server = framework.start();
    let ask = |authorizations: &[&str]| {
        let lines = authorizations.iter().map(|line| ("Authorization", *line));
        let headers: Vec<_> = lines.chain([("X-Trace", "t-1")]).collect();
        client::ask(server.address(), "GET", "/format/me", &headers)
    };
    let invalid = r#"Bearer realm="Format", error="invalid_token", error_description="The access token is expired, revoked, malformed or otherwise invalid""#;
    for (authorizations, code, challenge) in [
        (&[][..], "missing", r#"Bearer realm="Format""#),
        (&["Basic YTpi"], "missing", r#"Bearer realm="Format""#),
        (&["Bearer"], "malformed", r#"Bearer realm="Format""#),
        (&["Bearer good", "Bearer good"], "repeated", r#"Bearer realm="Format""#),
        (&["Bearer bad"], "invalid", invalid),
    ] {
        let response = ask(authorizations);
        let context = format!("{authorizations:?}");
        let body = json!({ "status": 401, "errors": [{ "code": code, "trace": "t-1", "target": "/format/me" }] });
        assert_eq!(response.seen(), (401, body), "{context}");
        let header = |name| response.header(name);
        assert_eq!(header("content-type"), ["application/problem+json"], "{context}");
        assert_eq!(header("www-authenticate"), [challenge], "{context}");
    }
    let response = ask(&["Bearer good"]);
    let found = response.seen();
    assert_eq!(found, (200, json!({ "user": "good" })));
}

/// Checks that a proof is good only for the target that the client sends, also in a router that is
/// nested below another one.
pub(crate) fn of_other_targets(framework: &Framework) {
    let server = framework.start();
    let ask = |lines: &[(&str, &str)]| {
        client::ask(server.address(), "GET", "/users/reports?page=2", lines)
    };
    let token = ("Authorization", "Bearer t0k3n");
    for path in ["/reports", "/users", "/users/", "/users/reports/", "/users/reports?page=2", "/"] {
        let proof = format!("https://api.example.com{path}");
        let response = ask(&[token, ("DPoP", &proof)]);
        assert_eq!(response.status, 401, "{path}");
        assert_eq!(response.header("www-authenticate"), ["Bearer"], "{path}");
    }
    let found = ask(&[token, ("DPoP", "https://api.example.com/users/reports")]).seen();
    assert_eq!(found, (200, json!({ "target": "/users/reports?page=2" })));
    let missing = ask(&[]).json();
    assert_eq!(missing["errors"][0]["target"], "/users/reports");
}

/// Checks that a wrong session is nobody where the session is an alternative that is lenient.
pub(crate) fn of_lenient_alternatives(framework: &Framework) {
    let server = framework.start();
    for (cookies, user) in [
        (&[][..], json!(null)),
        (&["session=alice"], json!("alice")),
        (&["session=bob"], json!(null)),
        (&["session="], json!(null)),
        (&["other=alice"], json!(null)),
        (&["session=alice; session=alice"], json!(null)),
    ] {
        let lines: Vec<_> = cookies.iter().map(|line| ("Cookie", *line)).collect();
        let response = client::ask(server.address(), "GET", "/visit", &lines);
        let found = response.seen();
        assert_eq!(found, (200, json!({ "user": user })), "{cookies:?}");
    }
}
