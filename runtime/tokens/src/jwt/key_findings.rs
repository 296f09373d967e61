//! What is said in the log of the key and the algorithm of a token.

use crate::jwt::algorithm::Algorithm;
use crate::jwt::finding::{Finding, list, quoted, shown};
use crate::jwt::jose::Jose;
use crate::jwt::key_sources::KeySources;
use crate::jwt::keys::KeySet;
use crate::reason::Reason;

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

/// Returns what is wrong with the algorithm that a token names, where these are allowed.
pub(crate) fn of_algorithm(keys: &KeySources, allowed: &[Algorithm], found: &str) -> Finding {
    let names = allowed.iter().map(|algorithm| quoted(algorithm.name()));
    let finding = Finding::new(Reason::Algorithm, "`alg`", list(names), quoted(found));
    let Some(algorithm) = Algorithm::named(found) else {
        return finding;
    };
    let of_secret = of_secret(&keys.given, Reason::Algorithm, algorithm);
    of_secret.unwrap_or_else(|| finding.set(setting_for(algorithm, keys)))
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

/// Returns what is wrong with the key of a token.
pub(crate) fn of_key(keys: &KeySources, reason: Reason, token: &Jose<'_>) -> Finding {
    let here = keys.here();
    let algorithm = token.algorithm;
    if keys.remote.is_some() && here[1].is_none() && algorithm.is_of_public_key() {
        let expected = "the keys of the issuer, which are fetched when a token gets as far as here";
        return Finding::new(reason, "the rest", expected, "none yet");
    }
    let here = || here.iter().flatten();
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
    if reason == Reason::Signature {
        let key = id.map_or("only key".to_owned(), |id| format!("key {}", quoted(id)));
        let expected = format!("a signature by the {key}");
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
