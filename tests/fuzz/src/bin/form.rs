//! Fuzzes the ready-made forms, in one piece and in chunks.
#![no_main]

use std::collections::HashMap;
use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
use http_body::{Body, Frame};
use libfuzzer_sys::fuzz_target;
use tollgate::form::{FormError, RequestForm, read_form};
use tollgate::secrecy::ExposeSecret;
use tollgate::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict};
use tollgate_fuzz::by_the_book;

/// A body that arrives in chunks of a fixed length.
struct Chunks {
    rest: Bytes,
    length: usize,
}

impl Body for Chunks {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let length = self.length.min(self.rest.len());
        let chunk = self.rest.split_to(length);
        Poll::Ready((!chunk.is_empty()).then(|| Ok(Frame::data(chunk))))
    }
}

fn faults(error: &FormError) -> Vec<(&'static str, &'static str)> {
    error
        .faults()
        .iter()
        .map(|fault| (fault.kind.as_str(), fault.field.unwrap_or_default()))
        .collect()
}

fn shown(form: OAuth2PasswordRequestForm) -> HashMap<String, String> {
    let secret = form.client_secret.map(|secret| secret.expose_secret().to_owned());
    let fields = [
        ("grant_type", form.grant_type),
        ("username", Some(form.username)),
        ("password", Some(form.password.expose_secret().to_owned())),
        ("scope", Some(form.scopes.join(" "))),
        ("client_id", form.client_id),
        ("client_secret", secret),
    ];
    fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?))).collect()
}

fuzz_target!(|data: &[u8]| {
    let (length, body) =
        data.split_first().map_or((1, data), |(length, body)| (usize::from(*length).max(1), body));
    if body.len() > 60_000 {
        return;
    }
    let read = OAuth2PasswordRequestForm::decode(body);
    let mut expected = by_the_book::password_form(body, false);
    if let Ok(form) = &mut expected {
        let scope = form.remove("scope").unwrap_or_default();
        let scopes: Vec<_> = scope.split_whitespace().collect();
        form.insert("scope".to_owned(), scopes.join(" "));
    }
    assert_eq!(read.clone().map(shown).map_err(|error| faults(&error)), expected);

    let strict = OAuth2PasswordRequestFormStrict::decode(body);
    let by_the_book = by_the_book::password_form(body, true);
    assert_eq!(strict.as_ref().map(drop).map_err(faults), by_the_book.map(drop));
    if let (Ok(strict), Ok(read)) = (&strict, &read) {
        assert_eq!(strict.password.expose_secret(), read.password.expose_secret());
        assert_eq!((&strict.username, &strict.scopes), (&read.username, &read.scopes));
    }
    assert!(strict.is_err() || read.is_ok());

    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
    let chunks = Chunks { rest: Bytes::copy_from_slice(body), length };
    let chunked = pin!(read_form::<OAuth2PasswordRequestForm, _>(&headers, chunks));
    let Poll::Ready(chunked) = chunked.poll(&mut Context::from_waker(Waker::noop())) else {
        panic!("the body never waits");
    };
    assert_eq!(
        chunked.map(shown).map_err(|error| faults(&error)),
        read.clone().map(shown).map_err(|error| faults(&error))
    );

    match read {
        Ok(mut form) => {
            let shown = format!("{form:?}");
            form.password = "another".into();
            form.client_secret = form.client_secret.map(|_| "another".into());
            assert_eq!(format!("{form:?}"), shown, "the same, whatever the secrets are");
        }
        Err(error) => {
            let response: http::Response<String> = error.into();
            serde_json::from_str::<serde_json::Value>(response.body()).expect("JSON");
        }
    }
});
