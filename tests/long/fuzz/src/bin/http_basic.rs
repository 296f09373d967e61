//! Fuzzes the user name and the password of HTTP Basic.
#![no_main]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use doorward::secrecy::ExposeSecret;
use doorward::{BasicCredentials, Rejection, Scheme, http_basic};
use doorward_fuzz::without_blanks;
use libfuzzer_sys::fuzz_target;

#[http_basic(realm = "simple")]
struct Basic;

#[http_basic(auto_error = false)]
struct Optional;

/// A user name and a password.
type Shown = (String, String);

/// Returns the credentials in the lines, if they are those of HTTP Basic. Malformed ones are an
/// error.
fn basic_by_the_book(lines: &[&[u8]]) -> Result<Option<Shown>, ()> {
    let [line] = lines else { return Ok(None) };
    let mut words = line.splitn(2, |byte| *byte == b' ');
    let name = words.next().unwrap_or_default();
    if !name.eq_ignore_ascii_case(b"basic") {
        return Ok(None);
    }
    let encoded = without_blanks(words.next().unwrap_or_default());
    let decoded = STANDARD.decode(encoded).map_err(drop)?;
    // The encoding must be canonical: encoding the bytes again gives the same text.
    if STANDARD.encode(&decoded).as_bytes() != encoded {
        return Err(());
    }
    let text = String::from_utf8(decoded).map_err(drop)?;
    if text.contains(|character| character < ' ' || character == '\x7f') {
        return Err(());
    }
    let (username, password) = text.split_once(':').ok_or(())?;
    Ok(Some((username.to_owned(), password.to_owned())))
}

fn shown(found: BasicCredentials) -> Shown {
    assert_eq!(format!("{found:?}"), "BasicCredentials(<redacted>)");
    let password = found.password.expose_secret().to_owned();
    assert!(found.password_eq(&password) && !found.password_eq(&format!("{password}.")));
    (found.username, password)
}

fn refused(rejection: Rejection, challenge: &str) {
    let response: http::Response<String> = rejection.into();
    assert_eq!(response.status(), 401);
    assert_eq!(response.headers()["www-authenticate"], challenge);
    assert_eq!(response.body(), r#"{"detail":"Not authenticated"}"#);
}

fn check(data: &[u8]) {
    let lines: Vec<_> = data.split(|byte| *byte == b'\n').collect();
    let raw: Vec<_> = lines.iter().map(|line| ("authorization", *line)).collect();
    let expected = basic_by_the_book(&lines);

    let required = Basic::authenticate_ref(raw.as_slice()).map(shown);
    let required = required.map_err(|rejection| refused(rejection, "Basic realm=\"simple\""));
    assert_eq!(required, expected.clone().and_then(|found| found.ok_or(())));

    let optional = Optional::authenticate_ref(raw.as_slice()).map(|found| found.map(shown));
    let optional = optional.map_err(|rejection| refused(rejection, "Basic"));
    assert_eq!(optional, expected);
}

fuzz_target!(|data: &[u8]| {
    check(data);
    check(&[b"Basic ", data].concat());
    check(format!("basic {}", STANDARD.encode(data)).as_bytes());
});
