//! Fuzzes the decisions of schemes about `Authorization` lines.
#![no_main]

use doorward::{Rejection, Scheme, oauth2, oauth2_password_bearer};
use doorward_fuzz::by_the_book;
use libfuzzer_sys::fuzz_target;

#[oauth2]
struct Base;

#[oauth2_password_bearer(token_url = "token")]
struct Bearer;

#[oauth2_password_bearer(token_url = "token", auto_error = false)]
struct Optional;

#[oauth2_password_bearer(token_url = "token", strict)]
struct Strict;

fuzz_target!(|data: &[u8]| {
    let lines: Vec<Vec<u8>> = data.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    let raw: Vec<_> = lines.iter().map(|line| ("authorization", line.as_slice())).collect();
    let raw = raw.as_slice();
    let shown =
        |found: Result<&str, Rejection>| found.map(|token| token.as_bytes().to_vec()).map_err(drop);

    let found = Bearer::authenticate_ref(raw);
    assert_eq!(shown(found.clone()), by_the_book::bearer(&lines));
    assert_eq!(Optional::authenticate_ref(raw).ok().flatten(), found.clone().ok());

    let strict = Strict::authenticate_ref(raw);
    assert_eq!(shown(strict.clone()), by_the_book::strict(&lines));
    if let Ok(token) = strict {
        assert_eq!(found, Ok(token));
    }

    let whole = Base::authenticate_ref(raw);
    match &*lines {
        // A request cannot contain a control character other than a tab.
        [line] if !line.is_empty() && !line.iter().any(is_control) => {
            assert_eq!(whole, Ok(line.as_slice()));
        }
        _ => assert!(whole.is_err()),
    }

    for refused in [found.err(), strict.err(), whole.err()].into_iter().flatten() {
        let response: http::Response<String> = refused.into();
        assert_eq!(response.status().as_u16() / 100, 4);
        assert!(response.headers().contains_key("www-authenticate"));
    }
});

fn is_control(byte: &u8) -> bool {
    byte.is_ascii_control() && *byte != b'\t'
}
