//! Checks the contract's vectors over a socket.

use doorward_tests::client;
use doorward_tests::vectors::{Expect, assert_faults, load};
use serde_json::json;

use crate::{Exception, Framework};

/// The vectors and the route of each scheme.
pub(crate) const SCHEMES: [(&str, &str); 12] = [
    ("base.json", "/base"),
    ("bearer.json", "/password"),
    ("bearer.json", "/code"),
    ("bearer-strict.json", "/password-strict"),
    ("bearer-strict.json", "/websocket"),
    ("websocket.json", "/websocket"),
    ("api-key-header.json", "/api-key/header"),
    ("api-key-authorization.json", "/api-key/authorization"),
    ("api-key-query.json", "/api-key/query"),
    ("api-key-cookie.json", "/api-key/cookie"),
    ("api-key-cookie-first.json", "/api-key/cookie-first"),
    ("http-basic.json", "/basic"),
];

/// The vectors and the routes of each form.
const FORMS: [(&str, &str, &str); 2] = [
    ("form.json", "/form", "/form-faults"),
    ("form-strict.json", "/form-strict", "/form-strict-faults"),
];

/// The vectors and the route of each form with the credentials of its client, and the route whose
/// handler answers an error itself.
const FORMS_WITH_CLIENT: [(&str, &str, Option<&str>); 2] =
    [("grant.json", "/grant", Some("/grant-or-error")), ("revocation.json", "/revoke", None)];

/// Checks every case of the schemes that a socket can carry.
pub(crate) fn schemes(framework: &Framework) {
    let server = framework.start();
    for (file, path) in SCHEMES {
        let carried = load(file)
            .into_iter()
            .filter(|vector| vector.headers.iter().all(|(_, value)| is_carried(value)));
        for vector in carried {
            let id = &vector.id;
            let is_dropped = |(_, value): &(_, Vec<u8>)| std::str::from_utf8(value).is_err();
            if framework.has(&Exception::DropsHeadersThatAreNotUtf8)
                && vector.headers.iter().any(is_dropped)
            {
                let response =
                    client::send(server.address(), "GET", path, &vector.headers, b"").unwrap();
                assert_eq!(response.status, 401, "{id}");
                continue;
            }
            let get = |path: &str| {
                let target = format!("{path}{}", vector.query());
                let (method, headers) = (&vector.method, &vector.headers);
                client::send(server.address(), method, &target, headers, b"").unwrap()
            };
            let (response, optional) = (get(path), get(&format!("{path}-optional")));
            match &vector.expect {
                expected if expected.credential().is_some() => {
                    let found = expected.credential().unwrap();
                    assert_eq!(response.seen(), (200, json!({ "credential": found })), "{id}");
                    assert_eq!(optional.seen(), (200, json!({ "credential": found })), "{id}");
                }
                Expect::Reject { status, detail, www_authenticate } => {
                    assert_eq!(response.seen(), (*status, json!({ "detail": detail })), "{id}");
                    let challenges: Vec<_> = www_authenticate.iter().collect();
                    assert_eq!(response.header("www-authenticate"), challenges, "{id}");
                    assert_eq!(response.header("content-type"), ["application/json"], "{id}");
                    let optional = optional.seen();
                    match vector.optional.as_deref() {
                        Some("none") => {
                            assert_eq!(optional, (200, json!({ "credential": null })), "{id}");
                        }
                        _ => assert_eq!(optional, (*status, response.json()), "{id}"),
                    }
                }
                other => panic!("{id}: a scheme has no outcome {other:?}"),
            }
        }
    }
}

/// Returns `true` if a socket can carry a value unchanged. A server strips the blanks from both
/// ends of a header's value (RFC 9110, 5.5).
pub(crate) fn is_carried(value: &[u8]) -> bool {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    !is_blank(value.first()) && !is_blank(value.last())
}

#[test]
fn a_socket_carries_most_vectors() {
    for (file, not_carried) in [("base.json", 3), ("bearer.json", 7), ("bearer-strict.json", 7)] {
        let vectors = load(file);
        let left_out = vectors
            .iter()
            .filter(|vector| !vector.headers.iter().all(|(_, value)| is_carried(value)));
        assert_eq!(left_out.count(), not_carried, "{file}");
    }
}

/// Checks every case of the forms.
pub(crate) fn forms(framework: &Framework) {
    let server = framework.start();
    for (file, path, faults_path) in FORMS {
        for vector in load(file) {
            let id = &vector.id;
            let post = |path| {
                client::send(server.address(), "POST", path, &vector.headers, &vector.body).unwrap()
            };
            let (response, faulty) = (post(path), post(faults_path));
            match &vector.expect {
                Expect::Fields { fields } => {
                    assert_eq!((response.status, &response.json()), (200, fields), "{id}");
                    assert_eq!((faulty.status, &faulty.json()), (200, fields), "{id}");
                }
                Expect::Error { errors, contains, .. } => {
                    let faults = &faulty.json()["faults"];
                    assert_eq!(faulty.status, 422, "{id}");
                    assert_faults(id, faults, errors.as_deref(), contains.as_deref());
                    let is_too_large = *faults == json!([["too_large", null]]);
                    assert_eq!(response.status, if is_too_large { 413 } else { 400 }, "{id}");
                    let only_grant_type = *faults == json!([["grant_type", "grant_type"]]);
                    let error =
                        if only_grant_type { "unsupported_grant_type" } else { "invalid_request" };
                    assert_eq!(response.json()["error"], error, "{id}");
                    assert!(response.json()["error_description"].is_string(), "{id}");
                    assert_eq!(response.header("content-type"), ["application/json"], "{id}");
                    assert_eq!(response.header("cache-control"), ["no-store"], "{id}");
                    assert_eq!(response.header("pragma"), ["no-cache"], "{id}");
                }
                other => panic!("{id}: a form has no outcome {other:?}"),
            }
        }
    }
}

/// Checks every case of the forms with the credentials of their client.
pub(crate) fn forms_with_client(framework: &Framework) {
    let server = framework.start();
    for (file, path, error_path) in FORMS_WITH_CLIENT {
        for vector in load(file) {
            let id = &vector.id;
            let post = |path| {
                let target = format!("{path}{}", vector.query());
                let (headers, body) = (&vector.headers, &vector.body);
                client::send(server.address(), "POST", &target, headers, body).unwrap()
            };
            let (response, by_hand) = (post(path), error_path.map(post));
            let by_hand = by_hand.map(|by_hand| by_hand.seen());
            if let Some(expected) = vector.expect.form_and_client() {
                let expected = (200, expected);
                assert_eq!(response.seen(), expected, "{id}");
                assert!(by_hand.is_none_or(|by_hand| by_hand == expected), "{id}");
                continue;
            }
            let Expect::Error { status: Some(status), error: Some(error), .. } = &vector.expect
            else {
                panic!("{id}: a form has no outcome {:?}", vector.expect);
            };
            assert_eq!(response.error(), (*status, json!(error)), "{id}");
            assert!(response.json()["error_description"].is_string(), "{id}");
            for (name, value) in [
                ("content-type", "application/json"),
                ("cache-control", "no-store"),
                ("pragma", "no-cache"),
            ] {
                assert_eq!(response.header(name), [value], "{id}");
            }
            assert!(response.header("www-authenticate").is_empty(), "{id}");
            let refused = (422, json!({ "refused": [status, error] }));
            assert!(by_hand.is_none_or(|by_hand| by_hand == refused), "{id}");
            vector.assert_hidden(&format!("{response:?}"));
        }
    }
}

/// Checks every case of a client's credentials, alone and with the fields of a form.
pub(crate) fn clients(framework: &Framework) {
    let server = framework.start();
    let form = ("Content-Type".to_owned(), b"application/x-www-form-urlencoded".to_vec());
    for vector in load("basic-client.json") {
        let id = &vector.id;
        let with_form = [&vector.headers[..], std::slice::from_ref(&form)].concat();
        let post = |headers: &[_], body| {
            client::send(server.address(), "POST", "/client", headers, body).unwrap()
        };
        let (alone, beside) = (post(&vector.headers, b""), post(&with_form, b"client_id=form&x=1"));
        match &vector.expect {
            Expect::Client { client_id, client_secret } => {
                let found = json!({ "client_id": client_id, "client_secret": client_secret });
                assert_eq!(alone.seen(), (200, found), "{id}");
                // The form has another identifier, which contradicts the header.
                assert_eq!(beside.error(), (400, json!("invalid_request")), "{id}");
            }
            Expect::None {} => {
                assert_eq!(alone.seen(), (200, json!(null)), "{id}");
                let found = json!({ "client_id": "form", "client_secret": null });
                assert_eq!(beside.seen(), (200, found), "{id}");
            }
            Expect::Error { status: Some(status), error: Some(error), .. } => {
                for response in [alone, beside] {
                    assert_eq!(response.error(), (*status, json!(error)), "{id}");
                    assert_eq!(response.header("cache-control"), ["no-store"], "{id}");
                    assert_eq!(response.header("content-type"), ["application/json"], "{id}");
                }
            }
            other => panic!("{id}: a client has no outcome {other:?}"),
        }
    }
}
