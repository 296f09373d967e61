//! Properties that hold for every input, checked on random inputs.

use std::borrow::Cow;

use doorward::form::{FormError, RequestForm};
use doorward::token_endpoint::Client;
use doorward::{
    BearerToken, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, PasswordRequestForm,
    Scheme,
};
use doorward_tests::by_the_book;
use doorward_tests::grants::{Refused, read_grant, read_revocation};
use doorward_tests::schemes::{Password, PasswordStrict};
use doorward_tests::shown::{faults_by_the_book, parameters, with_split_scope};
use http::HeaderValue;
use http::header::AUTHORIZATION;
use proptest::collection::vec;
use proptest::prelude::*;

use super::asking::form_headers;

#[derive(PasswordRequestForm, Debug, PartialEq, Eq, Clone)]
#[password_form(max_bytes = 1_000_000)]
struct Login<'a> {
    username: Cow<'a, str>,
    password: Cow<'a, str>,
    otp: Option<String>,
}

/// The encoding of a byte on the wire: as it is, where that is allowed, or escaped with uppercase
/// or lowercase digits.
#[derive(Clone, Copy, Debug)]
enum Escape {
    AsIs,
    Capital,
    Small,
}

fn escapes() -> impl Strategy<Value = Vec<Escape>> {
    vec(prop_oneof![Just(Escape::AsIs), Just(Escape::Capital), Just(Escape::Small)], 1..40)
}

/// Encodes a text for the wire, cycling through `escapes` byte by byte.
fn on_the_wire(text: &str, escapes: &[Escape]) -> String {
    let mut wire = String::new();
    for (byte, escape) in text.bytes().zip(escapes.iter().cycle()) {
        match escape {
            Escape::AsIs if byte == b' ' => wire.push('+'),
            Escape::AsIs if byte.is_ascii_alphanumeric() => wire.push(char::from(byte)),
            Escape::Small => wire.push_str(&format!("%{byte:02x}")),
            Escape::AsIs | Escape::Capital => wire.push_str(&format!("%{byte:02X}")),
        }
    }
    wire
}

fn body(username: &str, password: &str, escapes: &[Escape]) -> String {
    let [username, password] = [username, password].map(|text| on_the_wire(text, escapes));
    format!("username={username}&password={password}")
}

/// Pairs that are unknown to a form, and empty pairs.
fn noise() -> impl Strategy<Value = Vec<String>> {
    let unknown = "[a-z%+]{0,3}x[a-z%=+]{0,8}|user|passwor|password%00=1|=|=x";
    vec(prop_oneof![Just(String::new()), unknown.prop_map(String::from)], 0..6)
}

/// A piece of a body: a name, an escape, a separator or a value.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let names = [
        "grant_type=",
        "grant_type=password",
        "username=",
        "password=",
        "scope=",
        "client_id=",
        "client_secret=",
        "user%6eame=",
        "passwor",
        "scope",
    ];
    prop_oneof![
        4 => proptest::sample::select(&["&", "&", "=", "+", "%41", "%e9", "%C3%A9", "%", "%2", "%zz", "&&"][..]).prop_map(|piece| piece.as_bytes().to_vec()),
        6 => proptest::sample::select(names.to_vec()).prop_map(|name| [b"&", name.as_bytes()].concat()),
        3 => "[a-z]{1,20}".prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 1..6),
    ]
}

/// Grants, served and others, with the parameters that they require.
const GRANT_TYPES: [(&str, &[&str]); 12] = [
    ("password", &["username", "password"]),
    ("refresh_token", &["refresh_token"]),
    ("client_credentials", &[]),
    ("authorization_code", &["code", "code_verifier"]),
    ("urn:ietf:params:oauth:grant-type:device_code", &["device_code"]),
    ("urn:ietf:params:oauth:grant-type:token-exchange", &["subject_token", "subject_token_type"]),
    ("urn:example:otp", &["username", "code"]),
    ("urn%3Aexample%3aotp", &["username", "code"]),
    ("refresh+token", &["refresh_token"]),
    ("REFRESH_TOKEN", &["refresh_token"]),
    ("%ff", &[]),
    ("", &["token"]),
];

const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const CHALLENGE: &str = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/// A name that some form with the credentials of its client knows.
fn name() -> impl Strategy<Value = String> {
    let names = [
        "grant_type",
        "username",
        "password",
        "scope",
        "client_id",
        "client_secret",
        "refresh_token",
        "resource",
        "resource",
        "resource",
        "code",
        "redirect_uri",
        "code_verifier",
        "device_code",
        "audience",
        "requested_token_type",
        "subject_token",
        "subject_token_type",
        "actor_token",
        "actor_token_type",
        "token",
        "token_type_hint",
    ];
    proptest::sample::select(names.to_vec()).prop_map(str::to_owned)
}

/// A value, which some fields refuse.
fn value() -> impl Strategy<Value = Vec<u8>> {
    let values =
        ["", "a", "b", "1", "%2B7", "a+b%20c", "%ff", "%C3%A9", "%zz", VERIFIER, CHALLENGE];
    prop_oneof![
        8 => proptest::sample::select(values.to_vec()).prop_map(|value| value.as_bytes().to_vec()),
        1 => "[a-zA-Z0-9~._-]{40,130}".prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..6),
    ]
}

/// A pair of such a name, whole, escaped or cut off, and a value.
fn pair() -> impl Strategy<Value = Vec<u8>> {
    let on_wire = prop_oneof![
        8 => name(),
        1 => (name(), escapes()).prop_map(|(name, escapes)| on_the_wire(&name, &escapes)),
        1 => name().prop_map(|name| name[1..].to_owned()),
    ];
    prop_oneof![
        8 => (on_wire, value()).prop_map(|(name, value)| [name.as_bytes(), b"=", &value].concat()),
        1 => name().prop_map(String::into_bytes),
        1 => vec(any::<u8>(), 0..12),
    ]
}

/// Returns a pair that a grant requires.
fn required(name: &str, number: usize) -> String {
    let value = match (name, number % 4) {
        ("code_verifier", _) | ("code", 1) => VERIFIER,
        ("code", 0) => CHALLENGE,
        (_, 2) => "a+b",
        _ => "12",
    };
    format!("{name}={value}")
}

/// The body of a grant, with pairs too many and too few, in any order.
fn grant_body() -> impl Strategy<Value = Vec<u8>> {
    let more = prop_oneof![2 => vec(pair(), 0..2), 1 => vec(pair(), 0..8)];
    let less = proptest::option::weighted(0.2, any::<proptest::sample::Index>());
    let pairs = (0..GRANT_TYPES.len(), any::<usize>(), more, less);
    let pairs = pairs.prop_map(|(grant, number, more, less)| {
        let (grant_type, names) = GRANT_TYPES[grant];
        let mut pairs = vec![format!("grant_type={grant_type}").into_bytes()];
        pairs.extend(names.iter().map(|name| required(name, number).into_bytes()));
        if let Some(less) = less {
            pairs.remove(less.index(pairs.len()));
        }
        [pairs, more].concat()
    });
    pairs.prop_shuffle().prop_map(|pairs| pairs.join(&b'&'))
}

/// `Authorization` lines with a client's credentials, well-formed and others.
fn client_lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let halves = "(a|b|a%3Ab)?:(a|a%20b|a%zz)?|[ -~]{0,6}";
    let line = halves.prop_map(|halves| format!("Basic {}", base64(halves.as_bytes())));
    prop_oneof![
        3 => Just(Vec::new()),
        6 => vec(line.prop_map(String::into_bytes), 1),
        1 => lines(),
    ]
}

/// Reads a request in process and by the book.
fn check_grant(lines: &[Vec<u8>], body: &[u8]) -> Result<(), TestCaseError> {
    let mut headers = form_headers();
    for line in lines {
        let Ok(line) = HeaderValue::from_bytes(line) else {
            return Ok(());
        };
        headers.append(AUTHORIZATION, line);
    }
    let lines: Vec<_> = lines.iter().map(|line| &**line).collect();
    let refusal = |refused: Refused| refused.refusal();
    prop_assert_eq!(
        read_grant(&headers, body).map_err(refusal),
        by_the_book::grant(&lines, body),
        "{}",
        body.escape_ascii()
    );
    prop_assert_eq!(
        read_revocation(&headers, body).map_err(refusal),
        by_the_book::revocation(&lines, body),
        "{}",
        body.escape_ascii()
    );
    Ok(())
}

/// Header lines that resemble credentials, and lines of random bytes.
fn lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let near = r"(?i-u:(bearer|basic|beare|bearerx)[ \t]{0,3}([!-~ \t]|[A-Za-z0-9+/._~-]){0,80}(=|[\x00-\x1f\x7f-\xff]){0,2}[ \t]{0,2})";
    let near = proptest::string::bytes_regex(near).expect("a regular expression");
    vec(prop_oneof![4 => near, 1 => vec(any::<u8>(), 0..20)], 0..3)
}

fn shown(found: Result<&str, doorward::Rejection>) -> Result<Vec<u8>, ()> {
    found.map(|token| token.as_bytes().to_vec()).map_err(drop)
}

/// Returns the number of cases: `PROPTEST_CASES`, or 1,000 by default.
fn cases() -> u32 {
    let set = std::env::var("PROPTEST_CASES").ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(1_000)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases()))]

    #[test]
    fn whatever_is_encoded_is_decoded(username in ".{1,20}", password in "(?s).{1,40}", escapes in escapes()) {
        let body = body(&username, &password, &escapes);
        let form = Login::decode(body.as_bytes());
        prop_assert_eq!(form, Ok(Login { username: username.into(), password: password.into(), otp: None }));
    }

    #[test]
    fn two_bodies_give_the_same_credentials_only_if_they_mean_the_same(
        first in vec(any::<u8>(), 1..12),
        second in vec(any::<u8>(), 1..12),
    ) {
        let decode = |password: &[u8]| {
            let body = [b"username=u&password=", password].concat();
            Login::decode(&body).map(|form| form.password.into_owned())
        };
        let meant = |password: &[u8]| -> Option<Vec<u8>> {
            let pair = [b"a=", password].concat();
            let (name, value) = form_urlencoded::parse(&pair).next()?;
            // `form_urlencoded` replaces invalid UTF-8, so only values that it keeps are compared.
            let kept = !value.contains(char::REPLACEMENT_CHARACTER) && !password.contains(&b'&');
            (name == "a" && kept).then(|| value.as_bytes().to_vec())
        };
        if let (Ok(first_decoded), Ok(second_decoded)) = (decode(&first), decode(&second))
            && let (Some(first), Some(second)) = (meant(&first), meant(&second))
        {
            prop_assert_eq!(first_decoded == second_decoded, first == second);
            prop_assert_eq!(first_decoded.into_bytes(), first);
        }
    }

    #[test]
    fn what_a_form_does_not_know_changes_nothing(
        username in ".{0,8}",
        password in ".{0,8}",
        before in noise(),
        between in noise(),
        after in noise(),
        escapes in escapes(),
    ) {
        let plain = body(&username, &password, &[Escape::Capital]);
        let (first, second) = body(&username, &password, &escapes)
            .split_once('&')
            .map(|(first, second)| (first.to_owned(), second.to_owned()))
            .expect("two pairs");
        let pairs = [before, vec![first], between, vec![second], after].concat();
        let noisy = pairs.join("&");
        let decode = |body: &str| -> Result<(String, String), FormError> {
            Login::decode(body.as_bytes()).map(|form| (form.username.into_owned(), form.password.into_owned()))
        };
        prop_assert_eq!(decode(&noisy), decode(&plain), "{}", noisy);
    }

    #[test]
    fn a_form_is_read_by_the_book(pieces in vec(piece(), 0..20)) {
        let body = pieces.concat();
        let faults = |error: FormError| faults_by_the_book(&error);
        let read = OAuth2PasswordRequestForm::decode(&body).map(|form| parameters(&form));
        prop_assert_eq!(read.map_err(faults), by_the_book::password_form(&body, false).map(with_split_scope), "{}", body.escape_ascii());
        let strict = OAuth2PasswordRequestFormStrict::decode(&body).map(|form| form.username);
        let by_the_book = by_the_book::password_form(&body, true).map(|mut form| form.remove("username").unwrap_or_default());
        prop_assert_eq!(strict.map_err(faults), by_the_book, "{}", body.escape_ascii());
    }

    #[test]
    fn a_grant_is_read_by_the_book(lines in client_lines(), body in grant_body()) {
        check_grant(&lines, &body)?;
    }

    #[test]
    fn a_grant_of_any_bytes_is_read_by_the_book(lines in lines(), body in vec(any::<u8>(), 0..60), grant_type in 0..GRANT_TYPES.len()) {
        check_grant(&lines, &body)?;
        let body = [b"grant_type=", GRANT_TYPES[grant_type].0.as_bytes(), b"&", &body].concat();
        check_grant(&lines, &body)?;
    }

    #[test]
    fn a_scheme_decides_by_the_book(lines in lines()) {
        let raw: Vec<_> = lines.iter().map(|line| ("authorization", line.as_slice())).collect();
        let raw = raw.as_slice();
        prop_assert_eq!(shown(Password::authenticate_ref(raw)), by_the_book::bearer(&lines));
        prop_assert_eq!(shown(PasswordStrict::authenticate_ref(raw)), by_the_book::strict(&lines));
        // The lenient scheme accepts what the strict one accepts, and yields the same token.
        if let Ok(token) = PasswordStrict::authenticate_ref(raw) {
            prop_assert_eq!(Password::authenticate_ref(raw), Ok(token));
        }
        // A header map leads to the same decision as raw lines, if it can hold them.
        let mut headers = http::HeaderMap::new();
        for line in &lines {
            let Ok(value) = HeaderValue::from_bytes(line) else { return Ok(()) };
            headers.append(http::header::AUTHORIZATION, value);
        }
        let owned = Password::authenticate(&headers);
        prop_assert_eq!(shown(owned.as_ref().map(BearerToken::as_str).map_err(|error| *error)), by_the_book::bearer(&lines));
    }

    #[test]
    fn two_headers_give_the_same_token_only_if_they_carry_the_same(
        first in "[!-~]([ -~]{0,20}[!-~])?",
        second in "[!-~]([ -~]{0,20}[!-~])?",
    ) {
        let tokens = [&first, &second].map(|token| {
            let line = format!("Bearer {token}");
            Password::authenticate_ref(&[("authorization", line.as_bytes())]).map(str::to_owned)
        });
        prop_assert_eq!(&tokens[0], &Ok(first.clone()));
        prop_assert_eq!(tokens[0] == tokens[1], first == second);
    }

    #[test]
    fn a_client_that_is_encoded_is_found(id in "[ -~]{1,20}", secret in "[ -~]{0,20}", escapes in escapes()) {
        let halves = format!("{}:{}", on_the_wire(&id, &escapes), on_the_wire(&secret, &escapes));
        let line = format!("Basic {}", base64(halves.as_bytes()));
        let found = Client::find_in_lines([line.as_bytes()], None, None);
        let found = found.ok().flatten().expect("a client");
        prop_assert_eq!(found.client_id(), &id);
        prop_assert_eq!(found.client_secret().is_some(), !secret.is_empty());
        prop_assert_eq!(found.secret_eq(&secret), !secret.is_empty());
        prop_assert!(!found.secret_eq(&(secret + "x")));
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
