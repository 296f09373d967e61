//! Fuzzes the client's credentials in an `Authorization` header.
#![no_main]

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use doorward::secrecy::ExposeSecret;
use doorward::token_endpoint::Client;
use doorward_fuzz::by_the_book;
use libfuzzer_sys::fuzz_target;

fn check(line: &[u8]) {
    let found = Client::find_in_lines([line], None, None);
    if let Err(error) = &found {
        assert_eq!(error.code(), "invalid_request");
    }
    let shown = found.map_err(drop).map(|client| {
        client.map(|client| {
            let secret = client.client_secret();
            let secret = secret.map(|secret| secret.expose_secret().to_owned());
            assert_eq!(client.secret_eq(secret.as_deref().unwrap_or_default()), secret.is_some());
            (client.client_id().to_owned(), secret)
        })
    });
    assert_eq!(shown, if line.is_empty() { Ok(None) } else { by_the_book::basic(line) });
}

fuzz_target!(|data: &[u8]| {
    check(data);
    check(&[b"Basic ", data].concat());
    check(format!("basic {}", STANDARD.encode(data)).as_bytes());
});
