//! The contract's vectors, in process and over a socket.

use http::{HeaderMap, HeaderName, HeaderValue, Response};
use serde_json::{Value, json};
use tollgate::{
    FormError, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, PasswordRequestForm,
    Rejection, Scheme,
};
use tollgate_tests::client;
use tollgate_tests::schemes::{
    Base, BaseOptional, Code, CodeOptional, Password, PasswordOptional, PasswordStrict,
    PasswordStrictOptional,
};
use tollgate_tests::server::Server;
use tollgate_tests::shown::{Attributes, Shown, faults, latin1};
use tollgate_tests::vectors::{Expect, Vector, load};

/// Each scheme: its vectors, how it decides, how it decides with `auto_error = false`, and its route.
const SCHEMES: [(&str, Decide, Decide, &str); 4] = [
    ("base.json", decide::<Base>, decide::<BaseOptional>, "/base"),
    (
        "bearer.json",
        decide::<Password>,
        decide::<PasswordOptional>,
        "/password",
    ),
    (
        "bearer.json",
        decide::<Code>,
        decide::<CodeOptional>,
        "/code",
    ),
    (
        "bearer-strict.json",
        decide::<PasswordStrict>,
        decide::<PasswordStrictOptional>,
        "/password-strict",
    ),
];

/// Each form: its vectors, how it reads a body, and its routes.
const FORMS: [(&str, ReadForm, &str, &str); 2] = [
    (
        "form.json",
        read::<OAuth2PasswordRequestForm>,
        "/form",
        "/form-faults",
    ),
    (
        "form-strict.json",
        read::<OAuth2PasswordRequestFormStrict>,
        "/form-strict",
        "/form-strict-faults",
    ),
];

type Decide = fn(&Vector) -> Result<Value, Rejection>;
type ReadForm = fn(&Vector) -> Result<Value, FormError>;

fn header_map(vector: &Vector) -> HeaderMap {
    let header = |(name, value): &(String, Vec<u8>)| {
        (
            HeaderName::try_from(name).unwrap(),
            HeaderValue::from_bytes(value).unwrap(),
        )
    };
    vector
        .headers
        .iter()
        .map(header)
        .fold(HeaderMap::new(), |mut headers, (name, value)| {
            headers.append(name, value);
            headers
        })
}

/// Decides from headers and from lines, owned and borrowed, which have to agree.
fn decide<S: Scheme>(vector: &Vector) -> Result<Value, Rejection>
where
    S::Yield: Shown,
    for<'h> tollgate::YieldRef<'h, S>: Lent,
{
    let headers = header_map(vector);
    let owned = S::authenticate(&headers).map(|found| found.shown());
    let borrowed = S::authenticate_ref(&headers).map(Lent::shown);
    let from_lines =
        S::authenticate_lines(vector.headers.iter().map(|(_, value)| value.as_slice()))
            .map(Lent::shown);
    assert_eq!(owned, borrowed, "{}", vector.id);
    assert_eq!(owned, from_lines, "{}", vector.id);
    owned
}

/// What a scheme yields, borrowed.
trait Lent {
    fn shown(self) -> Value;
}

impl Lent for &str {
    fn shown(self) -> Value {
        json!(self)
    }
}

impl Lent for &[u8] {
    fn shown(self) -> Value {
        json!(latin1(self))
    }
}

impl<T: Lent> Lent for Option<T> {
    fn shown(self) -> Value {
        self.map_or(Value::Null, Lent::shown)
    }
}

fn read<T: Attributes>(vector: &Vector) -> Result<Value, FormError> {
    let form = <T as PasswordRequestForm<'_>>::decode_request(&header_map(vector), &vector.body);
    form.map(|form| form.attributes())
}

#[test]
fn schemes_in_process() {
    for (file, decide, decide_optional, _) in SCHEMES {
        for vector in load(file) {
            let id = &vector.id;
            let decided = decide(&vector);
            match &vector.expect {
                Expect::Value { value: found } | Expect::Token { token: found } => {
                    assert_eq!(decided, Ok(json!(found)), "{id}");
                    assert_eq!(decide_optional(&vector), Ok(json!(found)), "{id}");
                }
                Expect::Reject {
                    status,
                    detail,
                    www_authenticate,
                } => {
                    let response = Response::<String>::from(decided.expect_err(id));
                    assert_eq!(response.status(), *status, "{id}");
                    assert_eq!(
                        response.headers()["www-authenticate"],
                        www_authenticate,
                        "{id}"
                    );
                    assert_eq!(
                        *response.body(),
                        json!({ "detail": detail }).to_string(),
                        "{id}"
                    );
                    assert_eq!(vector.optional.as_deref(), Some("none"), "{id}");
                    assert_eq!(decide_optional(&vector), Ok(Value::Null), "{id}");
                }
                other => panic!("{id}: a scheme has no outcome {other:?}"),
            }
        }
    }
}

#[test]
fn schemes_over_a_socket() {
    let server = Server::start(env!("CARGO_BIN_EXE_conformance")).unwrap();
    for (file, _, _, path) in SCHEMES {
        let carried = load(file)
            .into_iter()
            .filter(|vector| vector.headers.iter().all(|(_, value)| is_carried(value)));
        for vector in carried {
            let id = &vector.id;
            let get = |path: &str| {
                client::send(server.address(), "GET", path, &vector.headers, b"").unwrap()
            };
            let (response, optional) = (get(path), get(&format!("{path}-optional")));
            match &vector.expect {
                Expect::Value { value: found } | Expect::Token { token: found } => {
                    assert_eq!(
                        (response.status, response.json()),
                        (200, json!({ "credential": found })),
                        "{id}"
                    );
                    assert_eq!(
                        (optional.status, optional.json()),
                        (200, json!({ "credential": found })),
                        "{id}"
                    );
                }
                Expect::Reject {
                    status,
                    detail,
                    www_authenticate,
                } => {
                    assert_eq!(
                        (response.status, response.json()),
                        (*status, json!({ "detail": detail })),
                        "{id}"
                    );
                    assert_eq!(
                        response.header("www-authenticate"),
                        [www_authenticate],
                        "{id}"
                    );
                    assert_eq!(
                        response.header("content-type"),
                        ["application/json"],
                        "{id}"
                    );
                    assert_eq!(
                        (optional.status, optional.json()),
                        (200, json!({ "credential": null })),
                        "{id}"
                    );
                }
                other => panic!("{id}: a scheme has no outcome {other:?}"),
            }
        }
    }
}

/// A server takes the blanks off both ends of a header's value (RFC 9110, 5.5) before anyone sees it.
fn is_carried(value: &[u8]) -> bool {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    !is_blank(value.first()) && !is_blank(value.last())
}

#[test]
fn a_socket_carries_most_vectors() {
    for (file, not_carried) in [
        ("base.json", 3),
        ("bearer.json", 7),
        ("bearer-strict.json", 7),
    ] {
        let vectors = load(file);
        let left_out = vectors
            .iter()
            .filter(|vector| !vector.headers.iter().all(|(_, value)| is_carried(value)));
        assert_eq!(left_out.count(), not_carried, "{file}");
    }
}

#[test]
fn forms_in_process() {
    for (file, read, _, _) in FORMS {
        for vector in load(file) {
            let id = &vector.id;
            match (read(&vector), &vector.expect) {
                (Ok(found), Expect::Fields { fields }) => assert_eq!(found, *fields, "{id}"),
                (Err(error), Expect::Error { errors, contains }) => {
                    assert_faults(id, &faults(&error), errors.as_deref(), contains.as_deref());
                }
                (read, expected) => panic!("{id}: {read:?} instead of {expected:?}"),
            }
        }
    }
}

#[test]
fn forms_over_a_socket() {
    let server = Server::start(env!("CARGO_BIN_EXE_conformance")).unwrap();
    for (file, _, path, faults_path) in FORMS {
        for vector in load(file) {
            let id = &vector.id;
            let post = |path| {
                client::send(
                    server.address(),
                    "POST",
                    path,
                    &vector.headers,
                    &vector.body,
                )
                .unwrap()
            };
            let (response, faulty) = (post(path), post(faults_path));
            match &vector.expect {
                Expect::Fields { fields } => {
                    assert_eq!((response.status, &response.json()), (200, fields), "{id}");
                    assert_eq!((faulty.status, &faulty.json()), (200, fields), "{id}");
                }
                Expect::Error { errors, contains } => {
                    let faults = &faulty.json()["faults"];
                    assert_eq!(faulty.status, 422, "{id}");
                    assert_faults(id, faults, errors.as_deref(), contains.as_deref());
                    let is_too_large = *faults == json!([["too_large", null]]);
                    assert_eq!(
                        response.status,
                        if is_too_large { 413 } else { 400 },
                        "{id}"
                    );
                    let only_grant_type = *faults == json!([["grant_type", "grant_type"]]);
                    let error = if only_grant_type {
                        "unsupported_grant_type"
                    } else {
                        "invalid_request"
                    };
                    assert_eq!(response.json()["error"], error, "{id}");
                    assert!(response.json()["error_description"].is_string(), "{id}");
                    assert_eq!(
                        response.header("content-type"),
                        ["application/json"],
                        "{id}"
                    );
                    assert_eq!(response.header("cache-control"), ["no-store"], "{id}");
                    assert_eq!(response.header("pragma"), ["no-cache"], "{id}");
                }
                other => panic!("{id}: a form has no outcome {other:?}"),
            }
        }
    }
}

fn assert_faults(id: &str, found: &Value, errors: Option<&[Value]>, contains: Option<&[Value]>) {
    let found = found
        .as_array()
        .unwrap_or_else(|| panic!("{id}: no faults"));
    match (errors, contains) {
        (Some(errors), _) => assert_eq!(found, errors, "{id}"),
        (None, Some(contains)) => assert!(
            contains.iter().all(|fault| found.contains(fault)),
            "{id}: {found:?}"
        ),
        (None, None) => panic!("{id}: nothing is expected"),
    }
}
