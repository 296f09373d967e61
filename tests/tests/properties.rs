//! What holds for every input, tried on many at random.

use std::borrow::Cow;

use http::HeaderValue;
use proptest::collection::vec;
use proptest::prelude::*;
use tollgate::{BearerToken, ClientCredentials, FormError, PasswordRequestForm, Scheme};
use tollgate_tests::schemes::{Password, PasswordStrict};

#[derive(PasswordRequestForm, Debug, PartialEq, Eq, Clone)]
#[password_form(max_bytes = 1_000_000)]
struct Login<'a> {
    username: Cow<'a, str>,
    password: Cow<'a, str>,
    otp: Option<String>,
}

/// How a byte stands on the wire: as it is, where it may, or escaped in capitals or small letters.
#[derive(Clone, Copy, Debug)]
enum Escape {
    AsIs,
    Capital,
    Small,
}

fn escapes() -> impl Strategy<Value = Vec<Escape>> {
    vec(
        prop_oneof![
            Just(Escape::AsIs),
            Just(Escape::Capital),
            Just(Escape::Small)
        ],
        1..40,
    )
}

/// Puts text on the wire, its bytes by turns as the escapes say.
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

/// Pairs that a form does not know, and empty ones.
fn noise() -> impl Strategy<Value = Vec<String>> {
    let unknown = "[a-z%+]{0,3}x[a-z%=+]{0,8}|user|passwor|password%00=1|=|=x";
    vec(
        prop_oneof![Just(String::new()), unknown.prop_map(String::from)],
        0..6,
    )
}

/// The decision of a lenient bearer scheme, as the contract says it, character by character.
fn bearer_by_the_book(lines: &[Vec<u8>]) -> Result<Vec<u8>, ()> {
    let [line] = lines else { return Err(()) };
    let (name, rest) = match line.iter().position(|byte| *byte == b' ') {
        Some(space) => (&line[..space], &line[space + 1..]),
        None => (&line[..], &[][..]),
    };
    if name.to_ascii_lowercase() != b"bearer" {
        return Err(());
    }
    let is_blank = |byte: &u8| [b' ', b'\t'].contains(byte);
    let start = rest
        .iter()
        .position(|byte| !is_blank(byte))
        .unwrap_or(rest.len());
    let end = rest
        .iter()
        .rposition(|byte| !is_blank(byte))
        .map_or(start, |last| last + 1);
    let token = &rest[start..end];
    let is_text = token
        .iter()
        .all(|byte| (0x20..0x7f).contains(byte) || *byte == b'\t');
    is_text.then(|| token.to_vec()).ok_or(())
}

/// The same of a strict one.
fn strict_by_the_book(lines: &[Vec<u8>]) -> Result<Vec<u8>, ()> {
    let [line] = lines else { return Err(()) };
    let line = std::str::from_utf8(line).map_err(drop)?;
    let (name, rest) = line.split_once(' ').ok_or(())?;
    let token = rest.trim_start_matches(' ');
    let body = token.trim_end_matches('=');
    let is_token =
        |character: char| character.is_ascii_alphanumeric() || "-._~+/".contains(character);
    let holds =
        name.eq_ignore_ascii_case("bearer") && !body.is_empty() && body.chars().all(is_token);
    holds.then(|| token.as_bytes().to_vec()).ok_or(())
}

/// Lines that look like a bearer's, and lines that look like nothing.
fn lines() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let near = r"(?i-u:(bearer|basic|beare|bearerx)[ \t]{0,3}([!-~ \t]|[A-Za-z0-9+/._~-]){0,80}(=|[\x00-\x1f\x7f-\xff]){0,2}[ \t]{0,2})";
    let near = proptest::string::bytes_regex(near).expect("a regular expression");
    vec(prop_oneof![4 => near, 1 => vec(any::<u8>(), 0..20)], 0..3)
}

fn shown(found: Result<&str, tollgate::Rejection>) -> Result<Vec<u8>, ()> {
    found.map(|token| token.as_bytes().to_vec()).map_err(drop)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(10_000))]

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
            // Its decoder replaces what is not UTF-8, so that only what it keeps can be compared.
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
    fn a_scheme_decides_by_the_book(lines in lines()) {
        let raw = || lines.iter().map(Vec::as_slice);
        prop_assert_eq!(shown(Password::authenticate_lines(raw())), bearer_by_the_book(&lines));
        prop_assert_eq!(shown(PasswordStrict::authenticate_lines(raw())), strict_by_the_book(&lines));
        // What the strict one takes, the other takes as the same.
        if let Ok(token) = PasswordStrict::authenticate_lines(raw()) {
            prop_assert_eq!(Password::authenticate_lines(raw()), Ok(token));
        }
        // A header map decides as raw lines do, where it can hold them.
        let mut headers = http::HeaderMap::new();
        for line in &lines {
            let Ok(value) = HeaderValue::from_bytes(line) else { return Ok(()) };
            headers.append(http::header::AUTHORIZATION, value);
        }
        let owned = Password::authenticate(&headers);
        prop_assert_eq!(shown(owned.as_ref().map(BearerToken::as_str).map_err(|error| *error)), bearer_by_the_book(&lines));
    }

    #[test]
    fn two_headers_give_the_same_token_only_if_they_carry_the_same(
        first in "[!-~]([ -~]{0,20}[!-~])?",
        second in "[!-~]([ -~]{0,20}[!-~])?",
    ) {
        let tokens = [&first, &second].map(|token| {
            let line = format!("Bearer {token}");
            Password::authenticate_lines([line.as_bytes()]).map(str::to_owned)
        });
        prop_assert_eq!(&tokens[0], &Ok(first.clone()));
        prop_assert_eq!(tokens[0] == tokens[1], first == second);
    }

    #[test]
    fn a_client_that_is_encoded_is_found(id in "[ -~]{1,20}", secret in "[ -~]{0,20}", escapes in escapes()) {
        let halves = format!("{}:{}", on_the_wire(&id, &escapes), on_the_wire(&secret, &escapes));
        let line = format!("Basic {}", base64(halves.as_bytes()));
        let found = ClientCredentials::find_in_lines([line.as_bytes()], None, None);
        let found = found.ok().flatten().expect("a client");
        prop_assert_eq!(found.client_id(), &id);
        prop_assert!(found.secret_is(&secret));
        prop_assert!(!found.secret_is(&(secret + "x")));
    }
}

fn base64(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}
