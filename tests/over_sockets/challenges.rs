//! Complete challenges, as another parser reads them, and the metadata document.

use http_auth::parser::ChallengeParser;
use serde_json::{Value, json};
use tollgate_tests::client::ask;
use tollgate_tests::rfc;

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
                "realm": "tollgate",
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
