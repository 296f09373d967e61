//! Tokens that are to be signed. An authority creates them, and each is signed by its authority, so
//! the two files need each other.

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::credential::bearer_token::BearerToken;
use crate::jwt::authority::TokenAuthority;
use crate::jwt::build_error::BuildError;
use crate::jwt::claims::joined;
use crate::jwt::clock::{SystemTime, UNIX_EPOCH};
use crate::jwt::random;
use crate::token_endpoint::{TokenError, TokenResponse};
use crate::trace;

/// A token of a [`TokenAuthority`], before it is signed.
#[derive(Clone)]
#[must_use = "`sign` creates the token, and `response` the answer with it"]
pub struct UnsignedToken<'a> {
    authority: &'a TokenAuthority,
    claims: Map<String, Value>,
    problems: Vec<String>,
}

/// The claims that the authority sets.
const OF_AUTHORITY: [&str; 5] = ["aud", "exp", "iat", "iss", "sub"];

impl<'a> UnsignedToken<'a> {
    pub(super) fn new(authority: &'a TokenAuthority, subject: String) -> Self {
        Self {
            authority,
            claims: Map::from_iter([("sub".to_owned(), subject.into())]),
            problems: Vec::new(),
        }
    }

    /// Sets the scopes that the token grants.
    pub fn scopes<S: AsRef<str>>(mut self, scopes: impl IntoIterator<Item = S>) -> Self {
        let scope = Some(joined(scopes)).filter(|scope| !scope.is_empty());
        self.set("scope".to_owned(), scope.into());
        self
    }

    /// Sets a claim, such as `client_id` or a `jti` of your own. `null` removes it, as does `None`.
    ///
    /// The authority sets `iss`, `aud`, `sub`, `iat` and `exp`, so [`sign`](Self::sign) refuses
    /// other values.
    pub fn claim(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(name.into(), value.into());
        self
    }

    /// Sets the claims of a type that serializes as an object. A field `sub` has to be the subject
    /// of the token.
    ///
    /// ```
    /// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))] {
    /// # use tollgate::jwt::{Algorithm, SigningKey, TokenAuthority};
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Profile {
    ///     name: String,
    ///     is_admin: bool,
    /// }
    ///
    /// # let key = SigningKey::random(Algorithm::Hs256)?;
    /// # let authority = TokenAuthority::new("https://notes.example.com", "notes", key).build()?;
    /// let profile = Profile { name: "John Doe".to_owned(), is_admin: false };
    /// let token = authority.token("johndoe").claims(&profile).sign()?;
    /// # }
    /// # Ok::<(), tollgate::jwt::BuildError>(())
    /// ```
    pub fn claims(mut self, claims: &impl Serialize) -> Self {
        match serde_json::to_value(claims) {
            Ok(Value::Object(claims)) => {
                for (name, value) in claims {
                    self.set(name, value);
                }
            }
            _ => self.problems.push("the claims are not an object of JSON".to_owned()),
        }
        self
    }

    fn set(&mut self, name: String, value: Value) {
        let is_as_set = self.claims.get(&name) == Some(&value);
        if OF_AUTHORITY.contains(&&*name) && !is_as_set {
            let problem = format!("the authority sets the claim `{name}`; leave it out");
            self.problems.push(problem);
        } else if value.is_null() {
            self.claims.remove(&name);
        } else {
            self.claims.insert(name, value);
        }
    }

    /// Signs the token. Its `jti` is random, unless it was set.
    ///
    /// # Errors
    ///
    /// Returns an error if a claim is one that the authority sets, the claims are not an object, or
    /// there are no random numbers.
    pub fn sign(self) -> Result<BearerToken, BuildError> {
        let authority = self.authority;
        if !self.problems.is_empty() {
            return Err(BuildError::of(self.problems));
        }
        let mut claims = self.claims;
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.map_or(0, |since| since.as_secs());
        claims.insert("iss".to_owned(), authority.issuer().into());
        claims.insert("aud".to_owned(), authority.audience().into());
        claims.insert("iat".to_owned(), now.into());
        let exp = now.saturating_add(authority.lifetime().as_secs());
        claims.insert("exp".to_owned(), exp.into());
        if !claims.contains_key("jti") {
            claims.insert("jti".to_owned(), random_id()?.into());
        }
        let signer = authority.signer();
        let mut header = Map::from_iter([
            ("alg".to_owned(), signer.algorithm().name().into()),
            ("typ".to_owned(), authority.token_type().into()),
        ]);
        if let Some(id) = signer.id() {
            header.insert("kid".to_owned(), id.into());
        }
        signer.sign(header, claims, authority.backend())
    }

    /// Signs the token, and answers a token request with it, with its lifetime and its scopes.
    ///
    /// ```
    /// # use tollgate::jwt::TokenAuthority;
    /// # use tollgate::token_endpoint::{TokenError, TokenResponse};
    /// async fn log_in(authority: &TokenAuthority) -> Result<TokenResponse, TokenError> {
    ///     authority.token("johndoe").scopes(["me"]).response()
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// Returns a `500` with `server_error` where [`sign`](Self::sign) returns an error, which is in
    /// the log.
    pub fn response(self) -> Result<TokenResponse, TokenError> {
        let authority = self.authority;
        let scope = self.claims.get("scope").and_then(Value::as_str);
        let scope = scope.unwrap_or_default().to_owned();
        let token = self.sign().map_err(|error| {
            trace::token_not_signed(&error);
            TokenError::server_error()
        })?;
        Ok(TokenResponse::bearer(token.as_str())
            .with_expires_in(authority.lifetime())
            .with_scopes(scope.split(' ')))
    }
}

/// Returns 128 random bits.
fn random_id() -> Result<String, BuildError> {
    let mut bytes = [0; 16];
    random::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

impl fmt::Debug for UnsignedToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsignedToken")
            .field("claims", &Vec::from_iter(self.claims.keys()))
            .finish_non_exhaustive()
    }
}
