//! Why a token was refused, for the log: what was expected, what was found, and what to set.
//!
//! A refusal is decided without this. If the log is heard, the other checks are made as well,
//! so two settings that are wrong are one event. Nothing is fetched for it.
//!
//! Before its signature is right, a token is the text of a caller. Of such a token, the log has the
//! shape, and `typ`, `alg` and `kid` of the header. Of the claims, it has only what settings name:
//! `iss`, `aud`, `azp`, `client_id` and the times.

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use doorward_core::SecurityScopes;
use doorward_core::verify::VerifyError;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use crate::claims::scopes_at::{scopes_at, value_at};
use crate::claims::{Registered, Texts};
use crate::jwt::algorithm::Algorithm;
use crate::jwt::asked::Asked;
use crate::jwt::claim_names;
use crate::jwt::jose::Jose;
use crate::jwt::key_sources::KeySources;
use crate::jwt::keys::{KeySet, MAX_NAMED};
use crate::jwt::rules::Rules;
use crate::jwt::said::said;
use crate::once_a_minute::OnceAMinute;
use crate::reason::Reason;
use crate::trace;

/// A check that a token fails.
pub(crate) struct Finding {
    reason: Reason,
    /// The subject of the check.
    subject: String,
    expected: String,
    found: String,
    /// The method of the builder, and the field of the settings, that would change it.
    setting: Option<&'static str>,
}

/// Records why a token was refused.
#[cold]
pub(crate) fn record<C: DeserializeOwned + Send + Sync>(
    rules: &Rules,
    keys: &KeySources,
    reason: Reason,
    asked: &Asked<'_>,
) {
    let mut findings = findings::<C>(rules, keys, asked);
    let first = findings.iter().position(|finding| finding.reason == reason);
    let first = first.map(|first| findings.remove(first));
    record_finding(reason, first, &findings);
}

/// Records the check that has decided, and the others that a token fails.
fn record_finding(reason: Reason, first: Option<Finding>, others: &[Finding]) {
    let also = Vec::from_iter(others.iter().map(ToString::to_string)).join("; ");
    let first = first.map(|first| Finding {
        // The reason says no more than that it is one of the claims.
        expected: match reason {
            Reason::Claims => format!("{}: {}", first.subject, first.expected),
            _ => first.expected,
        },
        ..first
    });
    trace::token_refused(
        reason.as_str(),
        &trace::Details {
            expected: first.as_ref().map(|first| &*first.expected),
            found: first.as_ref().map(|first| &*first.found).filter(|found| !found.is_empty()),
            setting: first.as_ref().and_then(|first| first.setting),
            also: (!also.is_empty()).then_some(&*also),
        },
    );
}

/// Refuses a token that no verifier has seen. What is wrong with it is found only for the log.
pub(crate) fn refuse(scopes: SecurityScopes, find: impl FnOnce() -> Finding) -> VerifyError {
    if trace::is_heard() {
        let finding = find();
        record_finding(finding.reason, Some(finding), &[]);
    }
    VerifyError::invalid_token(scopes)
}

/// Finds that a token is longer than a verifier reads.
pub(crate) fn too_long(token: &str, max_bytes: usize) -> Finding {
    let expected = format!("at most {max_bytes} bytes");
    let found = format!("{} bytes", token.len());
    Finding::new(Reason::TooLong, "the length", expected, found).set("max_bytes")
}

/// Finds that a token is of none of the known issuers. What it says of its issuer is not repeated,
/// because its signature is not checked.
pub(crate) fn without_issuer(token: &str, known: &[&str]) -> Finding {
    let Some(claims) = part(token, 1).filter(Value::is_object) else {
        return Finding::malformed(token);
    };
    let reason = if claims.get("iss").is_some() { Reason::Issuer } else { Reason::NoIssuer };
    let expected = match known {
        [] => "an issuer that `resolve` knows".to_owned(),
        known => list(known.iter().map(|issuer| quoted(issuer))),
    };
    let setting = if reason == Reason::Issuer { "issuer" } else { "without_issuer" };
    Finding::new(reason, "`iss`", expected, "").set(setting)
}

/// Records that a token does not grant the required scopes, and which claims should have had some.
#[cold]
pub(crate) fn record_missing_scopes(rules: &Rules, token: &str, required: &str) {
    let claims = part(token, 1).unwrap_or_default();
    // Which scopes there are is not said, because a claim with scopes may be any claim.
    let at = |path: &str| match scopes_at(path, &claims).map(|scopes| scopes.len()) {
        None if value_at(path, &claims).is_some() => {
            format!("{} of another type", quoted(path))
        }
        None => format!("no {}", quoted(path)),
        Some(1) => format!("one scope at {}", quoted(path)),
        Some(number) => format!("{number} scopes at {}", quoted(path)),
    };
    let is_there = |name: &&str| claims.get(*name).is_some_and(|value| !value.is_null());
    let found = match &*rules.common.scopes_in {
        [] => match ["scope", "scp"].iter().copied().find(is_there) {
            Some(name) => at(name),
            None => "no `scope` or `scp`".to_owned(),
        },
        paths => list(paths.iter().map(|path| at(path))),
    };
    trace::token_refused(
        "the token does not grant the required scopes",
        &trace::Details {
            expected: Some(required),
            found: Some(&found),
            setting: Some("scopes_in"),
            also: None,
        },
    );
}

/// Returns the checks that a token fails, in their order.
fn findings<C: DeserializeOwned + Send + Sync>(
    rules: &Rules,
    keys: &KeySources,
    asked: &Asked<'_>,
) -> Vec<Finding> {
    let token = asked.token.as_str();
    if token.len() > rules.common.max_bytes {
        return vec![too_long(token, rules.common.max_bytes)];
    }
    let mut findings = Vec::new();
    let Some(header) = part(token, 0).filter(Value::is_object) else {
        return vec![Finding::malformed(token)];
    };
    let is_text =
        |name: &&str| header.get(*name).is_none_or(|value| value.is_string() || value.is_null());
    if let Some(name) = ["alg", "typ", "kid"].iter().find(|name| !is_text(name)) {
        let expected = format!("a text as `{name}` of the header");
        return vec![Finding::new(Reason::Malformed, name, expected, "another type")];
    }
    let text = |name: &str| header.get(name).and_then(Value::as_str);
    if header.get("crit").is_some() {
        findings.push(Finding::new(Reason::Critical, "`crit`", "none", "one"));
    }
    let named = text("alg").and_then(Algorithm::named);
    let is_allowed = named.is_some_and(|algorithm| rules.algorithms.contains(&algorithm));
    if !is_allowed {
        findings.push(algorithm_finding(rules, keys, named, text("alg")));
    }
    if !rules.may_have_type(text("typ")) {
        findings.push(type_finding(rules, text("typ")));
    }
    // A token of which no part is left out, but `crit` and the algorithm may be wrong.
    let Ok(jose) = Jose::read(token) else {
        if findings.is_empty() {
            findings.push(Finding::malformed(token));
        }
        return findings;
    };
    let [given, fetched] = keys.here();
    if keys.remote.is_some() && fetched.is_none() && jose.algorithm.is_of_public_key() {
        let expected = "the keys of the issuer, which are fetched when a token gets as far as here";
        findings.push(Finding::new(Reason::UnknownKey, "the rest", expected, "none yet"));
        return findings;
    }
    let here = [given, fetched];
    let results = here.iter().flatten().map(|keys| keys.verify(&jose));
    let results = Vec::from_iter(results);
    if let Some(until) = results.iter().find_map(|result| result.ok()) {
        if let Some(until) = until.filter(|until| asked.now >= *until) {
            findings.push(date_finding(until, asked.now));
        }
        findings.extend(of_claims::<C>(rules, &jose, asked));
        return findings;
    }
    // A key that has the right name is closer than none.
    let reasons = results.into_iter().filter_map(Result::err);
    let reason = reasons.max_by_key(|reason| *reason == Reason::Signature);
    // That no secret is for an algorithm was said of the algorithm.
    if let Some(reason) = reason.filter(|_| is_allowed || jose.algorithm.is_of_public_key()) {
        findings.push(of_key(keys, reason, &jose));
    }
    findings
}

/// Returns what to set for an algorithm that is not allowed: its keys, if there are none of its
/// kind.
fn setting_for(algorithm: Algorithm, keys: &KeySources) -> &'static str {
    let is_public = algorithm.is_of_public_key();
    let here = keys.here();
    let mut of_keys = here.iter().flatten().flat_map(|keys| keys.algorithms());
    if is_public && keys.remote.is_some() || of_keys.any(|own| own.is_of_public_key() == is_public)
    {
        "algorithms"
    } else if is_public {
        "jwks"
    } else {
        "secret"
    }
}

/// Returns what is wrong with the algorithm of a token, which is `named` if it is known.
fn algorithm_finding(
    rules: &Rules,
    keys: &KeySources,
    named: Option<Algorithm>,
    found: Option<&str>,
) -> Finding {
    let names = rules.algorithms.iter().map(|algorithm| quoted(algorithm.name()));
    let finding = Finding::new(Reason::Algorithm, "`alg`", list(names), shown(found));
    let Some(algorithm) = named else {
        return finding;
    };
    let of_secret = of_secret(&keys.given, Reason::Algorithm, algorithm);
    of_secret.unwrap_or_else(|| finding.set(setting_for(algorithm, keys)))
}

fn type_finding(rules: &Rules, found: Option<&str>) -> Finding {
    let expected = match &rules.token_types {
        Some(types) => list(types.iter().map(|name| quoted(name))),
        None => "any".to_owned(),
    };
    let setting = if found.is_some() { "token_type" } else { "any_token_type" };
    Finding::new(Reason::Type, "`typ`", expected, shown(found)).set(setting)
}

/// Returns why no shared secret is for an algorithm, if there are secrets, and none is.
fn of_secret(keys: &KeySet, reason: Reason, algorithm: Algorithm) -> Option<Finding> {
    let needed = algorithm.secret_bytes()?;
    let bytes = keys.longest_secret()?;
    if keys.algorithms().any(|own| own == algorithm) {
        return None;
    }
    let name = algorithm.name();
    if bytes < needed {
        let expected = format!("a secret of at least {needed} bytes for {name}");
        let found = format!("a shared secret that is too short: {bytes} bytes");
        let finding = Finding::new(reason, "the key", expected, found);
        return Some(finding.set("accept_short_secret_until"));
    }
    // Only a key that signs is for one algorithm.
    let expected = list(keys.algorithms().map(|own| quoted(own.name())));
    let finding = Finding::new(reason, "`alg`", expected, quoted(name));
    Some(finding.set(match algorithm {
        Algorithm::Hs384 => "SigningKey::secret(…).algorithm(Algorithm::Hs384)",
        Algorithm::Hs512 => "SigningKey::secret(…).algorithm(Algorithm::Hs512)",
        _ => "SigningKey::secret(…).algorithm(Algorithm::Hs256)",
    }))
}

/// Returns that a date is over, until which a token was accepted.
fn date_finding(until: f64, now: f64) -> Finding {
    let expected = format!("before {until}, in seconds since 1970");
    let finding = Finding::new(Reason::ShortSecret, "the date", expected, format!("{now:.0}"));
    finding.set("accept_short_secret_until")
}

/// Returns what is wrong with the key of a token.
fn of_key(keys: &KeySources, reason: Reason, token: &Jose<'_>) -> Finding {
    let here = keys.here();
    let here = || here.iter().flatten();
    let algorithm = token.algorithm;
    if let Some(finding) = of_secret(&keys.given, reason, algorithm) {
        return finding;
    }
    let id = token.key_id.as_deref();
    let named = here().find_map(|keys| keys.algorithms_of(id?));
    if let Some(algorithms) = named.filter(|algorithms| !algorithms.contains(&algorithm)) {
        let names = list(algorithms.iter().map(|own| own.name().to_owned()));
        let expected = format!("{names}, which the key {} is for", shown(id));
        return Finding::new(reason, "`alg`", expected, quoted(algorithm.name()));
    }
    let setting = match &keys.remote {
        _ if !algorithm.is_of_public_key() => "secret",
        Some(_) => "jwks_url",
        None => "jwks",
    };
    if let (Reason::Signature, Some(id)) = (reason, id) {
        let expected = format!("a signature by the key {}", quoted(id));
        return Finding::new(reason, "the signature", expected, "another signature");
    }
    let ids = Vec::from_iter(here().flat_map(|keys| keys.ids()));
    let expected = match &*ids {
        [] => format!("a signature by a key that is known, for {}", algorithm.name()),
        ids => format!("one of the keys {}", list(ids.iter().map(|id| quoted(id)))),
    };
    let left_out = here().find_map(|keys| keys.why_left_out(id?));
    let found = match (id, left_out) {
        (Some(id), Some(why)) => format!("the key {}, which was left out: {why}", quoted(id)),
        (Some(id), None) => format!("the key {}, for {}", quoted(id), algorithm.name()),
        (None, _) => format!("no `kid`, for {}", algorithm.name()),
    };
    Finding::new(reason, "`kid`", expected, found).set(setting)
}

/// Returns the checks that the claims of a token fail, whose signature is right.
fn of_claims<C: DeserializeOwned>(
    rules: &Rules,
    jose: &Jose<'_>,
    asked: &Asked<'_>,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (now, payload) = (asked.now, &*jose.payload);
    let mut claims = match parsed::<Registered>(payload) {
        Ok(claims) => claims,
        Err(finding) => return vec![finding],
    };
    if rules.check_type(jose.token_type.as_deref(), &mut claims).is_err()
        // The other types are said already, because the header is checked before.
        && rules.may_have_type(jose.token_type.as_deref())
    {
        findings.push(type_finding(rules, jose.token_type.as_deref()));
    }
    if let Err(reason) = rules.check_issuer(&claims) {
        let found = shown(claims.iss.as_deref());
        let setting = if claims.iss.is_some() { "issuer" } else { "without_issuer" };
        let finding = Finding::new(reason, "`iss`", quoted(&rules.issuer), found);
        findings.push(finding.set(setting));
    }
    findings.extend(of_times(rules, &claims, now));
    if claims.is_bound {
        let expected = "a token that is not bound to a key of the client";
        findings.push(Finding::new(Reason::Bound, "`cnf`", expected, "a bound one"));
    }
    findings.extend(of_audience(rules, &mut claims, asked.scopes.resource()));
    if Registered::read(payload, &rules.common.scopes_in).is_err() {
        let expected = "a text, or a list of texts";
        let finding = Finding::new(Reason::Claims, "`scope` or `scp`", expected, "another type");
        findings.push(finding.set("scopes_in"));
    }
    findings.extend(parsed::<C>(payload).err());
    findings
}

fn of_times(rules: &Rules, claims: &Registered, now: f64) -> Option<Finding> {
    let leeway = rules.common.leeway.as_secs();
    let Some(exp) = claims.exp else {
        return Some(Finding::new(
            Reason::NoExpiry,
            "`exp`",
            "a time in seconds since 1970",
            "none",
        ));
    };
    match rules.check_times(claims, now).err()? {
        reason @ Reason::NotYetValid => {
            let nbf = claims.nbf.unwrap_or_default();
            let expected = format!("at most {now:.0}, with a leeway of {leeway} s");
            let found = format!("{nbf}, which is in {:.0} s", nbf - now);
            Some(Finding::new(reason, "`nbf`", expected, found).set("leeway"))
        }
        reason @ Reason::Milliseconds => {
            let found = format!("{exp}, which is in milliseconds");
            Some(Finding::new(reason, "`exp`", "a time in seconds since 1970", found))
        }
        reason => {
            let expected = format!("after {now:.0}, with a leeway of {leeway} s");
            let found = format!("{exp}, which was {:.0} s ago", now - exp);
            Some(Finding::new(reason, "`exp`", expected, found))
        }
    }
}

fn of_audience(rules: &Rules, claims: &mut Registered, resource: Option<&str>) -> Option<Finding> {
    let Some(audiences) = claims.aud.take().map_or(Some(Vec::new()), Texts::into_vec) else {
        let expected = "a text, or a list of texts";
        return Some(Finding::new(Reason::Claims, "`aud`", expected, "another type"));
    };
    let client = claims.client();
    let reason = rules.common.check_audience(&audiences, client, resource).err()?;
    let audience = |found: &[String]| match found {
        [] => "none".to_owned(),
        found => list(found.iter().map(|audience| quoted(audience))),
    };
    let (subject, expected, setting) = match (&*rules.common.client_ids, &*rules.common.audiences) {
        ([], []) => ("`aud`", shown(resource), "audience"),
        ([], ours) => ("`aud`", audience(ours), "audience"),
        (ours, _) => ("`client_id`", format!("{}, and no `aud`", audience(ours)), "client_id"),
    };
    let named = client.map(|client| format!("`client_id` or `azp` {}", quoted(client)));
    let (found, setting) = match (&*audiences, named) {
        // A token without an audience may have a client.
        ([], Some(named)) => (format!("no `aud`, and {named}"), "client_id"),
        ([], None) => ("no `aud`, `client_id` or `azp`".to_owned(), "without_audience"),
        (_, _) if setting == "client_id" => (format!("`aud` {}", audience(&audiences)), "audience"),
        (audiences, _) => (audience(audiences), setting),
    };
    Some(Finding::new(reason, subject, expected, found).set(setting))
}

/// Reads claims, or finds the one that is absent or has another type. Its value is not said, and of the
/// names in a token only those that `T` declares.
fn parsed<T: DeserializeOwned>(payload: &[u8]) -> Result<T, Finding> {
    let mut json = serde_json::Deserializer::from_slice(payload);
    serde_path_to_error::deserialize(&mut json).map_err(|error| {
        let mut path = error.path().iter();
        let claim = path.next().and_then(|first| match first {
            Segment::Map { key } => claim_names::of::<T>().iter().find(|name| **name == key),
            _ => None,
        });
        let message = error.inner().to_string();
        let absent = message.strip_prefix("missing field `").and_then(|rest| rest.split_once('`'));
        let subject = match (absent, claim) {
            (Some((name, _)), Some(claim)) => format!("{} in {}", quoted(name), quoted(claim)),
            (Some((name, _)), None) => quoted(name),
            (None, Some(claim)) if path.next().is_some() => format!("a part of {}", quoted(claim)),
            (None, Some(claim)) => quoted(claim),
            (None, None) => "the claims".to_owned(),
        };
        let found = if absent.is_some() { "none" } else { "another type or value" };
        Finding::new(Reason::Claims, &subject, expected_in(&message), found)
    })
}

/// Returns what serde expected, without the value that it found.
fn expected_in(message: &str) -> String {
    let rest = message.starts_with("invalid type: ").then_some(message);
    let rest = rest.and_then(|message| message.rsplit_once(", expected "));
    let end =
        |rest: &str| rest.rsplit_once(" at line ").map_or(rest.to_owned(), |it| it.0.to_owned());
    match rest.map(|(_, rest)| end(rest)).as_deref() {
        None => "as the service declares it".to_owned(),
        // The claims that every token may have, of which serde names the type of Rust.
        Some("f64") => "a number".to_owned(),
        Some(rest) => said(rest).to_string(),
    }
}

/// Says what a text is that is not a token.
fn shape(token: &str) -> String {
    let parts = token.split('.').count();
    if token.contains('=') {
        return "padding (`=`), which no part of a token has".to_owned();
    }
    match parts {
        1 => "one part: an opaque token".to_owned(),
        3 => "three parts, of which one is not base64url, or the first not JSON".to_owned(),
        5 => "five parts: an encrypted token".to_owned(),
        _ => format!("{parts} parts"),
    }
}

/// Decodes a part of a token, if it is JSON.
fn part(token: &str, number: usize) -> Option<Value> {
    let part = URL_SAFE_NO_PAD.decode(token.split('.').nth(number)?).ok()?;
    serde_json::from_slice(&part).ok()
}

fn shown(found: Option<&str>) -> String {
    found.map_or_else(|| "none".to_owned(), quoted)
}

fn quoted(text: &str) -> String {
    format!("`{}`", said(text))
}

/// Joins texts, of which a token may have any number.
fn list(texts: impl IntoIterator<Item = String>) -> String {
    let mut texts = texts.into_iter();
    let mut named = Vec::from_iter(texts.by_ref().take(MAX_NAMED));
    named.extend(texts.next().map(|_| "…".to_owned()));
    named.join(", ")
}

/// Warns of an issuer that writes milliseconds, at most once a minute. Read as seconds, its tokens
/// would hardly ever expire.
#[cold]
pub(crate) fn warn_of_milliseconds(issuer: &str, now: f64) {
    static LAST: OnceAMinute = OnceAMinute::new();
    if LAST.is_due(now) {
        trace::expiry_in_milliseconds(issuer);
    }
}

impl Finding {
    fn new(
        reason: Reason,
        subject: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (subject, expected, found) = (subject.to_owned(), expected.into(), found.into());
        Self { reason, subject, expected, found, setting: None }
    }

    fn set(self, setting: &'static str) -> Self {
        Self { setting: Some(setting), ..self }
    }

    fn malformed(token: &str) -> Self {
        let expected = "three parts of base64url without padding, the first of which is JSON";
        Self::new(Reason::Malformed, "the token", expected, shape(token))
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { subject, expected, found, setting, .. } = self;
        write!(f, "{subject}: expected {expected}, found {found}")?;
        match setting {
            Some(setting) => write!(f, ", see `{setting}`"),
            None => Ok(()),
        }
    }
}
