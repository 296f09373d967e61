//! The checks that a token fails, and how they are said in the log.
//!
//! Each check is written once, with what is said of it: see [`Rules`](super::rules::Rules).

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_path_to_error::Segment;

use crate::jwt::claim_names;
use crate::jwt::keys::MAX_NAMED;
use crate::jwt::said::said;
use crate::reason::Reason;

/// A check that a token fails.
pub(crate) struct Finding {
    pub(crate) reason: Reason,
    /// The subject of the check.
    pub(crate) subject: String,
    pub(crate) expected: String,
    pub(crate) found: String,
    /// The method of the builder, and the field of the settings, that would change it.
    pub(crate) setting: Option<&'static str>,
}

/// The checks that a token fails, in their order: all of them for the log, or `None` for a verifier,
/// which stops at the first.
pub(crate) struct Findings(pub(crate) Option<Vec<Finding>>);

impl Findings {
    /// Takes the result of a check, after which the others can be made all the same.
    ///
    /// # Errors
    ///
    /// Returns the reason, if no other check is made.
    pub(crate) fn check(
        &mut self,
        result: Result<(), Reason>,
        describe: impl FnOnce(Reason) -> Finding,
    ) -> Result<(), Reason> {
        let (Some(findings), Err(reason)) = (&mut self.0, result) else { return result };
        let finding = describe(reason);
        // A type is checked before the signature and after it, and is said once.
        let is_same = |other: &Finding| other.reason == reason && other.subject == finding.subject;
        if !findings.iter().any(is_same) {
            findings.push(finding);
        }
        Ok(())
    }

    /// Takes the result of a check that the others need.
    ///
    /// # Errors
    ///
    /// Returns the reason if the token fails it.
    pub(crate) fn need<T>(
        &mut self,
        result: Result<T, Reason>,
        describe: impl FnOnce(Reason) -> Finding,
    ) -> Result<T, Reason> {
        if let Err(reason) = result {
            self.check(Err(reason), describe)?;
        }
        result
    }
}

impl Finding {
    pub(crate) fn new(
        reason: Reason,
        subject: &str,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        let (subject, expected, found) = (subject.to_owned(), expected.into(), found.into());
        Self { reason, subject, expected, found, setting: None }
    }

    pub(crate) fn set(self, setting: &'static str) -> Self {
        Self { setting: Some(setting), ..self }
    }

    /// Finds that a token is longer than a verifier reads.
    pub(crate) fn too_long(bytes: usize, max_bytes: usize) -> Self {
        let expected = format!("at most {max_bytes} bytes");
        let found = format!("{bytes} bytes");
        Self::new(Reason::TooLong, "the length", expected, found).set("max_bytes")
    }

    /// Finds that a text is no signed token, or that its header is not one.
    pub(crate) fn malformed(token: &str) -> Self {
        let header = part(token, 0).filter(Value::is_object);
        let is_text = |header: &Value, name: &str| match header.get(name) {
            Some(Value::String(_)) => true,
            Some(Value::Null) | None => name != "alg",
            Some(_) => false,
        };
        let mut names = ["alg", "typ", "kid"].into_iter();
        if let Some(header) = header
            && let Some(name) = names.find(|name| !is_text(&header, name))
        {
            let expected = format!("a text as `{name}` of the header");
            let found = header.get(name).map_or("none", |_| "another type");
            return Self::new(Reason::Malformed, name, expected, found);
        }
        let expected = "three parts of base64url without padding, the first of which is JSON";
        Self::new(Reason::Malformed, "the token", expected, shape(token))
    }

    /// Finds the claim that is absent or has another type, because of which claims cannot be read as
    /// a `T`. Its value is not said, and of the names in a token only those that `T` declares.
    pub(crate) fn unread<T: DeserializeOwned>(payload: &[u8]) -> Self {
        let mut json = serde_json::Deserializer::from_slice(payload);
        let error = serde_path_to_error::deserialize::<_, T>(&mut json).err();
        let mut path = error.iter().flat_map(serde_path_to_error::Error::path);
        let claim = path.next().and_then(|first| match first {
            Segment::Map { key } => claim_names::of::<T>().iter().find(|name| **name == key),
            _ => None,
        });
        let message = error.as_ref().map(|error| error.inner().to_string()).unwrap_or_default();
        let absent = message.strip_prefix("missing field `").and_then(|rest| rest.split_once('`'));
        let subject = match (absent, claim) {
            (Some((name, _)), Some(claim)) => format!("{} in {}", quoted(name), quoted(claim)),
            (Some((name, _)), None) => quoted(name),
            (None, Some(claim)) if path.next().is_some() => format!("a part of {}", quoted(claim)),
            (None, Some(claim)) => quoted(claim),
            (None, None) => "the claims".to_owned(),
        };
        let found = if absent.is_some() { "none" } else { "another type or value" };
        Self::new(Reason::Claims, &subject, expected_in(&message), found)
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
pub(crate) fn part(token: &str, number: usize) -> Option<Value> {
    let part = URL_SAFE_NO_PAD.decode(token.split('.').nth(number)?).ok()?;
    serde_json::from_slice(&part).ok()
}

pub(crate) fn shown(found: Option<&str>) -> String {
    found.map_or_else(|| "none".to_owned(), quoted)
}

pub(crate) fn quoted(text: &str) -> String {
    format!("`{}`", said(text))
}

/// Joins texts, of which a token may have any number.
pub(crate) fn list(texts: impl IntoIterator<Item = String>) -> String {
    let mut texts = texts.into_iter();
    let mut named = Vec::from_iter(texts.by_ref().take(MAX_NAMED));
    named.extend(texts.next().map(|_| "…".to_owned()));
    named.join(", ")
}
