//! The claims that every token is held to
//! ([RFC 7519, 4.1](https://www.rfc-editor.org/rfc/rfc7519#section-4.1),
//! [RFC 9068, 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)).

pub(crate) mod rules;
pub(crate) mod scopes_at;

use doorward_core::__tokens::BoundTo;
use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use crate::claims::scopes_at::scopes_at;
use crate::reason::Reason;

/// The registered claims of a token, and its scopes.
#[derive(Deserialize)]
pub(crate) struct Registered {
    pub(crate) iss: Option<String>,
    pub(crate) aud: Option<Texts>,
    /// Seconds since 1970, which may have a fraction.
    pub(crate) exp: Option<f64>,
    pub(crate) nbf: Option<f64>,
    /// What the token is bound to, if it is
    /// ([RFC 7800, 3.1](https://www.rfc-editor.org/rfc/rfc7800#section-3.1)).
    #[serde(default, rename = "cnf", deserialize_with = "bound_to")]
    pub(crate) bound_to: Option<BoundTo>,
    // The type of these matters only if they are asked for.
    client_id: Option<Value>,
    azp: Option<Value>,
    scope: Option<Texts>,
    scp: Option<Texts>,
    #[serde(skip)]
    pub(crate) scopes: Vec<String>,
}

/// One text, or a list of texts.
#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum Texts {
    One(String),
    Many(Vec<String>),
    Other(IgnoredAny),
}

impl Texts {
    /// Returns the texts, or `None` for a value of another type.
    pub(crate) fn into_vec(self) -> Option<Vec<String>> {
        match self {
            Self::One(text) => Some(vec![text]),
            Self::Many(texts) => Some(texts),
            Self::Other(_) => None,
        }
    }

    /// Returns the scopes of a claim: those of a string are separated by spaces
    /// ([RFC 8693, 4.2](https://www.rfc-editor.org/rfc/rfc8693#section-4.2)).
    pub(crate) fn into_scopes(self) -> Option<Vec<String>> {
        match self {
            Self::One(text) => {
                let scopes = text.split(' ').filter(|scope| !scope.is_empty());
                Some(scopes.map(str::to_owned).collect())
            }
            other => other.into_vec(),
        }
    }
}

impl Registered {
    /// Reads the scopes at the paths, or without any, those of `scope`, or else of `scp`.
    pub(crate) fn find_scopes(
        &mut self,
        payload: &[u8],
        scopes_in: &[String],
    ) -> Result<(), Reason> {
        self.scopes = if scopes_in.is_empty() {
            let texts = self.scope.take().or_else(|| self.scp.take());
            let scopes = texts.map_or_else(|| Some(Vec::new()), Texts::into_scopes);
            scopes.ok_or(Reason::Claims)?
        } else {
            let all: Value = read(payload)?;
            scopes_in.iter().filter_map(|path| scopes_at(path, &all)).flatten().collect()
        };
        Ok(())
    }

    /// Returns the client that got the token: `client_id`
    /// ([RFC 9068, 2.2](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)), or else `azp`
    /// ([OpenID Connect, 2](https://openid.net/specs/openid-connect-core-1_0.html#IDToken)).
    pub(crate) fn client(&self) -> Option<&str> {
        self.client_id.as_ref().or(self.azp.as_ref()).and_then(Value::as_str)
    }
}

/// Reads that a member is there, with any value.
pub(crate) fn is_there<'d, D: Deserializer<'d>>(deserializer: D) -> Result<bool, D::Error> {
    IgnoredAny::deserialize(deserializer).map(|_| true)
}

/// Reads what a token is bound to. Any value binds it: a member that is no text, or one that is not
/// known, to something that nothing here can prove.
fn bound_to<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Option<BoundTo>, D::Error> {
    let mut found = Value::deserialize(deserializer)?;
    let mut take = |name| match found.get_mut(name).map(Value::take) {
        Some(Value::String(text)) => Some(text),
        // It is compared with what a client proves, and is never that.
        Some(_) => Some(String::new()),
        None => None,
    };
    Ok(Some(BoundTo { certificate: take("x5t#S256"), key: take("jkt") }))
}

/// Reads claims of any type, which are an object: a structure is read from an array as well.
pub(crate) fn read<'d, C: Deserialize<'d>>(payload: &'d [u8]) -> Result<C, Reason> {
    let is_object = payload.trim_ascii_start().starts_with(b"{");
    let claims = is_object.then(|| serde_json::from_slice(payload).ok());
    claims.flatten().ok_or(Reason::Claims)
}

/// Sets a member of an object. `null` removes it.
pub(crate) fn set(object: &mut Map<String, Value>, name: String, value: Value) {
    match value {
        Value::Null => drop(object.remove(&name)),
        value => drop(object.insert(name, value)),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scopes_come_in_several_forms() {
        let read_in = |claims: Value, scopes_in: &[String]| {
            let payload = claims.to_string();
            let mut claims: Registered = read(payload.as_bytes())?;
            claims.find_scopes(payload.as_bytes(), scopes_in).map(|()| claims)
        };
        let read = |claims| read_in(claims, &[]);
        let scopes = |claims| read(claims).unwrap().scopes;
        assert_eq!(scopes(json!({ "scope": "a  b" })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scp": ["a", "b"] })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scp": "a b" })), ["a", "b"]);
        assert_eq!(scopes(json!({ "scope": "a", "scp": ["b"] })), ["a"]);
        assert!(scopes(json!({})).is_empty());
        for of_another_type in [json!(1), json!({ "a": 1 }), json!(["a", 1])] {
            let claims = json!({ "scope": of_another_type, "roles": "b" });
            assert!(read(claims.clone()).is_err(), "{claims}");
            // It does not matter if the scopes are read elsewhere.
            let elsewhere = ["roles".to_owned()];
            assert_eq!(read_in(claims.clone(), &elsewhere).unwrap().scopes, ["b"], "{claims}");
        }
    }

    #[test]
    fn the_client_is_named_by_one_of_two_claims() {
        for (claims, expected) in [
            (json!({ "client_id": "a", "azp": "b" }), Some("a")),
            (json!({ "azp": "b" }), Some("b")),
            (json!({ "client_id": 1, "azp": "b" }), None),
            (json!({ "client_id": null, "azp": "b" }), Some("b")),
            (json!({}), None),
        ] {
            let read: Registered = read(claims.to_string().as_bytes()).unwrap();
            assert_eq!(read.client(), expected, "{claims}");
        }
    }
}
