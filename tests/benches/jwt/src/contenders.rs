//! The contenders. Each checks the signature, the issuer, the audience, the times and a scope, and
//! gives the claims that a service reads. None uses a network.
//!
//! The backend of the run checks the signatures for doorward, `jsonwebtoken` and
//! `tower-oauth2-resource-server`. The other two bring a backend of their own:
//! `oauth-resource-server` ring, `huskarl-resource-server` RustCrypto.

#[cfg(feature = "aws-lc")]
pub(crate) mod huskarl;

use std::cell::RefCell;
use std::convert::Infallible;
use std::future;
use std::hint::black_box;
use std::mem;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use doorward::jwt::TokenVerifier;
use doorward::verify::Fetched;
use doorward::{BearerToken, security_scopes};
use http::header::AUTHORIZATION;
use http::{HeaderValue, Request, Response, StatusCode};
use jsonwebtoken::{DecodingKey, Validation};
use oauth_resource_server::{KeyNaming, OAuthConfig, OAuthValidator};
use serde::Deserialize;
use tower::{Layer as _, Service as _, service_fn};
use tower_oauth2_resource_server::server::OAuth2ResourceServer;
use tower_oauth2_resource_server::tenant::TenantConfiguration;
use tower_oauth2_resource_server::validation::ClaimsValidationSpec;

use crate::issuer::{AUDIENCE, ISSUER, Issuer, SCOPE};

/// A way to verify tokens.
pub(crate) struct Contender {
    /// Its name in the table.
    pub(crate) name: &'static str,
    accepts: Box<dyn Fn(&mut Input) -> bool>,
}

impl Contender {
    fn new(name: &'static str, accepts: impl Fn(&mut Input) -> bool + 'static) -> Self {
        Self { name, accepts: Box::new(accepts) }
    }

    /// Verifies a token, reads its claims, and drops them. Returns whether it is accepted.
    pub(crate) fn accepts(&self, input: &mut Input) -> bool {
        (self.accepts)(input)
    }
}

/// A token, in each form that a contender takes.
pub(crate) struct Input {
    token: BearerToken,
    /// A request with the token.
    request: Request<()>,
}

impl Input {
    pub(crate) fn new(token: &str) -> Self {
        let line = HeaderValue::try_from(format!("Bearer {token}")).expect("a header value");
        let mut request = Request::new(());
        request.headers_mut().insert(AUTHORIZATION, line);
        Self { token: BearerToken::try_from(token).expect("a token"), request }
    }
}

/// The claims that a service reads.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Claims {
    sub: String,
    scope: String,
}

pub(crate) const JSONWEBTOKEN: &str = "`jsonwebtoken::decode`";
pub(crate) const FIRST: &str = "doorward";
pub(crate) const FIRST_OF_REMEMBERED: &str = "doorward, `remember`, for the first time";
pub(crate) const REMEMBERED: &str = "doorward, `remember`, again";
pub(crate) const PEERS: &[&str] = &[
    #[cfg(feature = "aws-lc")]
    HUSKARL,
    OAUTH,
    TOWER,
];
#[cfg(feature = "aws-lc")]
const HUSKARL: &str = "huskarl-resource-server";
const OAUTH: &str = "oauth-resource-server";
const TOWER: &str = "tower-oauth2-resource-server";

/// Returns all contenders. [`REMEMBERED`] has verified the tokens before.
pub(crate) fn all(issuer: &Issuer, tokens: &[String]) -> Vec<Contender> {
    let remembered = doorward(REMEMBERED, issuer, CAPACITY);
    for token in tokens {
        assert!(remembered.accepts(&mut Input::new(token)));
    }
    vec![
        jsonwebtoken(issuer),
        doorward(FIRST, issuer, 0),
        doorward(FIRST_OF_REMEMBERED, issuer, CAPACITY),
        remembered,
        #[cfg(feature = "aws-lc")]
        huskarl::contender(HUSKARL, issuer),
        oauth_resource_server(OAUTH, issuer),
        tower_oauth2_resource_server(TOWER, issuer),
    ]
}

/// Where the keys are.
const KEYS: &str = "https://id.example.com/keys";
/// The bytes of tokens that a verifier remembers.
const CAPACITY: usize = 160 << 20;

/// doorward, which checks the scope itself.
fn doorward(name: &'static str, issuer: &Issuer, remember: usize) -> Contender {
    let verifier = Remembered(verifier(issuer, remember));
    Contender::new(name, move |input| verifier.accepts(&input.token))
}

pub(crate) fn verifier(issuer: &Issuer, remember: usize) -> TokenVerifier<Claims> {
    let keys = issuer.jwks();
    let fetch = move |url: String| future::ready(Ok(Fetched::new(url, keys.clone())));
    let builder = TokenVerifier::<Claims>::jwks_url(ISSUER, KEYS, fetch).audience(AUDIENCE);
    ready(builder.remember(remember).build()).expect("a verifier")
}

/// doorward's verifier, for several threads.
pub(crate) struct Remembered(TokenVerifier<Claims>);

impl Remembered {
    pub(crate) fn new(issuer: &Issuer) -> Self {
        Self(verifier(issuer, CAPACITY))
    }

    pub(crate) fn accepts(&self, token: &BearerToken) -> bool {
        let verified = ready(self.0.verify(token, security_scopes![SCOPE]));
        black_box(&verified).as_ref().is_ok_and(|claims| !claims.sub.is_empty())
    }
}

/// The backend alone, with a key that is created once.
fn jsonwebtoken(issuer: &Issuer) -> Contender {
    let key = DecodingKey::from_jwk(&issuer.jwk).expect("a key");
    let algorithm = issuer.algorithm;
    let mut validation = Validation::new(algorithm);
    validation.set_issuer(&[ISSUER]);
    validation.set_audience(&[AUDIENCE]);
    validation.set_required_spec_claims(&["iss", "aud", "exp"]);
    validation.validate_nbf = true;
    Contender::new(JSONWEBTOKEN, move |input| {
        let decoded = jsonwebtoken::decode::<Claims>(input.token.as_str(), &key, &validation);
        let decoded = black_box(&decoded).as_ref();
        decoded.is_ok_and(|decoded| decoded.claims.scope.split(' ').any(|scope| scope == SCOPE))
    })
}

fn oauth_resource_server(name: &'static str, issuer: &Issuer) -> Contender {
    let config = OAuthConfig {
        enabled: true,
        issuer: ISSUER.to_owned(),
        audience: AUDIENCE.to_owned(),
        resource: AUDIENCE.to_owned(),
        required_scope: Some(SCOPE.to_owned()),
        require_at_jwt: true,
        ..OAuthConfig::default()
    };
    let config = config.resolve(KeyNaming::Dotted("oauth")).expect("a configuration");
    let config = config.expect("it is enabled");
    let builder = OAuthValidator::builder(&config).initial_jwks(&issuer.jwks());
    let validator = builder.build().expect("a validator");
    Contender::new(name, move |input| {
        let validated = ready(validator.validate(input.token.as_str()));
        black_box(&validated).as_ref().is_ok_and(|token| token.subject.is_some())
    })
}

fn tower_oauth2_resource_server(name: &'static str, issuer: &Issuer) -> Contender {
    let audiences = vec![AUDIENCE.to_owned()];
    let tenant = TenantConfiguration::static_builder(issuer.jwks())
        .claims_validation(ClaimsValidationSpec::recommended(ISSUER, &audiences).nbf(false));
    let tenant = tenant.build().expect("a tenant");
    let server = OAuth2ResourceServer::<Claims>::builder().add_tenant(tenant);
    let layer = ready(server.build()).expect("a server").into_layer();
    let handler = service_fn(async |request: Request<()>| {
        let claims = request.extensions().get::<Claims>();
        let is_allowed =
            claims.is_some_and(|claims| claims.scope.split(' ').any(|scope| scope == SCOPE));
        let mut response = Response::new(());
        if !is_allowed {
            *response.status_mut() = StatusCode::FORBIDDEN;
        }
        Ok::<_, Infallible>(response)
    });
    let service = RefCell::new(layer.layer(handler));
    Contender::new(name, move |input| {
        let response = service.borrow_mut().call(mem::take(&mut input.request));
        ready(response).is_ok_and(|response| response.status() == StatusCode::OK)
    })
}

/// Returns the output of a future that never waits.
pub(crate) fn ready<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("the future waits"),
    }
}
