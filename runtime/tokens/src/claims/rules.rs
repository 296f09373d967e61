//! The checks on the claims of a token that do not depend on how they were learned
//! ([RFC 7519, 4.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1)).

use std::time::Duration;

use doorward_core::__tokens::url;

use crate::claims::Registered;
use crate::clock;
use crate::reason::Reason;

/// The rules of every verifier.
#[derive(Clone, Debug)]
pub(crate) struct CommonRules {
    /// Whom a token is for: one of these, in the claim `aud`. Without any, it is for the `resource`
    /// of the scheme.
    pub(crate) audiences: Vec<String>,
    /// Instead of an audience: one of these clients, in the claim `client_id` or `azp`.
    pub(crate) client_ids: Vec<String>,
    /// Whether a token is taken that names neither an audience nor a client.
    pub(crate) without_audience: bool,
    /// Whether a token without an audience is taken that names any client.
    pub(crate) any_client: bool,
    /// Whether tokens are accepted whatever audience they name.
    pub(crate) any_audience: bool,
    /// Whether a scheme decides about the audience, by its `resource`.
    pub(crate) audience_of_scheme: bool,
    pub(crate) leeway: Duration,
    /// The maximum length of a token.
    pub(crate) max_bytes: usize,
    /// The paths of the claims with the scopes, instead of `scope` and `scp`.
    pub(crate) scopes_in: Vec<String>,
}

/// The settings that every builder has. It gathers them in the fields that are named here, and in
/// `refusals` and `problems`.
macro_rules! common_settings {
    (
        [$($generics:tt)*] $builder:ty,
        rules: $($rules:ident).+,
        http_hosts: $($http_hosts:ident).+
    ) => {
        impl<$($generics)*> $builder {
            /// Adds an accepted audience, which `aud` must contain. Call it once for each one of the
            /// service; a token needs only one of them.
            pub fn audience(mut self, audience: impl Into<String>) -> Self {
                self.$($rules).+.audiences.push(audience.into());
                self
            }

            /// Sets a client whose tokens are accepted, by `client_id`, or by `azp` if that is absent,
            /// instead of an audience: for issuers that write no `aud` for access tokens, such as
            /// Cognito, Clerk, and Hydra by default. A token that has an `aud` is refused. Call it once
            /// for each client.
            ///
            /// A refresh token of the client is active as well. So the answer of an issuer that is
            /// asked about a token must say that it is an access token: by `token_type`, `token_use` or
            /// `typ`.
            pub fn client_id(mut self, client_id: impl Into<String>) -> Self {
                self.$($rules).+.client_ids.push(client_id.into());
                self
            }

            /// Names a scheme whose `resource` is the audience. Call it once for each scheme that
            /// verifies with this verifier; of several resources, each scheme takes the tokens for its
            /// own.
            pub fn for_scheme<S: doorward_core::Scheme>(mut self) -> Self {
                self.$($rules).+.audience_of_scheme = true;
                let config = const { &S::CONFIG };
                if config.resource().is_some() {
                    return self;
                }
                self.with_problem(format!(
                    "the scheme `{}` has no `resource`; declare it, or call `audience`",
                    config.scheme_name()
                ))
            }

            /// Sets where the scopes are, instead of `scope` and `scp`: a name, or a path such as
            /// `realm_access.roles`. A name with dots may be in brackets:
            /// `resource_access['items.api'].roles`. If an object is there, the names of its members
            /// are the scopes. Call it once for each place; a token grants the scopes of all.
            pub fn scopes_in(mut self, path: impl Into<String>) -> Self {
                self.$($rules).+.scopes_in.push(path.into());
                self
            }

            /// Sets how far the clocks of the issuer and of this machine may differ. The default is 60
            /// seconds.
            pub fn leeway(mut self, leeway: Duration) -> Self {
                self.$($rules).+.leeway = leeway;
                self
            }

            /// Sets the maximum length of a token, in bytes. A longer one is refused unread. The default
            /// is 16 KiB.
            pub fn max_bytes(mut self, max_bytes: usize) -> Self {
                self.$($rules).+.max_bytes = max_bytes;
                self
            }

            /// Allows `http` for these hosts, where the issuer is asked: `["keycloak"]` in a network of
            /// containers. A `WARN` says so.
            ///
            /// **An attacker who can change the answer can let any token in**, and one who can read a
            /// question about an opaque token has the token, and the secret of the service. Use it for
            /// hosts that only this machine and its own network reach.
            pub fn allow_http_hosts(
                mut self,
                hosts: impl IntoIterator<Item: Into<String>>,
            ) -> Self {
                self.problems.extend(self.$($http_hosts).+.allow(hosts));
                self
            }

            /// Refuses each token for whose claims this returns `true`: one that was revoked, or whose
            /// account is disabled. It is called at each request, after all other checks but that of
            /// the scopes, and the caller learns no more than of any other invalid token. Call it once
            /// for each rule.
            ///
            /// It returns a `bool`, or a `Result` of one if it may fail, or a boxed future of either.
            /// An error is neither yes nor no, so the answer is a `503`
            /// ([`VerifyError::unavailable`](doorward_core::verify::VerifyError::unavailable)): the
            /// request fails, but the user stays logged in. The text of the error is not recorded.
            ///
            /// ```
            /// # use std::collections::HashSet;
            /// # use std::sync::{Arc, RwLock};
            /// use serde::Deserialize;
            /// use doorward::jwt::TokenVerifier;
            ///
            /// #[derive(Deserialize)]
            /// struct Claims {
            ///     jti: String,
            ///     sub: String,
            /// }
            ///
            /// # async fn is_disabled(_: &str) -> Result<bool, std::io::Error> { Ok(false) }
            /// # fn set_up(revoked: Arc<RwLock<HashSet<String>>>) {
            /// let tokens = TokenVerifier::<Claims>::jwks("https://id.example.com", "{…}")
            ///     .refuse_if(move |claims| match revoked.read() {
            ///         Ok(revoked) => Ok(revoked.contains(&claims.jti)),
            ///         Err(_) => Err("a writer has panicked"),
            ///     })
            ///     .refuse_if(|claims| Box::pin(async move { is_disabled(&claims.sub).await }));
            /// # }
            /// ```
            pub fn refuse_if<A: IsRefused>(
                mut self,
                refuses: impl Fn(Verified<C>) -> A + Send + Sync + 'static,
            ) -> Self {
                self.refusals.push(Refusal::new(refuses));
                self
            }

            /// Adds a mistake in a setting.
            pub(crate) fn with_problem(mut self, problem: impl Into<String>) -> Self {
                self.problems.push(problem.into());
                self
            }
        }
    };
}
pub(crate) use common_settings;

/// The maximum length of a token, unless a service sets another one.
pub(crate) const MAX_BYTES: usize = 16 * 1024;

/// The maximum leeway. More is meant in another unit, such as milliseconds.
const MAX_LEEWAY: Duration = Duration::from_secs(60 * 60);

impl Default for CommonRules {
    fn default() -> Self {
        Self {
            audiences: Vec::new(),
            client_ids: Vec::new(),
            without_audience: false,
            any_client: false,
            any_audience: false,
            audience_of_scheme: false,
            leeway: Duration::from_secs(60),
            max_bytes: MAX_BYTES,
            scopes_in: Vec::new(),
        }
    }
}

impl CommonRules {
    /// Returns what is wrong with the rules, which a builder has gathered.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        let [has_audience, has_client] =
            [&self.audiences, &self.client_ids].map(|names| !names.is_empty());
        let has_any_client = self.any_client && !self.any_audience;
        for (one, other, are_both) in [
            ("audience", "client_id", has_audience && has_client),
            ("audience", "any_audience", has_audience && self.any_audience),
            ("client_id", "any_audience", has_client && self.any_audience),
            ("client_id", "any_client", has_client && has_any_client),
        ] {
            if are_both {
                problems
                    .push(format!("`{one}` and `{other}` exclude each other; call one of them"));
            }
        }
        if !has_audience && !has_client && !self.without_audience && !self.audience_of_scheme {
            let problem = "nothing says which tokens are for this service; call `audience`, or `client_id` if they have no `aud`, or \
                           `for_scheme` if it is the `resource` of a scheme";
            problems.push(problem.to_owned());
        }
        if self.leeway > MAX_LEEWAY {
            problems.push(format!(
                "a leeway of {} s takes tokens so long after they have expired; set at most {} s, because clocks differ by seconds",
                self.leeway.as_secs(),
                MAX_LEEWAY.as_secs()
            ));
        }
        problems
    }

    /// Checks that a token is valid at this time, in seconds since 1970.
    pub(crate) fn check_times(&self, claims: &Registered, now: f64) -> Result<(), Reason> {
        let leeway = self.leeway.as_secs_f64();
        if claims.exp.is_some_and(|exp| is_in_milliseconds(exp, now)) {
            return Err(Reason::Milliseconds);
        }
        if claims.exp.is_some_and(|exp| now >= exp + leeway) {
            return Err(Reason::Expired);
        }
        if claims.nbf.is_some_and(|nbf| now + leeway < nbf) {
            return Err(Reason::NotYetValid);
        }
        Ok(())
    }

    /// Checks that a token with these claims is for this service.
    pub(crate) fn check_audience(
        &self,
        audiences: &[String],
        client: Option<&str>,
        resource: Option<&str>,
    ) -> Result<(), Reason> {
        let is_for = |ours: &str| audiences.iter().any(|audience| url::is_same(audience, ours));
        let is_of_any = self.any_client || self.without_audience && client.is_none();
        let is_audience = if self.any_audience || is_of_any && audiences.is_empty() {
            true
        } else if !self.client_ids.is_empty() {
            // A token that names an audience is for that audience only (RFC 7519, 4.1.3).
            let is_from = |ours: &String| client == Some(ours);
            audiences.is_empty() && self.client_ids.iter().any(is_from)
        } else if !self.audiences.is_empty() {
            self.audiences.iter().any(|ours| is_for(ours))
        } else {
            match resource {
                Some(resource) => is_for(resource),
                // A service that takes tokens without an audience need not know its own.
                None if self.without_audience => false,
                None => return Err(Reason::NoAudience),
            }
        };
        if is_audience { Ok(()) } else { Err(Reason::Audience) }
    }
}

/// Returns `true` if a time is not in seconds, as
/// [RFC 7519, 2](https://www.rfc-editor.org/rfc/rfc7519#section-2) has it, but in milliseconds: as
/// seconds it is far beyond the year 30,000, and as milliseconds within ten years of now.
fn is_in_milliseconds(time: f64, now: f64) -> bool {
    const TEN_YEARS: f64 = 10.0 * 366.0 * 24.0 * 60.0 * 60.0;
    (1e12..1e13).contains(&time) && (time / 1000.0 - now).abs() <= TEN_YEARS
}

/// Returns the seconds since 1970. A clock before that is wrong, so every token has expired.
pub(crate) fn now() -> f64 {
    clock::now().map_or(f64::INFINITY, |since| since.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims;

    #[test]
    fn a_token_is_valid_from_its_beginning_to_its_end_with_some_leeway() {
        let claims = claims::read::<Registered>(br#"{ "nbf": 1000, "exp": 2000 }"#).unwrap();
        for (now, expected) in [
            (939.5, Err(Reason::NotYetValid)),
            (940.0, Ok(())),
            (2059.5, Ok(())),
            (2060.0, Err(Reason::Expired)),
        ] {
            assert_eq!(CommonRules::default().check_times(&claims, now), expected, "{now}");
        }
    }
}
