//! An issuer of opaque tokens for tests, without a network.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use doorward_core::__tokens::joined;
use doorward_core::scheme::InvalidToken;
use doorward_core::{__debug_only as debug_only, BearerToken};
use http::{Request, StatusCode};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::Introspection;
use super::builder::IntrospectionBuilder;
use super::login::ClientLogin;
use crate::claims::rules::now;
use crate::fetch::{Fetch, FetchError, Fetched};

/// An issuer of opaque tokens for tests: it has the answer about each token in memory, and gives a
/// verifier that asks it. Clones are the same issuer.
///
/// ```
/// # fn test() -> Result<(), Box<dyn std::error::Error>> {
/// use serde_json::json;
/// use doorward::verify::TestIssuer;
///
/// let issuer = TestIssuer::new("https://api.example.com");
/// let tokens = issuer.verifier::<serde_json::Value>().build()?;
///
/// let good = issuer.token("johndoe", ["me"])?;
/// issuer.answer("r3fresh", json!({ "active": true, "token_type": "refresh_token" }));
/// issuer.revoke(&good);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct TestIssuer {
    audience: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    answers: HashMap<String, Value>,
    /// How many tokens were issued.
    issued: usize,
    /// How often the issuer was asked.
    asked: usize,
    is_down: bool,
}

/// The URL of the introspection endpoint.
const URL: &str = "https://issuer.test/introspect";

impl TestIssuer {
    /// Creates an issuer whose tokens are for this audience.
    #[must_use]
    pub fn new(audience: impl Into<String>) -> Self {
        Self { audience: audience.into(), state: Arc::default() }
    }

    /// Sets up a verifier that asks the issuer, for its audience.
    pub fn verifier<C>(&self) -> IntrospectionBuilder<C>
    where
        C: DeserializeOwned + Send + Sync + 'static,
    {
        let login = ClientLogin::basic("test", "secret");
        Introspection::at(URL, login).audience(&*self.audience).fetch(self.clone())
    }

    /// Issues a token about a user, which is valid for an hour.
    ///
    /// # Errors
    ///
    /// Never. The result is that of [`BearerToken::try_from`], which checks any text.
    pub fn token<S: AsRef<str>>(
        &self,
        subject: impl Into<String>,
        scopes: impl IntoIterator<Item = S>,
    ) -> Result<BearerToken, InvalidToken> {
        let issued = {
            let mut state = self.state();
            state.issued = state.issued.saturating_add(1);
            state.issued
        };
        let token = format!("t0k3n-{issued}");
        self.answer(
            &*token,
            json!({
                "active": true,
                "token_type": "Bearer",
                "aud": self.audience,
                "sub": subject.into(),
                "scope": joined(scopes),
                "exp": now() + 3600.0,
            }),
        );
        BearerToken::try_from(&*token)
    }

    /// Sets the answer about a token, such as one for another audience.
    pub fn answer(&self, token: impl Into<String>, answer: Value) {
        self.state().answers.insert(token.into(), answer);
    }

    /// Revokes a token. From now on, the answer is that of a token which the issuer does not know.
    pub fn revoke(&self, token: &BearerToken) {
        self.state().answers.remove(token.as_str());
    }

    /// Sets whether the issuer is down, so that it answers no question.
    pub fn set_down(&self, is_down: bool) {
        self.state().is_down = is_down;
    }

    /// Returns how often the issuer was asked about a token.
    #[must_use]
    pub fn asked(&self) -> usize {
        self.state().asked
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fetch for TestIssuer {
    async fn fetch(&self, request: Request<Bytes>, _: usize) -> Result<Fetched, FetchError> {
        let form: HashMap<String, String> = serde_urlencoded::from_bytes(request.body())?;
        let mut state = self.state();
        state.asked = state.asked.saturating_add(1);
        if state.is_down {
            let status = StatusCode::SERVICE_UNAVAILABLE;
            return Err(FetchError::new("the issuer is down").with_status(status));
        }
        let answer = form.get("token").and_then(|token| state.answers.get(token));
        let answer = answer.map_or_else(|| r#"{"active":false}"#.to_owned(), Value::to_string);
        Ok(Fetched::new(request.uri().to_string(), answer))
    }
}

debug_only!([] TestIssuer { audience });
