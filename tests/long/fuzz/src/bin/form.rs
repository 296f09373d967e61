//! Fuzzes the ready-made forms, in one piece and in chunks.
#![no_main]

use std::convert::Infallible;
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

use bytes::Bytes;
use doorward::form::{FormError, RequestForm, read_form};
use doorward::secrecy::ExposeSecret;
use doorward::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict};
use doorward_fuzz::by_the_book;
use doorward_fuzz::shown::{faults_by_the_book as faults, parameters, with_split_scope};
use http::{HeaderMap, HeaderValue, header::CONTENT_TYPE};
use http_body::{Body, Frame};
use libfuzzer_sys::fuzz_target;

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

fuzz_target!(|data: &[u8]| {
    let (length, body) =
        data.split_first().map_or((1, data), |(length, body)| (usize::from(*length).max(1), body));
    if body.len() > 60_000 {
        return;
    }
    let read = OAuth2PasswordRequestForm::decode(body);
    let shown = |form: Result<OAuth2PasswordRequestForm, FormError>| match form {
        Ok(form) => Ok(parameters(&form)),
        Err(error) => Err(faults(&error)),
    };
    let expected = by_the_book::password_form(body, false).map(with_split_scope);
    assert_eq!(shown(read.clone()), expected);

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
    assert_eq!(shown(chunked), shown(read.clone()));

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
