//! The contract's vectors, run in process.

use std::borrow::Cow;

use doorward::form::{FormError, RequestForm};
use doorward::secrecy::ExposeSecret;
use doorward::token_endpoint::Client;
use doorward::{
    BasicCredentials, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, Rejection, Scheme,
};
use doorward_tests::by_the_book::{self, Refusal};
use doorward_tests::credentials::{
    ApiKeyAuthorization, ApiKeyAuthorizationOptional, ApiKeyCookie, ApiKeyCookieFirst,
    ApiKeyCookieFirstOptional, ApiKeyCookieOptional, ApiKeyHeader, ApiKeyHeaderOptional,
    ApiKeyQuery, ApiKeyQueryOptional, Basic, BasicOptional, Websocket, WebsocketOptional,
};
use doorward_tests::grants::{Refused, read_grant, read_revocation};
use doorward_tests::schemes::{
    Base, BaseOptional, Code, CodeOptional, Password, PasswordOptional, PasswordStrict,
    PasswordStrictOptional,
};
use doorward_tests::shown::{Attributes, Shown, faults, latin1};
use doorward_tests::vectors::{Expect, Vector, assert_faults, load};
use http::{HeaderMap, HeaderName, HeaderValue, Request, Response};
use serde_json::{Value, json};

/// Each scheme: its vectors, its decision, and its decision with `auto_error = false`.
const SCHEMES: [(&str, Decide, Decide); 12] = [
    ("base.json", decide::<Base>, decide::<BaseOptional>),
    ("bearer.json", decide::<Password>, decide::<PasswordOptional>),
    ("bearer.json", decide::<Code>, decide::<CodeOptional>),
    ("bearer-strict.json", decide::<PasswordStrict>, decide::<PasswordStrictOptional>),
    ("bearer-strict.json", decide::<Websocket>, decide::<WebsocketOptional>),
    ("websocket.json", decide::<Websocket>, decide::<WebsocketOptional>),
    ("api-key-header.json", decide::<ApiKeyHeader>, decide::<ApiKeyHeaderOptional>),
    (
        "api-key-authorization.json",
        decide::<ApiKeyAuthorization>,
        decide::<ApiKeyAuthorizationOptional>,
    ),
    ("api-key-query.json", decide::<ApiKeyQuery>, decide::<ApiKeyQueryOptional>),
    ("api-key-cookie.json", decide::<ApiKeyCookie>, decide::<ApiKeyCookieOptional>),
    ("api-key-cookie-first.json", decide::<ApiKeyCookieFirst>, decide::<ApiKeyCookieFirstOptional>),
    ("http-basic.json", decide::<Basic>, decide::<BasicOptional>),
];

/// Each form: its vectors, and the function that reads a body.
const FORMS: [(&str, ReadForm); 2] = [
    ("form.json", read::<OAuth2PasswordRequestForm>),
    ("form-strict.json", read::<OAuth2PasswordRequestFormStrict>),
];

/// Each form with the credentials of its client: its vectors, the function that reads a request,
/// and the contract as slow and simple code.
const FORMS_WITH_CLIENT: [(&str, ReadWithClient, ByTheBook); 2] = [
    ("grant.json", read_grant, by_the_book::grant),
    ("revocation.json", read_revocation, by_the_book::revocation),
];

type Decide = fn(&Vector) -> Result<Value, Rejection>;
type ReadForm = fn(&Vector) -> Result<Value, FormError>;
type ReadWithClient = fn(&HeaderMap, &[u8]) -> Result<Value, Refused>;
type ByTheBook = fn(&[&[u8]], &[u8]) -> Result<Value, Refusal>;

fn header_map(vector: &Vector) -> HeaderMap {
    let header = |(name, value): &(String, Vec<u8>)| {
        (HeaderName::try_from(name).unwrap(), HeaderValue::from_bytes(value).unwrap())
    };
    HeaderMap::from_iter(vector.headers.iter().map(header))
}

/// Decides from a request, owned and borrowed, and from raw lines if these are enough, and checks
/// that all agree.
fn decide<S: Scheme>(vector: &Vector) -> Result<Value, Rejection>
where
    S::Credential: Shown,
    for<'h> doorward::scheme::CredentialRef<'h, S>: Lent,
{
    let mut request = Request::new(());
    *request.method_mut() = vector.method.parse().unwrap();
    *request.uri_mut() = vector.target.parse().unwrap();
    *request.headers_mut() = header_map(vector);
    let owned = S::authenticate(&request).map(|found| found.shown());
    let borrowed = S::authenticate_ref(&request).map(Lent::shown);
    let lines: Vec<_> =
        vector.headers.iter().map(|(name, value)| (&**name, value.as_slice())).collect();
    // What has to be decoded cannot be borrowed.
    let is_encoded =
        |(_, value): &(_, Vec<u8>)| value.to_ascii_lowercase().starts_with(b"base64url.");
    if owned.is_err() || !vector.headers.iter().any(is_encoded) {
        assert_eq!(owned, borrowed, "{}", vector.id);
    }
    // Lines have no query, and their method is not known to be safe.
    if vector.target == "/" && (vector.method != "GET" || lines.len() < 2) {
        let from_lines = S::authenticate_ref(lines.as_slice()).map(Lent::shown);
        assert_eq!(owned, from_lines, "{}", vector.id);
    }
    owned
}

/// A borrowed credential.
trait Lent {
    fn shown(self) -> Value;
}

macro_rules! lent {
    ($($ty:ty: |$found:ident| $shown:expr;)*) => {$(
        impl Lent for $ty {
            fn shown(self) -> Value {
                let $found = self;
                json!($shown)
            }
        }
    )*};
}

lent! {
    &str: |text| text;
    &[u8]: |bytes| latin1(bytes);
    Cow<'_, str>: |text| text;
    BasicCredentials: |user| Shown::shown(&user);
}

impl<T: Lent> Lent for Option<T> {
    fn shown(self) -> Value {
        self.map_or(Value::Null, Lent::shown)
    }
}

fn read<T: Attributes>(vector: &Vector) -> Result<Value, FormError> {
    let form = <T as RequestForm<'_>>::decode_request(&header_map(vector), &vector.body);
    form.map(|form| form.attributes())
}

#[test]
fn schemes_in_process() {
    for (file, decide, decide_optional) in SCHEMES {
        for vector in load(file) {
            let id = &vector.id;
            let decided = decide(&vector);
            match &vector.expect {
                expected if expected.credential().is_some() => {
                    let found = expected.credential().unwrap();
                    assert_eq!(decided, Ok(found.clone()), "{id}");
                    assert_eq!(decide_optional(&vector), Ok(found), "{id}");
                }
                Expect::Reject { status, detail, www_authenticate } => {
                    let rejection = decided.expect_err(id);
                    let response = Response::<String>::from(rejection);
                    assert_eq!(response.status(), *status, "{id}");
                    let challenge = response.headers().get("www-authenticate");
                    let challenge = challenge.map(|challenge| challenge.to_str().unwrap());
                    assert_eq!(challenge, www_authenticate.as_deref(), "{id}");
                    assert_eq!(*response.body(), json!({ "detail": detail }).to_string(), "{id}");
                    let optional = decide_optional(&vector);
                    match vector.optional.as_deref() {
                        Some("none") => assert_eq!(optional, Ok(Value::Null), "{id}"),
                        _ => assert_eq!(optional, Err(rejection), "{id}"),
                    }
                }
                other => panic!("{id}: a scheme has no outcome {other:?}"),
            }
        }
    }
}

#[test]
fn forms_in_process() {
    for (file, read) in FORMS {
        for vector in load(file) {
            let id = &vector.id;
            match (read(&vector), &vector.expect) {
                (Ok(found), Expect::Fields { fields }) => assert_eq!(found, *fields, "{id}"),
                (Err(error), Expect::Error { errors, contains, .. }) => {
                    assert_faults(id, &faults(&error), errors.as_deref(), contains.as_deref());
                }
                (read, expected) => panic!("{id}: {read:?} instead of {expected:?}"),
            }
        }
    }
}

#[test]
fn forms_with_client_in_process() {
    for (file, read, by_the_book) in FORMS_WITH_CLIENT {
        for vector in load(file) {
            let id = &vector.id;
            let read = read(&header_map(&vector), &vector.body);
            let lines = vector.headers.iter();
            let lines = lines.filter(|(name, _)| name == "Authorization");
            let lines: Vec<_> = lines.map(|(_, line)| &**line).collect();
            let by_the_book = by_the_book(&lines, &vector.body);
            let refused = match (read, vector.expect.form_and_client()) {
                (Ok(found), Some(expected)) => {
                    assert_eq!(found, expected, "{id}");
                    assert_eq!(by_the_book, Ok(expected), "{id}");
                    continue;
                }
                (Err(refused), None) => refused,
                (found, expected) => panic!("{id}: {found:?} instead of {expected:?}"),
            };
            let Expect::Error { errors, status, error, .. } = &vector.expect else {
                panic!("{id}: a form has no outcome {:?}", vector.expect);
            };
            let Refused { error: found, form } = &refused;
            assert_eq!(Some(found.status().as_u16()), *status, "{id}");
            assert_eq!(Some(found.code()), error.as_deref(), "{id}");
            let faults = form.as_deref().map(faults);
            assert_eq!(faults, errors.clone().map(Value::Array), "{id}");
            // The book says nothing of a body that is not looked at.
            let is_of_body = |form: &FormError| form.faults()[0].field.is_none();
            if !form.as_deref().is_some_and(is_of_body) {
                assert_eq!(by_the_book, Err(refused.refusal()), "{id}");
            }
            let response = Response::<String>::from(found.clone());
            vector.assert_hidden(&format!("{refused:?} {found} {response:?}"));
            if let Some(form) = form {
                vector.assert_hidden(&form.to_string());
            }
        }
    }
}

#[test]
fn clients_in_process() {
    for vector in load("basic-client.json") {
        let id = &vector.id;
        let headers = header_map(&vector);
        match (Client::decode_request(&headers, &vector.body), &vector.expect) {
            (Ok(Some(found)), Expect::Client { client_id, client_secret }) => {
                assert_eq!(found.client_id(), client_id, "{id}");
                let secret = found.client_secret().map(ExposeSecret::expose_secret);
                assert_eq!(secret, client_secret.as_deref(), "{id}");
            }
            (Ok(None), Expect::None {}) => {}
            (Err(error), Expect::Error { status: Some(status), error: Some(code), .. }) => {
                assert_eq!((error.status().as_u16(), error.code()), (*status, &**code), "{id}");
            }
            (found, expected) => panic!("{id}: {found:?} instead of {expected:?}"),
        }
    }
}
