//! Checks on the claims of a token whose signature is valid
//! ([RFC 8725](https://www.rfc-editor.org/rfc/rfc8725),
//! [RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)).

use std::borrow::Cow;
use std::time::Duration;

use crate::jwt::algorithm::Algorithm;
use crate::jwt::claims::{Registered, Texts};
use crate::jwt::clock::since_1970;
use crate::jwt::reason::Reason;

/// The rules of one issuer.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub(super) issuer: String,
    pub(super) audience: Audience,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) token_type: TokenType,
    pub(super) leeway: Duration,
    pub(super) max_bytes: usize,
    /// The paths of the claims with the scopes, in place of `scope` and `scp`.
    pub(super) scopes_in: Vec<String>,
    /// Until when a token without an issuer and an audience is taken for one of the issuer, in
    /// seconds since 1970.
    pub(super) without_issuer_until: Option<f64>,
}

/// Whom a token is for.
#[derive(Clone, Debug)]
pub(super) enum Audience {
    /// The `resource` of the scheme.
    OfScheme,
    /// One of these, in the claim `aud`.
    Listed(Vec<String>),
    /// One of these clients, in the claim `client_id`.
    ClientIds(Vec<String>),
}

/// The `typ` of a token.
#[derive(Clone, Debug)]
pub(super) enum TokenType {
    /// This one. The prefix `application/` does not count.
    Is(Cow<'static, str>),
    /// Any, or none.
    Any,
}

impl TokenType {
    pub(super) const ACCESS_TOKEN: Self = Self::Is(Cow::Borrowed("at+jwt"));
    /// The type that most libraries write.
    const JWT: Self = Self::Is(Cow::Borrowed("JWT"));

    pub(super) fn accepts(&self, found: Option<&str>) -> bool {
        let Self::Is(expected) = self else {
            return true;
        };
        found.is_some_and(|found| name(found).eq_ignore_ascii_case(name(expected)))
    }
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
    /// `JWT`, or have no type.
    pub(super) fn may_have_type(&self, found: Option<&str>) -> bool {
        self.token_type.accepts(found)
            || self.without_issuer_until.is_some()
                && (found.is_none() || TokenType::JWT.accepts(found))
    }

    /// Checks the type of a token whose signature is right. One without an issuer and an audience
    /// becomes a token of the issuer until the date, and expires then.
    pub(super) fn check_type(
        &self,
        found: Option<&str>,
        claims: &mut Registered,
        now: f64,
    ) -> Result<(), Reason> {
        if let Some(until) = self.without_issuer_until
            && claims.iss.is_none()
            && claims.aud.is_none()
        {
            if now >= until {
                return Err(Reason::WithoutIssuer);
            }
            claims.iss = Some(self.issuer.clone());
            if let Audience::Listed(ours) = &self.audience {
                claims.aud = Some(Texts::Many(ours.clone()));
            }
            claims.exp = claims.exp.map(|exp| exp.min(until));
            return Ok(());
        }
        match self.token_type.accepts(found) {
            true => Ok(()),
            false => Err(Reason::Type),
        }
    }

    /// Checks the registered claims of a token whose signature is right, but for the audience.
    pub(super) fn check(&self, claims: &Registered, now: f64) -> Result<(), Reason> {
        if claims.iss.as_deref() != Some(&self.issuer) {
            return Err(Reason::Issuer);
        }
        let leeway = self.leeway.as_secs_f64();
        let exp = claims.exp.ok_or(Reason::NoExpiry)?;
        if now >= exp + leeway {
            return Err(Reason::Expired);
        }
        if claims.nbf.is_some_and(|nbf| now + leeway < nbf) {
            return Err(Reason::NotYetValid);
        }
        if claims.is_bound {
            return Err(Reason::Bound);
        }
        Ok(())
    }

    /// Checks that a token with these claims is for this service. `resource` is that of the scheme.
    pub(super) fn check_audience(
        &self,
        audiences: &[String],
        client_id: Option<&str>,
        resource: Option<&str>,
    ) -> Result<(), Reason> {
        let is_meant = match &self.audience {
            Audience::OfScheme => {
                let resource = resource.ok_or(Reason::NoAudience)?;
                audiences.iter().any(|audience| audience == resource)
            }
            Audience::Listed(ours) => audiences.iter().any(|audience| ours.contains(audience)),
            // A token that names an audience is for that one alone (RFC 7519, 4.1.3).
            Audience::ClientIds(ours) => {
                audiences.is_empty()
                    && client_id.is_some_and(|client| ours.iter().any(|ours| ours == client))
            }
        };
        if is_meant { Ok(()) } else { Err(Reason::Audience) }
    }
}

/// Returns the seconds since 1970. A clock before that is wrong, so every token has expired.
pub(super) fn now() -> f64 {
    since_1970().map_or(f64::INFINITY, |since| since.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_from_its_beginning_to_its_end_with_some_leeway() {
        let rules = Rules {
            issuer: "https://id.example.com".to_owned(),
            audience: Audience::OfScheme,
            algorithms: Vec::new(),
            token_type: TokenType::Any,
            leeway: Duration::from_secs(60),
            max_bytes: 0,
            scopes_in: Vec::new(),
            without_issuer_until: None,
        };
        let claims = r#"{ "iss": "https://id.example.com", "nbf": 1000, "exp": 2000 }"#;
        let claims: Registered = serde_json::from_str(claims).unwrap();
        for (now, expected) in [
            (939.5, Err(Reason::NotYetValid)),
            (940.0, Ok(())),
            (2059.5, Ok(())),
            (2060.0, Err(Reason::Expired)),
        ] {
            assert_eq!(rules.check(&claims, now), expected, "{now}");
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
            assert_eq!(TokenType::ACCESS_TOKEN.accepts(found), is_accepted, "{found:?}");
        }
    }
}
