//! The checks on a token, each with what the log says of it
//! ([RFC 8725](https://www.rfc-editor.org/rfc/rfc8725),
//! [RFC 9068, 4](https://www.rfc-editor.org/rfc/rfc9068#section-4)).

use std::borrow::Cow;

use doorward_core::verify::Verified;
use serde::de::DeserializeOwned;

use crate::claims::rules::CommonRules;
use crate::claims::{self, Registered, Texts};
use crate::clock;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::asked::Asked;
use crate::jwt::finding::{Finding, Findings, list, quoted, shown};
use crate::jwt::jose::{Header, Jose, Parts};
use crate::jwt::key_findings;
use crate::jwt::key_sources::KeySources;
use crate::memory::Known;
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
    /// Whether tokens are taken whatever issuer they name.
    pub(crate) any_issuer: bool,
    /// Whether a token is taken that never expires.
    pub(crate) without_expiry: bool,
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
    pub(crate) fn new(issuer: String) -> Self {
        Self {
            issuer,
            common: CommonRules::default(),
            algorithms: Vec::new(),
            token_types: Some(vec![ACCESS_TOKEN.into()]),
            without_issuer: false,
            any_issuer: false,
            without_expiry: false,
        }
    }

    /// Returns `true` if this may be the type of a token. One without an issuer may also be a
    /// `JWT`, which most libraries write, or have no type.
    fn may_have_type(&self, found: Option<&str>) -> bool {
        self.is_own_type(found) || self.without_issuer && (found.is_none() || is_type(found, "JWT"))
    }

    fn is_own_type(&self, found: Option<&str>) -> bool {
        let is_one = |types: &Vec<Cow<'_, str>>| types.iter().any(|own| is_type(found, own));
        self.token_types.as_ref().is_none_or(is_one)
    }

    /// Checks the length of a token.
    pub(crate) fn check_length(&self, token: &[u8], found: &mut Findings) -> Result<(), Reason> {
        let max_bytes = self.common.max_bytes;
        let checked = unless(token.len() > max_bytes, Reason::TooLong);
        found.need(checked, |_| Finding::too_long(token.len(), max_bytes))
    }

    /// Reads a token, and checks its header.
    pub(crate) fn read<'t>(
        &self,
        token: &'t str,
        keys: &KeySources,
        found: &mut Findings,
    ) -> Result<Jose<'t>, Reason> {
        let parts = found.need(Parts::of(token), |_| Finding::malformed(token))?;
        let header = found.need(parts.header::<Header<'_>>(), |_| Finding::malformed(token))?;
        found.check(unless(header.is_critical, Reason::Critical), |reason| {
            Finding::new(reason, "`crit`", "none", "one")
        })?;
        let named = Algorithm::named(&header.algorithm);
        let is_allowed = named.is_some_and(|named| self.algorithms.contains(&named));
        found.check(unless(!is_allowed, Reason::Algorithm), |_| {
            key_findings::of_algorithm(keys, &self.algorithms, &header.algorithm)
        })?;
        let token_type = header.token_type.as_deref();
        found.check(unless(!self.may_have_type(token_type), Reason::Type), |_| {
            self.type_finding(token_type)
        })?;
        let jose = parts.decoded(header, named.ok_or(Reason::Algorithm)?);
        found.need(jose, |_| Finding::malformed(token))
    }

    /// Checks the claims of a token whose signature is right, and counts until a time if its secret is
    /// too short.
    pub(crate) fn check<C: DeserializeOwned, B>(
        &self,
        jose: &Jose<'_>,
        (basis, until): (B, Option<f64>),
        asked: &Asked<'_>,
        found: &mut Findings,
    ) -> Result<Known<C, B>, Reason> {
        let (now, payload) = (asked.now, &*jose.payload);
        let is_over = until.is_some_and(|until| now >= until);
        found.check(unless(is_over, Reason::ShortSecret), |reason| {
            let expected = format!("before {}, in seconds since 1970", until.unwrap_or_default());
            let finding = Finding::new(reason, "the date", expected, format!("{now:.0}"));
            finding.set("accept_short_secret_until")
        })?;
        let registered = claims::read::<Registered>(payload);
        let registered = found.need(registered, |_| Finding::unread::<Registered>(payload));
        let mut registered = registered?;
        let token_type = jose.token_type.as_deref();
        let is_adopted = self.without_issuer && registered.iss.is_none();
        let is_other_type = !is_adopted && !self.is_own_type(token_type);
        found.check(unless(is_other_type, Reason::Type), |_| self.type_finding(token_type))?;
        if is_adopted {
            self.adopt(&mut registered);
        }
        found.check(self.check_issuer(&registered), |reason| {
            self.issuer_finding(reason, registered.iss.as_deref())
        })?;
        found.check(self.check_times(&registered, now), |reason| {
            self.times_finding(reason, &registered, now)
        })?;
        found.check(asked.check_bound(registered.bound_to.as_ref()), |reason| {
            let expected = "a token that is not bound to a key of the client";
            Finding::new(reason, "`cnf`", expected, "a bound one")
        })?;
        let audiences = registered.aud.take().map_or_else(|| Some(Vec::new()), Texts::into_vec);
        let client = registered.client();
        let resource = asked.scopes.resource();
        let checked = match &audiences {
            Some(audiences) => self.common.check_audience(audiences, client, resource),
            None => Err(Reason::Claims),
        };
        found.check(checked, |reason| {
            self.audience_finding(reason, audiences.as_deref(), client, resource)
        })?;
        let client = client.map(str::to_owned);
        found.check(registered.find_scopes(payload, &self.common.scopes_in), |reason| {
            let expected = "a text, or a list of texts";
            let finding = Finding::new(reason, "`scope` or `scp`", expected, "another type");
            finding.set("scopes_in")
        })?;
        let claims: C = found.need(claims::read(payload), |_| Finding::unread::<C>(payload))?;
        let exp = registered.exp.unwrap_or(f64::INFINITY);
        let exp = until.map_or(exp, |until| exp.min(until));
        Ok(Known {
            verified: Verified::bound(claims, registered.scopes, registered.bound_to)
                .expiring_at(clock::date(exp)),
            audiences: audiences.ok_or(Reason::Claims)?,
            client,
            basis,
            exp,
        })
    }

    /// Takes a token without an issuer for one of the issuer. If it has no audience either, it is taken
    /// for one that names ours.
    fn adopt(&self, claims: &mut Registered) {
        claims.iss = Some(self.issuer.clone());
        claims.aud.get_or_insert_with(|| Texts::Many(self.common.audiences.clone()));
    }

    fn check_issuer(&self, claims: &Registered) -> Result<(), Reason> {
        match &claims.iss {
            None => Err(Reason::NoIssuer),
            Some(issuer) if *issuer != self.issuer && !self.any_issuer => Err(Reason::Issuer),
            Some(_) => Ok(()),
        }
    }

    /// Checks that a token is valid at this time.
    fn check_times(&self, claims: &Registered, now: f64) -> Result<(), Reason> {
        if claims.exp.is_none() && !self.without_expiry {
            return Err(Reason::NoExpiry);
        }
        self.common.check_times(claims, now)
    }

    fn type_finding(&self, found: Option<&str>) -> Finding {
        let expected = match &self.token_types {
            Some(types) => list(types.iter().map(|name| quoted(name))),
            None => "any".to_owned(),
        };
        let setting = if found.is_some() { "token_type" } else { "any_token_type" };
        Finding::new(Reason::Type, "`typ`", expected, shown(found)).set(setting)
    }

    fn issuer_finding(&self, reason: Reason, found: Option<&str>) -> Finding {
        let setting = if found.is_some() { "issuer" } else { "without_issuer" };
        Finding::new(reason, "`iss`", quoted(&self.issuer), shown(found)).set(setting)
    }

    fn times_finding(&self, reason: Reason, claims: &Registered, now: f64) -> Finding {
        let leeway = self.common.leeway.as_secs();
        let [exp, nbf] = [claims.exp, claims.nbf].map(Option::unwrap_or_default);
        let seconds = "a time in seconds since 1970";
        match reason {
            Reason::NoExpiry => {
                Finding::new(reason, "`exp`", seconds, "none").set("without_expiry")
            }
            Reason::NotYetValid => {
                let expected = format!("at most {now:.0}, with a leeway of {leeway} s");
                let found = format!("{nbf}, which is in {:.0} s", nbf - now);
                Finding::new(reason, "`nbf`", expected, found).set("leeway")
            }
            Reason::Milliseconds => {
                let found = format!("{exp}, which is in milliseconds");
                Finding::new(reason, "`exp`", seconds, found)
            }
            _ => {
                let expected = format!("after {now:.0}, with a leeway of {leeway} s");
                let found = format!("{exp}, which was {:.0} s ago", now - exp);
                Finding::new(reason, "`exp`", expected, found)
            }
        }
    }

    /// `found` are the audiences, or `None` if they have another type.
    fn audience_finding(
        &self,
        reason: Reason,
        found: Option<&[String]>,
        client: Option<&str>,
        resource: Option<&str>,
    ) -> Finding {
        let Some(found) = found else {
            return Finding::new(reason, "`aud`", "a text, or a list of texts", "another type");
        };
        let audience = |found: &[String]| match found {
            [] => "none".to_owned(),
            found => list(found.iter().map(|audience| quoted(audience))),
        };
        let (subject, expected, setting) = match (&*self.common.client_ids, &*self.common.audiences)
        {
            ([], []) => ("`aud`", shown(resource), "audience"),
            ([], ours) => ("`aud`", audience(ours), "audience"),
            (ours, _) => ("`client_id`", format!("{}, and no `aud`", audience(ours)), "client_id"),
        };
        let named = client.map(|client| format!("`client_id` or `azp` {}", quoted(client)));
        let (found, setting) = match (found, named) {
            // A token without an audience may have a client.
            ([], Some(named)) => {
                let is_any = self.common.without_audience && self.common.client_ids.is_empty();
                let setting = if is_any { "any_client" } else { "client_id" };
                (format!("no `aud`, and {named}"), setting)
            }
            ([], None) => ("no `aud`, `client_id` or `azp`".to_owned(), "without_audience"),
            (_, _) if setting == "client_id" => (format!("`aud` {}", audience(found)), "audience"),
            (found, _) => (audience(found), setting),
        };
        Finding::new(reason, subject, expected, found).set(setting)
    }
}

/// Returns the result of a check that a token fails if this is `true`.
fn unless(fails: bool, reason: Reason) -> Result<(), Reason> {
    if fails { Err(reason) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

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
