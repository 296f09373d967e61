//! Where the claims of an issuer have the scopes, if neither `scope` nor `scp` has them.

use serde::Deserialize as _;
use serde_json::Value;

use crate::claims::Texts;

/// Returns the scopes of the claim at a path, or `None` if nothing is there.
///
/// A path is a name, or names that are separated by dots, as in `realm_access.roles`. A name with
/// dots may be written as it is, because the longest name that is there counts, or in brackets:
/// `resource_access['items.api'].roles`.
pub(crate) fn scopes_at(path: &str, claims: &Value) -> Option<Vec<String>> {
    if path.is_empty() {
        return None;
    }
    scopes_of(value_at(path, claims)?)
}

/// Returns the value at a path.
pub(crate) fn value_at<'v>(path: &str, value: &'v Value) -> Option<&'v Value> {
    if path.is_empty() {
        return Some(value);
    }
    let object = value.as_object()?;
    let below = |name: &str, rest: &str| {
        value_at(rest.strip_prefix('.').unwrap_or(rest), object.get(name)?)
    };
    for (open, close) in [("['", "']"), ("[\"", "\"]")] {
        if let Some((name, rest)) = path.strip_prefix(open).and_then(|path| path.split_once(close))
        {
            return below(name, rest);
        }
    }
    let ends = path.rmatch_indices(['.', '[']).map(|(end, _)| end);
    let mut names = [path.len()].into_iter().chain(ends);
    names.find_map(|end| path.split_at_checked(end).and_then(|(name, rest)| below(name, rest)))
}

/// Returns the scopes that a value has: those of a text or a list, or the names of the members of
/// an object, as ZITADEL writes roles. A member grants nothing if it is `false`, `null` or empty.
fn scopes_of(value: &Value) -> Option<Vec<String>> {
    if let Value::Object(members) = value {
        let is_granted = |value: &Value| match value {
            Value::Bool(is_granted) => *is_granted,
            Value::Object(members) => !members.is_empty(),
            _ => false,
        };
        let granted = members.iter().filter(|(_, value)| is_granted(value));
        return Some(granted.map(|(name, _)| name.clone()).collect());
    }
    Texts::deserialize(value).ok()?.into_scopes()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn scopes_may_be_at_a_path() {
        let claims = json!({
            "realm_access": { "roles": ["a"] },
            "https://example.com/roles": ["b"],
            "permissions": "c d",
            "number": 1,
            "resource_access": { "items.api": { "roles": ["e"] }, "items": { "roles": ["f"] } },
            "urn:zitadel:iam:org:project:roles": {
                "admin": { "1": "example.com" },
                "editor": {},
                "reader": null,
                "writer": true,
            },
        });
        for (path, expected) in [
            ("realm_access.roles", &["a"][..]),
            ("realm_access['roles']", &["a"]),
            ("https://example.com/roles", &["b"]),
            ("permissions", &["c", "d"]),
            ("resource_access.items.api.roles", &["e"]),
            ("resource_access['items.api'].roles", &["e"]),
            ("resource_access[\"items.api\"][\"roles\"]", &["e"]),
            ("resource_access.items.roles", &["f"]),
            ("urn:zitadel:iam:org:project:roles", &["admin", "writer"]),
            // The only member of this claim is a list, which is not a role.
            ("realm_access", &[]),
        ] {
            let expected = Vec::from_iter(expected.iter().map(ToString::to_string));
            assert_eq!(scopes_at(path, &claims), Some(expected), "{path}");
        }
        for path in ["", ".", "number", "realm_access.none", "none.roles", "realm_access['roles"] {
            assert_eq!(scopes_at(path, &claims), None, "{path}");
        }
    }
}
