//! What is recorded of a decision, and what is not.

use std::io;
use std::sync::{Arc, Mutex};

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};
use tollgate::{ClientCredentials, OAuth2PasswordRequestForm, PasswordRequestForm, Scheme};
use tollgate_tests::schemes::Password;
use tracing_subscriber::fmt::MakeWriter;

/// Where the lines of a log go.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

/// The log of some work.
fn log_of(work: impl FnOnce()) -> String {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(log.clone())
        .without_time()
        .finish();
    tracing::subscriber::with_default(subscriber, work);
    String::from_utf8(log.0.lock().unwrap().clone()).unwrap()
}

fn headers(authorization: &'static str) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(AUTHORIZATION, HeaderValue::from_static(authorization));
    let form = HeaderValue::from_static("application/x-www-form-urlencoded");
    headers.insert(CONTENT_TYPE, form);
    headers
}

#[test]
fn each_decision_is_recorded_with_its_kind() {
    let log = log_of(|| {
        let _ = Password::authenticate(&headers("Bearer t0ps3cret"));
        let _ = Password::authenticate(&HeaderMap::new());
        let _ = OAuth2PasswordRequestForm::decode(b"username=t0ps3cret&password=t0ps3cret");
        let _ = OAuth2PasswordRequestForm::decode(b"username=t0ps3cret&username=t0ps3cret");
        let _ = OAuth2PasswordRequestForm::decode_request(&HeaderMap::new(), b"");
        let _ = ClientCredentials::find(&headers("Basic dDBwczNjcmV0OnQwcHMzY3JldA=="), None, None);
        let _ = ClientCredentials::find(&headers("Basic t0ps3cret"), None, None);
    });
    for line in [
        "a credential was found scheme=\"Password\"",
        "no credential was found scheme=\"Password\" refusal=Missing",
        "a form was read",
        "a form was refused error=`username` is sent more than once; `password` is missing",
        "a form was refused error=the body must be application/x-www-form-urlencoded",
        "a client's credentials were found",
        "a client's credentials were refused error=invalid_request: the Authorization header is malformed",
    ] {
        assert!(log.contains(line), "{line} is not in\n{log}");
    }
    assert!(!log.contains("t0p") && !log.contains("dDBwczN"), "{log}");
}
