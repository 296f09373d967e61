//! Tokens before they are signed: each gathers its claims, and its authority signs them.

use core::fmt;
use core::time::Duration;

use doorward_core::__tokens::{is_scope_token, joined};
use doorward_core::BearerToken;
use doorward_core::token_endpoint::{TokenError, TokenResponse};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::authority::token_authority::{TokenAuthority, lifetime_fault};
use crate::build_error::BuildError;
use crate::claims::set;
use crate::clock::{Date, since_1970};
use crate::trace;

/// A token of a [`TokenAuthority`], before it is signed.
#[derive(Clone)]
#[must_use = "`sign` creates the token, and `response` the answer with it"]
pub struct UnsignedToken<'a> {
    authority: &'a TokenAuthority,
    claims: Map<String, Value>,
    lifetime: Duration,
    problems: Vec<String>,
}

/// The claims that no [`claim`](UnsignedToken::claim) replaces, each with the one who sets it.
const RESERVED: [(&str, &str); 9] = [
    ("aud", "the authority sets"),
    ("cnf", "`confirmation` sets"),
    ("exp", "`lifetime` sets"),
    ("iat", "the authority sets"),
    ("iss", "the authority sets"),
    ("nbf", "`not_before` sets"),
    ("scope", "`granted` or `scopes` sets"),
    ("scp", "no token of an authority has"),
    ("sub", "the authority sets"),
];

impl TokenAuthority {
    /// Creates a token about a user, or about a client that acts for itself. It grants no scopes.
    pub fn token(&self, subject: impl Into<String>) -> UnsignedToken<'_> {
        let claims = Map::from_iter([("sub".to_owned(), subject.into().into())]);
        UnsignedToken { authority: self, claims, lifetime: self.lifetime(), problems: Vec::new() }
    }
}

impl UnsignedToken<'_> {
    /// Sets the scopes that the token grants: all that the client has asked for and that this
    /// user has, each once. Scopes that the user does not have are left out, and the
    /// [`response`](Self::response) tells the client which ones the token grants
    /// ([RFC 6749, 3.3](https://www.rfc-editor.org/rfc/rfc6749#section-3.3)). If the client asks
    /// for none, the token grants none.
    ///
    /// ```
    /// # use doorward::jwt::TokenAuthority;
    /// # use doorward::token_endpoint::{TokenError, TokenResponse};
    /// # use doorward::OAuth2PasswordRequestForm;
    /// # type Form = OAuth2PasswordRequestForm;
    /// async fn log_in(authority: &TokenAuthority, form: Form) -> Result<TokenResponse, TokenError> {
    ///     // Check the password here.
    ///     authority.token("johndoe").granted(&form.scopes, ["me", "items"])?.response()
    /// }
    /// ```
    ///
    /// With [`for_scheme`](super::TokenAuthorityBuilder::for_scheme), a user who has a scope also
    /// has the scopes that it implies.
    ///
    /// # Errors
    ///
    /// Returns `invalid_scope` if the client asks for scopes, and the user has none of them: an
    /// answer without scopes would say that all of them are granted.
    pub fn granted<A: AsRef<str>, U: AsRef<str>>(
        mut self,
        asked: impl IntoIterator<Item = A>,
        of_this_user: impl IntoIterator<Item = U>,
    ) -> Result<Self, TokenError> {
        let of_this_user = Vec::from_iter(of_this_user);
        let has = |scope: &str| {
            let is_listed = of_this_user.iter().any(|own| own.as_ref() == scope);
            is_listed || self.authority.implies(&of_this_user, scope)
        };
        let (mut granted, mut has_asked) = (Vec::<A>::new(), false);
        for scope in asked {
            has_asked = true;
            let is_new = !granted.iter().any(|other| other.as_ref() == scope.as_ref());
            if is_new && has(scope.as_ref()) {
                granted.push(scope);
            }
        }
        if has_asked && granted.is_empty() {
            return Err(TokenError::invalid_scope("none of the scopes is one of this user"));
        }
        self.set_scopes(&granted);
        Ok(self)
    }

    /// Sets the scopes that the token grants, for any client. Each is named in the program: a
    /// literal, or a constant of a scheme, such as `Login::ME`. For scopes that a client has asked
    /// for, or that are stored somewhere, call [`granted`](Self::granted). Those of a form do not
    /// compile here, because the token would grant all that a client asks for:
    ///
    /// ```compile_fail,E0271
    /// # use doorward::OAuth2PasswordRequestForm;
    /// # use doorward::jwt::TokenAuthority;
    /// # fn log_in(authority: &TokenAuthority, form: OAuth2PasswordRequestForm) {
    /// let token = authority.token("johndoe").scopes(form.scopes);
    /// # }
    /// ```
    pub fn scopes(mut self, scopes: impl IntoIterator<Item = &'static str>) -> Self {
        self.set_scopes(&Vec::from_iter(scopes));
        self
    }

    fn set_scopes<S: AsRef<str>>(&mut self, scopes: &[S]) {
        for scope in scopes.iter().map(AsRef::as_ref) {
            let name = scope.escape_debug();
            if !is_scope_token(scope) {
                self.problems.push(format!("`{name}` is not a scope (RFC 6749, 3.3); pass each scope by itself, without spaces"));
            } else if !self.authority.may_grant(scope) {
                self.problems.push(format!(
                    "the scope `{name}` is not declared by a scheme of `for_scheme`"
                ));
            }
        }
        let scope = Some(joined(scopes)).filter(|scope| !scope.is_empty());
        set(&mut self.claims, "scope".to_owned(), scope.into());
    }

    /// Sets the time at which the token is issued, `iat`, in whole seconds
    /// ([RFC 7519, 4.1.6](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.6)). It expires one
    /// lifetime later. The default is the time of this machine's clock. If several nodes sign, take
    /// the time of their database, because a verifier may refuse a token of the future.
    pub fn issued_at(mut self, date: impl Into<Date>) -> Self {
        self.claims.insert("iat".to_owned(), since_1970(date.into()).as_secs().into());
        self
    }

    /// Sets how long this token is valid, in whole seconds, instead of the lifetime of the authority.
    pub fn lifetime(mut self, lifetime: Duration) -> Self {
        self.problems.extend(lifetime_fault(lifetime).map(str::to_owned));
        self.lifetime = lifetime;
        self
    }

    /// Sets the time before which the token is not valid, in whole seconds
    /// ([RFC 7519, 4.1.5](https://www.rfc-editor.org/rfc/rfc7519#section-4.1.5)).
    pub fn not_before(mut self, date: impl Into<Date>) -> Self {
        let since = since_1970(date.into());
        // Rounded up, so that it is not valid too early.
        let seconds = since.as_secs().saturating_add(u64::from(since.subsec_nanos() > 0));
        self.claims.insert("nbf".to_owned(), seconds.into());
        self
    }

    /// Binds the token to a key of the client, with the claim `cnf`, an object: for example
    /// `json!({ "jkt": thumbprint })`
    /// ([RFC 7800, 3.1](https://www.rfc-editor.org/rfc/rfc7800#section-3.1),
    /// [RFC 9449, 6.1](https://www.rfc-editor.org/rfc/rfc9449#section-6.1)). A verifier that cannot
    /// check the proof refuses such a token, and a [`TokenVerifier`](crate::jwt::TokenVerifier) is
    /// one.
    pub fn confirmation(mut self, cnf: impl Into<Value>) -> Self {
        match cnf.into() {
            cnf @ Value::Object(_) => drop(self.claims.insert("cnf".to_owned(), cnf)),
            _ => self.problems.push("the confirmation is not an object of JSON".to_owned()),
        }
        self
    }

    /// Sets a claim, such as `client_id` or a `jti` of your own. `null` removes it, as does `None`.
    ///
    /// The authority sets `iss`, `aud`, `sub`, `iat` and `exp`, and other methods set `scope`,
    /// `nbf` and `cnf`, so [`sign`](Self::sign) refuses other values, and any `scp`.
    pub fn claim(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.set(name.into(), value.into());
        self
    }

    /// Sets the claims of a type that serializes as an object. A field `sub` has to be the subject
    /// of the token, and a field `scope`, `scp`, `nbf` or `cnf` is an error as for
    /// [`claim`](Self::claim): what a profile says grants nothing.
    ///
    /// ```
    /// # #[cfg(any(feature = "jwt-aws-lc", feature = "jwt-rust-crypto"))] {
    /// # use doorward::jwt::{Algorithm, SigningKey, TokenAuthority};
    /// use serde::Serialize;
    ///
    /// #[derive(Serialize)]
    /// struct Profile {
    ///     name: String,
    ///     is_admin: bool,
    /// }
    ///
    /// # let key = SigningKey::random(Algorithm::Hs256)?;
    /// # let authority = TokenAuthority::builder("https://notes.example.com", key).build()?;
    /// let profile = Profile { name: "John Doe".to_owned(), is_admin: false };
    /// let token = authority.token("johndoe").claims(&profile).sign()?;
    /// # }
    /// # Ok::<(), doorward::jwt::BuildError>(())
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
        match RESERVED.iter().find(|(reserved, _)| *reserved == name) {
            Some((_, setter)) if !is_as_set => {
                self.problems.push(format!("{setter} the claim `{name}`; leave it out"));
            }
            _ => set(&mut self.claims, name, value),
        }
    }

    /// Signs the token. Its `jti` is random, unless it was set.
    ///
    /// # Errors
    ///
    /// Returns an error if a claim is one that the authority or another method sets, a scope has a
    /// space or is not declared by a scheme of the authority, the lifetime is less than a second, the
    /// claims or the confirmation are not an object, or there are no random numbers.
    pub fn sign(self) -> Result<BearerToken, BuildError> {
        match self.problems.is_empty() {
            true => self.authority.signed(self.claims, self.lifetime),
            false => Err(BuildError::of(self.problems)),
        }
    }

    /// Signs the token, and answers a token request with it, with its lifetime and its scopes.
    ///
    /// ```
    /// # use doorward::jwt::TokenAuthority;
    /// # use doorward::token_endpoint::{TokenError, TokenResponse};
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
        let lifetime = self.lifetime;
        let scope = self.claims.get("scope").and_then(Value::as_str);
        let scope = scope.unwrap_or_default().to_owned();
        let token = self.sign().map_err(|error| {
            trace::token_not_signed(&error);
            TokenError::server_error()
        })?;
        Ok(TokenResponse::bearer(token.as_str())
            .with_expires_in(lifetime)
            .with_scopes(scope.split(' ')))
    }
}

impl fmt::Debug for UnsignedToken<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UnsignedToken")
            .field("claims", &Vec::from_iter(self.claims.keys()))
            .finish_non_exhaustive()
    }
}
