//! Fuzzes the client's credentials in an `Authorization` header.
#![no_main]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use libfuzzer_sys::fuzz_target;
use tollgate::ClientCredentials;
use tollgate::secrecy::ExposeSecret;
use tollgate_fuzz::{by_the_book, without_blanks};

/// An identifier, and a secret unless it is empty.
type Shown = (String, Option<String>);

/// Returns the client's credentials in a line, if there are any. A malformed line is an error.
fn basic_by_the_book(line: &[u8]) -> Result<Option<Shown>, ()> {
    let space = line
        .iter()
        .position(|byte| *byte == b' ')
        .unwrap_or(line.len());
    if !line[..space].eq_ignore_ascii_case(b"basic") {
        return Ok(None);
    }
    let encoded = without_blanks(&line[space..]);
    let decoded = STANDARD.decode(encoded).map_err(drop)?;
    // The encoding must be canonical: encoding the bytes again gives the same text.
    if STANDARD.encode(&decoded).as_bytes() != encoded {
        return Err(());
    }
    let colon = decoded.iter().position(|byte| *byte == b':').ok_or(())?;
    let (id, secret) = (&decoded[..colon], &decoded[colon + 1..]);
    if id.is_empty() {
        return if secret.is_empty() { Ok(None) } else { Err(()) };
    }
    let text = |half: &[u8]| {
        let percents = half.iter().filter(|byte| **byte == b'%').count();
        let decoded = by_the_book::unescaped(half);
        // Decoding makes every well-formed escape two bytes shorter.
        let is_well_formed = half.len() - decoded.len() == 2 * percents;
        let is_visible = decoded.iter().all(|byte| (0x20..0x7f).contains(byte));
        (is_well_formed && is_visible)
            .then(|| String::from_utf8(decoded).expect("ASCII"))
            .ok_or(())
    };
    let secret = text(secret)?;
    Ok(Some((text(id)?, (!secret.is_empty()).then_some(secret))))
}

fn check(line: &[u8]) {
    let found = ClientCredentials::find_in_lines([line], None, None);
    if let Err(error) = &found {
        assert_eq!(error.code(), "invalid_request");
    }
    let shown = found.map_err(drop).map(|client| {
        client.map(|client| {
            let secret = client.client_secret();
            let secret = secret.map(|secret| secret.expose_secret().to_owned());
            assert_eq!(
                client.secret_eq(secret.as_deref().unwrap_or_default()),
                secret.is_some()
            );
            (client.client_id().to_owned(), secret)
        })
    });
    assert_eq!(
        shown,
        if line.is_empty() {
            Ok(None)
        } else {
            basic_by_the_book(line)
        }
    );
}

fuzz_target!(|data: &[u8]| {
    check(data);
    check(&[b"Basic ", data].concat());
    check(format!("basic {}", STANDARD.encode(data)).as_bytes());
});
