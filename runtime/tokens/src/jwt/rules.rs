//! Checks on the claims of a token whose signature is valid
//! ([RFC 8725](https://www.rfc-editor.org/rfc/rfc8725),
//! [RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)).

use std::borrow::Cow;

use crate::claims::rules::CommonRules;
use crate::claims::{Registered, Texts};
use crate::jwt::algorithm::Algorithm;
use crate::reason::Reason;

/// The rules of one issuer.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    pub(crate) issuer: String,
    pub(crate) common: CommonRules,
    pub(crate) algorithms: Vec<Algorithm>,
    /// The `typ` of a token: one of these, or `None` for any, or none. The prefix `application/`
    /// does not count.
    pub(crate) token_types: Option<Vec<Cow<'static, str>>>,
    /// Whether a token without an issuer is taken for one of the issuer.
    pub(crate) without_issuer: bool,
}

/// The `typ` of access tokens ([RFC 9068, 2.1](https://www.rfc-editor.org/rfc/rfc9068#section-2.1)).
pub(crate) const ACCESS_TOKEN: &str = "at+jwt";

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
    pub(crate) fn may_have_type(&self, found: Option<&str>) -> bool {
        self.is_own_type(found) || self.without_issuer && (found.is_none() || is_type(found, "JWT"))
    }

    fn is_own_type(&self, found: Option<&str>) -> bool {
        let is_one = |types: &Vec<Cow<'_, str>>| types.iter().any(|own| is_type(found, own));
        self.token_types.as_ref().is_none_or(is_one)
    }

    /// Checks the type and the claims of a token whose signature is right. `resource` is that of
    /// the scheme. Returns whom the token is for.
    pub(crate) fn check(
        &self,
        token_type: Option<&str>,
        claims: &mut Registered,
        resource: Option<&str>,
        now: f64,
    ) -> Result<Vec<String>, Reason> {
        self.check_type(token_type, claims)?;
        self.check_issuer(claims)?;
        self.check_times(claims, now)?;
        if claims.is_bound {
            return Err(Reason::Bound);
        }
        let audiences = claims.aud.take().map_or_else(|| Some(Vec::new()), Texts::into_vec);
        let audiences = audiences.ok_or(Reason::Claims)?;
        self.common.check_audience(&audiences, claims.client(), resource)?;
        Ok(audiences)
    }

    /// Checks who has issued a token.
    pub(crate) fn check_issuer(&self, claims: &Registered) -> Result<(), Reason> {
        match &claims.iss {
            None => Err(Reason::NoIssuer),
            Some(issuer) if *issuer != self.issuer => Err(Reason::Issuer),
            Some(_) => Ok(()),
        }
    }

    /// Checks that a token is valid at this time. Every JSON Web Token expires.
    pub(crate) fn check_times(&self, claims: &Registered, now: f64) -> Result<(), Reason> {
        claims.exp.ok_or(Reason::NoExpiry)?;
        self.common.check_times(claims, now)
    }

    /// Checks the type of a token. One without an issuer becomes a token of the issuer, if such ones
    /// are taken. If it has no audience either, it is taken for one that names ours.
    pub(crate) fn check_type(
        &self,
        found: Option<&str>,
        claims: &mut Registered,
    ) -> Result<(), Reason> {
        if self.without_issuer && claims.iss.is_none() {
            claims.iss = Some(self.issuer.clone());
            claims.aud.get_or_insert_with(|| Texts::Many(self.common.audiences.clone()));
            return Ok(());
        }
        if self.is_own_type(found) { Ok(()) } else { Err(Reason::Type) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_valid_from_its_beginning_to_its_end_with_some_leeway() {
        let rules = Rules {
            issuer: "https://id.example.com".to_owned(),
            common: CommonRules::default(),
            algorithms: Vec::new(),
            token_types: None,
            without_issuer: false,
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
