//! Fuzzes an API key in the query.
#![no_main]

use std::borrow::Cow;

use doorward::scheme::{HeaderLine, RequestHead};
use doorward::{Scheme, api_key};
use doorward_fuzz::by_the_book;
use http::Request;
use http::uri::PathAndQuery;
use libfuzzer_sys::fuzz_target;

#[api_key(query = "key")]
struct Key;

#[api_key(query = "key", auto_error = false)]
struct Optional;

/// A head with any text as its query, even one that no HTTP library takes.
struct Query<'q>(&'q str);

impl RequestHead for Query<'_> {
    fn lines<'h>(&'h self, _: &str) -> impl Iterator<Item = HeaderLine<'h>> {
        [].into_iter()
    }

    fn query(&self) -> Option<&str> {
        Some(self.0)
    }

    fn method(&self) -> &str {
        ""
    }

    fn authority(&self) -> Option<Cow<'_, str>> {
        None
    }
}

/// Returns the value of the only parameter of the name.
fn key_by_the_book(query: &str) -> Option<String> {
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let values: Vec<_> =
        pairs.iter().filter(|(name, _)| name == "key").map(|(_, value)| value).collect();
    let [value] = *values else { return None };
    // What is not UTF-8 has been replaced, as an escaped replacement character looks, too.
    let is_replaced = value.contains(char::REPLACEMENT_CHARACTER);
    let strict = by_the_book::parameters(query.as_bytes(), &["key"]);
    match strict.get("key") {
        Some(Ok(strict)) => assert_eq!(strict, value),
        Some(Err(_)) => assert!(is_replaced),
        None => assert!(value.is_empty()),
    }
    strict.get("key").and_then(|key| key.clone().ok())
}

fuzz_target!(|query: &str| {
    let head = Query(query);
    let expected = key_by_the_book(query);
    let found = Key::authenticate_ref(&head).map(Cow::into_owned);
    assert_eq!(found.clone().ok(), expected);
    assert_eq!(Optional::authenticate_ref(&head), Ok(expected.clone().map(Cow::Owned)));
    if let Err(refused) = found {
        let response: http::Response<String> = refused.into();
        assert_eq!(response.status(), 401);
        assert_eq!(response.headers()["www-authenticate"], "APIKey");
    }

    let Ok(target) = PathAndQuery::try_from(format!("/path?{query}")) else {
        return;
    };
    // A fragment has been cut off.
    let expected = key_by_the_book(target.query().unwrap_or_default());
    let mut request = Request::new(());
    *request.uri_mut() = target.into();
    let key = Key::authenticate(&request).ok();
    assert_eq!(key.as_ref().map(|key| key.as_str().to_owned()), expected);
    let borrowed = Key::authenticate_ref(&request).ok();
    assert_eq!(borrowed.map(Cow::into_owned), expected);
    if let Some(key) = key {
        assert_eq!(format!("{key:?}"), "ApiKey(<redacted>)");
    }
});
