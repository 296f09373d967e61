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
    pub(crate) leeway: Duration,
    /// The maximum length of a token.
    pub(crate) max_bytes: usize,
    /// The paths of the claims with the scopes, instead of `scope` and `scp`.
    pub(crate) scopes_in: Vec<String>,
}

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
        if !self.audiences.is_empty() && !self.client_ids.is_empty() {
            let problem = "`audience` and `client_id` exclude each other; call one of them";
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
        let is_audience = if self.without_audience && audiences.is_empty() && client.is_none() {
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
