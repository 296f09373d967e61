//! `huskarl-resource-server`, which brings its own RustCrypto.

use std::future;
use std::hint::black_box;

use bytes::Bytes;
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use huskarl_resource_server::core::http::{HttpClient, HttpResponse, Idempotency};
use huskarl_resource_server::core::platform::MaybeSendBoxFuture;
use huskarl_resource_server::validator::rfc9068::Rfc9068Validator;

use super::{Contender, KEYS, ready};
use crate::issuer::{AUDIENCE, ISSUER, Issuer, SCOPE};

/// Verifies a request by its headers, its method and its URL.
pub(crate) type Verifies = Box<dyn Fn(&HeaderMap, &Method, &Uri) -> bool>;

pub(super) fn contender(name: &'static str, issuer: &Issuer) -> Contender {
    let verifies = verifier(issuer);
    Contender::new(name, move |input| {
        verifies(input.request.headers(), input.request.method(), input.request.uri())
    })
}

pub(crate) fn verifier(issuer: &Issuer) -> Verifies {
    let builder = Rfc9068Validator::builder().issuer(ISSUER).audience(AUDIENCE);
    let builder = builder.jwks_uri(KEYS.parse().expect("a URL"));
    let builder = builder.jwks_source(Keys(issuer.jwks().into()));
    let validator = ready(builder.build()).expect("a validator");
    Box::new(move |headers, method, url| {
        let validated = ready(validator.validate_request(headers, method, url, None)).outcome;
        let Ok(Some(validated)) = black_box(&validated) else {
            return false;
        };
        let scope = validated.claims.scope.as_deref().unwrap_or_default();
        scope.split(' ').any(|scope| scope == SCOPE)
    })
}

/// A client that answers with these keys.
struct Keys(Bytes);

impl HttpClient for Keys {
    fn execute(
        &self,
        _: Request<Bytes>,
        _: Idempotency,
    ) -> MaybeSendBoxFuture<'_, Result<HttpResponse, huskarl_resource_server::core::Error>> {
        let mut headers = HeaderMap::new();
        headers.insert("content-type", HeaderValue::from_static("application/jwk-set+json"));
        let response = HttpResponse { status: StatusCode::OK, headers, body: self.0.clone() };
        Box::pin(future::ready(Ok(response)))
    }
}
