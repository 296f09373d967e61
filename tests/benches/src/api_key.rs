//! Finds an API key in the headers of a request.

use std::hint::black_box;

use bytes::Bytes;
use doorward::{Scheme, api_key};
use http::{HeaderMap, HeaderValue};

use crate::{Contender, Named, bearer};

/// The scheme of the table.
#[api_key(header = "x-api-key")]
pub struct Key;

/// A request with ten typical headers.
pub struct Input {
    headers: HeaderMap,
}

/// Returns the cases: a key, and no key.
///
/// # Panics
///
/// Panics if the key is not a header value.
#[must_use]
pub fn inputs() -> [Named<Input>; 2] {
    [("40-byte key", true), ("missing", false)].map(|(name, has_key)| {
        let mut headers = bearer::headers("");
        if has_key {
            let key = Bytes::from("k3y51".repeat(8));
            let value = HeaderValue::from_maybe_shared(key).expect("a header value");
            headers.insert("x-api-key", value);
        }
        (name, Input { headers })
    })
}

/// The lower bound for everyone: the lookup of the header.
pub const LIMIT: Contender<Input> = Contender::new("`HeaderMap::get` alone", |input| {
    black_box(&black_box(&input.headers).get("x-api-key"));
});

/// doorward with a borrowed key.
pub const BORROWED: Contender<Input> = Contender::new("doorward, `Cow<str>`", |input| {
    let _ = black_box(&Key::authenticate_ref(black_box(&input.headers)));
});

/// doorward with an owned key.
pub const OWNED: Contender<Input> = Contender::new("doorward, `ApiKey`", |input| {
    black_box(&Key::authenticate(black_box(&input.headers)));
});

/// Every contender.
pub const ALL: [Contender<Input>; 3] = [LIMIT, BORROWED, OWNED];
