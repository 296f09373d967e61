//! The claims that every token is held to
//! ([RFC 7519, 4.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1),
//! [RFC 9068, 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)).

use serde::Deserialize;
use serde_json::Value;

use crate::jwt::jose::is_there;

/// The registered claims of a token.
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
    /// Returns the scopes of the claim `scope`, or else of `scp`.
    pub(super) fn scopes(&mut self) -> Vec<String> {
        let texts = self.scope.take().or_else(|| self.scp.take());
        texts.map(Texts::into_scopes).unwrap_or_default()
    }
}

/// Returns the claim `scope` for these scopes.
pub(super) fn joined<S: AsRef<str>>(scopes: impl IntoIterator<Item = S>) -> String {
    let mut joined = String::new();
    for scope in scopes {
        if !joined.is_empty() {
            joined.push(' ');
        }
        joined.push_str(scope.as_ref());
    }
    joined
}

/// Returns the scopes of the claim at a path: a name, or names that are separated by dots. A claim
/// whose own name has dots comes first.
pub(super) fn scopes_at(path: &str, claims: &Value) -> Vec<String> {
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
        let scopes = |claims: Value| Registered::deserialize(claims).unwrap().scopes();
        assert_eq!(scopes(json!({ "scope": "a  b" })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scp": ["a", "b"] })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scp": "a b" })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scope": "a", "scp": ["b"] })), ["a"]);
        assert!(scopes(json!({})).is_empty());
        assert!(Registered::deserialize(json!({ "scope": 1 })).is_err());
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
