//! The claims that every token is held to
//! ([RFC 7519, 4.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1),
//! [RFC 9068, 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)).

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::jwt::jose::is_there;
use crate::jwt::reason::Reason;

/// The registered claims of a token, and its scopes.
#[derive(Deserialize)]
pub(super) struct Registered {
    pub(super) iss: Option<String>,
    pub(super) aud: Option<Texts>,
    /// Seconds since 1970, which may have a fraction.
    pub(super) exp: Option<f64>,
    pub(super) nbf: Option<f64>,
    /// `true` if the token is bound to a key
    /// ([RFC 7800, 3.1](https://www.rfc-editor.org/rfc/rfc7800#section-3.1)).
    #[serde(default, rename = "cnf", deserialize_with = "is_there")]
    pub(super) is_bound: bool,
    pub(super) client_id: Option<String>,
    scope: Option<Texts>,
    scp: Option<Texts>,
    #[serde(skip)]
    pub(super) scopes: Vec<String>,
}

/// One text, or a list of texts.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Texts {
    One(String),
    Many(Vec<String>),
}

impl Texts {
    pub(super) fn into_vec(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Many(texts) => texts,
        }
    }

    /// Returns the scopes of a claim: those of a string are separated by spaces
    /// ([RFC 8693, 4.2](https://www.rfc-editor.org/rfc/rfc8693#section-4.2)).
    fn into_scopes(self) -> Vec<String> {
        match self {
            Self::One(text) => {
                let scopes = text.split(' ').filter(|scope| !scope.is_empty());
                scopes.map(str::to_owned).collect()
            }
            Self::Many(texts) => texts,
        }
    }
}

impl Registered {
    /// Reads the claims. The scopes are those at the paths, or without any, those of `scope`, or
    /// else of `scp`.
    pub(super) fn read(payload: &[u8], scopes_in: &[String]) -> Result<Self, Reason> {
        let mut claims: Self = read(payload)?;
        if scopes_in.is_empty() {
            let texts = claims.scope.take().or_else(|| claims.scp.take());
            claims.scopes = texts.map(Texts::into_scopes).unwrap_or_default();
        } else {
            let all: Value = read(payload)?;
            claims.scopes = scopes_in.iter().flat_map(|path| scopes_at(path, &all)).collect();
        }
        Ok(claims)
    }
}

/// Reads claims of any type.
pub(super) fn read<C: DeserializeOwned>(payload: &[u8]) -> Result<C, Reason> {
    serde_json::from_slice(payload).map_err(|_| Reason::Claims)
}

/// Sets a member of an object. `null` removes it.
pub(super) fn set(object: &mut Map<String, Value>, name: String, value: Value) {
    match value {
        Value::Null => drop(object.remove(&name)),
        value => drop(object.insert(name, value)),
    }
}

/// Returns the scopes of the claim at a path: a name, or names that are separated by dots. A claim
/// whose own name has dots comes first.
fn scopes_at(path: &str, claims: &Value) -> Vec<String> {
    let at_path = || path.split('.').try_fold(claims, |value, name| value.get(name));
    let Some(found) = claims.get(path).or_else(at_path) else {
        return Vec::new();
    };
    let texts: Result<Texts, _> = Texts::deserialize(found);
    texts.map(Texts::into_scopes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scopes_come_in_several_forms() {
        let read = |claims: Value| Registered::read(claims.to_string().as_bytes(), &[]);
        let scopes = |claims| read(claims).unwrap().scopes;
        assert_eq!(scopes(json!({ "scope": "a  b" })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scp": ["a", "b"] })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scp": "a b" })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scope": "a", "scp": ["b"] })), ["a"]);
        assert!(scopes(json!({})).is_empty());
        assert!(read(json!({ "scope": 1 })).is_err());
    }

    #[test]
    fn scopes_may_be_at_a_path() {
        let claims = json!({
            "realm_access": { "roles": ["a"] },
            "https://example.com/roles": ["b"],
            "permissions": "c d",
            "number": 1,
        });
        assert_eq!(scopes_at("realm_access.roles", &claims), ["a"]);
        assert_eq!(scopes_at("https://example.com/roles", &claims), ["b"]);
        assert_eq!(scopes_at("permissions", &claims), ["c", "d"]);
        for path in ["", "number", "realm_access", "realm_access.none", "none.roles"] {
            assert!(scopes_at(path, &claims).is_empty(), "{path}");
        }
    }
}
