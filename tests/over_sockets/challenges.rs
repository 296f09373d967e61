//! Complete challenges, as another parser reads them, and the metadata document.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use doorward_tests::client::ask;
use doorward_tests::rfc;
use http_auth::parser::ChallengeParser;
use serde_json::{Value, json};

use crate::Framework;

const METADATA: &str = "/.well-known/oauth-protected-resource/v1";

/// Checks the challenge of every refusal.
pub(crate) fn parsed(framework: &Framework) {
    let server = framework.start();
    for (path, scope) in [("/rfc/me", "me"), ("/rfc/items", "items me")] {
        for (authorizations, status, error) in [
            (&[][..], 401, None),
            (&["Basic YTpi"], 401, None),
            (&["Bearer good:me,items", "Bearer good:me,items"], 401, None),
            (&["Bearer"], 401, Some("invalid_token")),
            (&["Bearer good"], 401, Some("invalid_token")),
            (&["Bearer good:"], 403, Some("insufficient_scope")),
            (&["bearer good:items"], 403, Some("insufficient_scope")),
            (&["Bearer good:mes,item"], 403, Some("insufficient_scope")),
        ] {
            let lines = Vec::from_iter(authorizations.iter().map(|line| ("Authorization", *line)));
            let response = ask(server.address(), "GET", path, &lines);
            assert_eq!(response.status, status, "{path} {authorizations:?}");
            let lines = response.header("www-authenticate");
            let [line] = lines[..] else { panic!("{path} {authorizations:?}: {lines:?}") };
            let mut parameters = parameters_of(line);
            let description = parameters.remove("error_description");
            assert_eq!(description.is_some(), error.is_some(), "{line}");
            let expected = json!({
                "realm": "doorward",
                "scope": scope,
                "resource_metadata": format!("https://api.example.com{METADATA}"),
            });
            let mut expected = expected.as_object().cloned().unwrap();
            expected.extend(error.map(|error| ("error".to_owned(), error.into())));
            assert_eq!(parameters, expected, "{line}");
        }
        let good = [("Authorization", "Bearer good:items,me")];
        let response = ask(server.address(), "GET", path, &good);
        assert_eq!(response.status, 200);
        assert_eq!(response.json(), json!({ "scopes": ["items", "me"] }));
    }
}

/// Checks the challenges of dependencies above schemes: each `401` has those of the schemes below,
/// as where the credential is missing, and no other refusal has one.
pub(crate) fn of_dependencies(framework: &Framework) {
    let server = framework.start();
    let token = r#"Bearer realm="challenged", scope="items""#;
    let [none, wrong, blocked] = ["", "wrong", "blocked"];
    for (path, challenges) in [
        ("/challenged/key", &["APIKey"][..]),
        ("/challenged/maybe", &[token]),
        ("/challenged/either", &["APIKey", token]),
        ("/challenged/quiet", &[]),
        ("/challenged/ticket", &["APIKey"]),
    ] {
        for (credential, status) in [(none, 401), (wrong, 401), (blocked, 403)] {
            let bearer = format!("Bearer {credential}");
            let basic = format!("Basic {}", STANDARD.encode(format!("{credential}:")));
            let line = match path {
                "/challenged/maybe" => ("Authorization", &*bearer),
                "/challenged/quiet" => ("Authorization", &*basic),
                _ => ("X-Key", credential),
            };
            let lines = if credential.is_empty() { &[][..] } else { &[line] };
            let response = ask(server.address(), "GET", path, lines);
            let context = format!("{path} {credential}");
            assert_eq!(response.status, status, "{context}");
            let expected = if status == 401 { challenges } else { &[] };
            assert_eq!(response.header("www-authenticate"), expected, "{context}");
            if credential == wrong {
                assert_eq!(response.header("content-type"), ["application/problem+json"]);
                assert_eq!(response.json()["errors"][0]["code"], "unknown", "{context}");
            }
        }
    }
    // The extractor of a dependency refuses.
    let good = ask(server.address(), "GET", "/challenged/ticket", &[("X-Key", "good")]);
    assert_eq!(good.json()["errors"][0]["code"], "no_ticket");
    assert_eq!((good.status, good.header("www-authenticate")), (401, vec!["APIKey"]));
    let good = ask(server.address(), "GET", "/challenged/key", &[("X-Key", "good")]);
    assert_eq!((good.status, good.header("www-authenticate")), (200, vec![]));
}

/// Returns the parameters of the one challenge in a line.
fn parameters_of(line: &str) -> serde_json::Map<String, Value> {
    let challenges: Result<Vec<_>, _> = ChallengeParser::new(line).collect();
    let challenges = challenges.unwrap();
    let [challenge] = &challenges[..] else { panic!("{line}") };
    assert_eq!(challenge.scheme, "Bearer");
    let parameters = challenge.params.iter();
    parameters.map(|(name, value)| ((*name).to_owned(), value.to_unescaped().into())).collect()
}

/// Checks that every site can read the metadata document, without a token.
pub(crate) fn metadata(framework: &Framework) {
    let server = framework.start();
    let request = |method, headers: &[_]| ask(server.address(), method, METADATA, headers);
    let found = request("GET", &[("Origin", "https://inspector.example.com")]);
    assert_eq!(found.status, 200);
    for (name, value) in [
        ("content-type", "application/json"),
        ("cache-control", "public, max-age=3600"),
        ("access-control-allow-origin", "*"),
    ] {
        assert_eq!(found.header(name), [value], "{name}");
    }
    assert_eq!(found.body, rfc::metadata().unwrap().to_json());
    let head = request("HEAD", &[]);
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    let preflight = request(
        "OPTIONS",
        &[
            ("Origin", "https://inspector.example.com"),
            ("Access-Control-Request-Method", "GET"),
            ("Access-Control-Request-Headers", "mcp-protocol-version"),
        ],
    );
    assert_eq!(preflight.status, 204);
    for (name, value) in [
        ("access-control-allow-origin", "*"),
        ("access-control-allow-methods", "GET, HEAD"),
        ("access-control-allow-headers", "*"),
    ] {
        assert_eq!(preflight.header(name), [value], "{name}");
    }
    assert!(matches!(request("POST", &[]).status, 404 | 405));
}
