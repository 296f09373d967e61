//! Why a token was refused, for the log: what was expected, what was found, and what to set.
//!
//! A refusal is decided without this. If the log is heard, the other checks are made as well,
//! so two settings that are wrong are one event. Nothing is fetched for it.
//!
//! Before its signature is right, a token is the text of a caller. Of such a token, the log has the
//! shape, and `typ`, `alg` and `kid` of the header. Of the claims, it has only what settings name:
//! `iss`, `aud`, `azp`, `client_id` and the times.

use doorward_core::SecurityScopes;
use doorward_core::verify::VerifyError;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::claims::scopes_at::{scopes_at, value_at};
use crate::jwt::asked::Asked;
use crate::jwt::finding::{Finding, Findings, list, part, quoted};
use crate::jwt::key_findings;
use crate::jwt::key_sources::KeySources;
use crate::jwt::rules::Rules;
use crate::once_a_minute::OnceAMinute;
use crate::reason::Reason;
use crate::trace;

/// Records why a token was refused.
#[cold]
pub(crate) fn record<C: DeserializeOwned + Send + Sync>(
    rules: &Rules,
    keys: &KeySources,
    reason: Reason,
    asked: &Asked<'_>,
) {
    let mut found = Findings(Some(Vec::new()));
    let _: Result<(), Reason> = check_all::<C>(rules, keys, asked, &mut found);
    let mut findings = found.0.unwrap_or_default();
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

/// Makes the checks, and goes on after one that the token fails, unless the others need it.
fn check_all<C: DeserializeOwned>(
    rules: &Rules,
    keys: &KeySources,
    asked: &Asked<'_>,
    found: &mut Findings,
) -> Result<(), Reason> {
    let token = asked.token.as_str();
    rules.check_length(token.as_bytes(), found)?;
    let jose = rules.read(token, keys, found)?;
    let algorithm = jose.algorithm;
    let until = match keys.verify_here(&jose) {
        // That no secret is for an algorithm was said of the algorithm.
        Err(reason) if !algorithm.is_of_public_key() && !rules.algorithms.contains(&algorithm) => {
            return Err(reason);
        }
        until => found.need(until, |reason| key_findings::of_key(keys, reason, &jose))?,
    };
    rules.check::<C, ()>(&jose, ((), until), asked, found).map(drop)
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
