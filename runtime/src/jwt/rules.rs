//! Checks on the claims of a token whose signature is valid
//! ([RFC 8725](https://www.rfc-editor.org/rfc/rfc8725),
//! [RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)).

use std::borrow::Cow;
use std::time::Duration;

use crate::jwt::algorithm::Algorithm;
use crate::jwt::claims::{Registered, Texts};
use crate::jwt::clock;
use crate::jwt::reason::Reason;
use crate::url;

/// The rules of one issuer.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) issuer: String,
    /// Whom a token is for: one of these, in the claim `aud`. Without any, it is for the `resource`
    /// of the scheme.
    pub(super) audiences: Vec<String>,
    /// Instead of an audience: one of these clients, in the claim `client_id` or `azp`.
    pub(super) client_ids: Vec<String>,
    pub(super) algorithms: Vec<Algorithm>,
    /// The `typ` of a token: one of these, or `None` for any, or none. The prefix `application/`
    /// does not count.
    pub(super) token_types: Option<Vec<Cow<'static, str>>>,
    pub(super) leeway: Duration,
    pub(super) max_bytes: usize,
    /// Whether a token is taken that names neither an audience nor a client.
    pub(super) without_audience: bool,
    /// The paths of the claims with the scopes, instead of `scope` and `scp`.
    pub(super) scopes_in: Vec<String>,
    /// Until when a token without an issuer is taken for one of the issuer, in seconds since 1970.
    pub(super) without_issuer_until: Option<f64>,
}

/// The `typ` of access tokens ([RFC 9068, 2.1](https://www.rfc-editor.org/rfc/rfc9068#section-2.1)).
pub(super) const ACCESS_TOKEN: &str = "at+jwt";

/// Returns `true` if a token has this type.
fn is_type(found: Option<&str>, expected: &str) -> bool {
    found.is_some_and(|found| name(found).eq_ignore_ascii_case(name(expected)))
}

/// Returns a media type without `application/`
/// ([RFC 7515, 4.1.9](https://www.rfc-editor.org/rfc/rfc7515#section-4.1.9)).
fn name(token_type: &str) -> &str {
    match token_type.split_at_checked("application/".len()) {
        Some((prefix, name)) if prefix.eq_ignore_ascii_case("application/") => name,
        _ => token_type,
    }
}

impl Rules {
    /// Returns `true` if this may be the type of a token. One without an issuer may also be a
    /// `JWT`, which most libraries write, or have no type.
    pub(super) fn may_have_type(&self, found: Option<&str>) -> bool {
        self.is_own_type(found)
            || self.without_issuer_until.is_some() && (found.is_none() || is_type(found, "JWT"))
    }

    fn is_own_type(&self, found: Option<&str>) -> bool {
        let is_one = |types: &Vec<Cow<'_, str>>| types.iter().any(|own| is_type(found, own));
        self.token_types.as_ref().is_none_or(is_one)
    }

    /// Checks the type and the claims of a token whose signature is right. `resource` is that of
    /// the scheme. Returns whom the token is for.
    pub(super) fn check(
        &self,
        token_type: Option<&str>,
        claims: &mut Registered,
        resource: Option<&str>,
        now: f64,
    ) -> Result<Vec<String>, Reason> {
        self.check_type(token_type, claims, now)?;
        self.check_issuer(claims)?;
        self.check_times(claims, now)?;
        if claims.is_bound {
            return Err(Reason::Bound);
        }
        let audiences = claims.aud.take().map_or_else(|| Some(Vec::new()), Texts::into_vec);
        let audiences = audiences.ok_or(Reason::Claims)?;
        self.check_audience(&audiences, claims.client(), resource)?;
        Ok(audiences)
    }

    /// Checks who has issued a token.
    pub(super) fn check_issuer(&self, claims: &Registered) -> Result<(), Reason> {
        match &claims.iss {
            None => Err(Reason::NoIssuer),
            Some(issuer) if *issuer != self.issuer => Err(Reason::Issuer),
            Some(_) => Ok(()),
        }
    }

    /// Checks that a token is valid at this time.
    pub(super) fn check_times(&self, claims: &Registered, now: f64) -> Result<(), Reason> {
        let leeway = self.leeway.as_secs_f64();
        let exp = claims.exp.ok_or(Reason::NoExpiry)?;
        if is_in_milliseconds(exp, now) {
            return Err(Reason::Milliseconds);
        }
        if now >= exp + leeway {
            return Err(Reason::Expired);
        }
        if claims.nbf.is_some_and(|nbf| now + leeway < nbf) {
            return Err(Reason::NotYetValid);
        }
        Ok(())
    }

    /// Checks the type of a token. One without an issuer becomes a token of the issuer until the
    /// date, and expires then. If it has no audience either, it is taken for one that names ours.
    pub(super) fn check_type(
        &self,
        found: Option<&str>,
        claims: &mut Registered,
        now: f64,
    ) -> Result<(), Reason> {
        if let Some(until) = self.without_issuer_until
            && claims.iss.is_none()
        {
            if now >= until {
                return Err(Reason::WithoutIssuer);
            }
            claims.iss = Some(self.issuer.clone());
            claims.aud.get_or_insert_with(|| Texts::Many(self.audiences.clone()));
            // Milliseconds are left as they are, so they are refused.
            let ends = |exp: f64| if is_in_milliseconds(exp, now) { exp } else { exp.min(until) };
            claims.exp = claims.exp.map(ends);
            return Ok(());
        }
        if self.is_own_type(found) { Ok(()) } else { Err(Reason::Type) }
    }

    /// Checks that a token with these claims is for this service.
    pub(super) fn check_audience(
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
pub(super) fn now() -> f64 {
    clock::now().map_or(f64::INFINITY, |since| since.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_from_its_beginning_to_its_end_with_some_leeway() {
        let rules = Rules {
            issuer: "https://id.example.com".to_owned(),
            audiences: Vec::new(),
            client_ids: Vec::new(),
            algorithms: Vec::new(),
            token_types: None,
            leeway: Duration::from_secs(60),
            max_bytes: 0,
            without_audience: false,
            scopes_in: Vec::new(),
            without_issuer_until: None,
        };
        let claims = r#"{ "iss": "https://id.example.com", "aud": "a", "nbf": 1000, "exp": 2000 }"#;
        for (now, expected) in [
            (939.5, Err(Reason::NotYetValid)),
            (940.0, Ok(())),
            (2059.5, Ok(())),
            (2060.0, Err(Reason::Expired)),
        ] {
            let mut claims = Registered::read(claims.as_bytes(), &[]).unwrap();
            let checked = rules.check(None, &mut claims, Some("a"), now);
            assert_eq!(checked.map(drop), expected, "{now}");
        }
    }

    #[test]
    fn only_one_prefix_of_a_type_does_not_count() {
        for (found, is_accepted) in [
            (Some("at+jwt"), true),
            (Some("Application/AT+JWT"), true),
            (Some("applications/at+jwt"), false),
            (Some("xpplication/at+jwt"), false),
            (Some("application/"), false),
            (None, false),
        ] {
            assert_eq!(is_type(found, ACCESS_TOKEN), is_accepted, "{found:?}");
        }
    }
}
