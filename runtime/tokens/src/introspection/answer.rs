//! The answer of an issuer about a token
//! ([RFC 7662, 2.2](https://www.rfc-editor.org/rfc/rfc7662#section-2.2)).

use doorward_core::verify::Verified;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::claims::rules::CommonRules;
use crate::claims::{self, Registered, Texts};
use crate::clock;
use crate::reason::Reason;

/// The facts about a token that is active.
pub(super) struct Active<C> {
    pub(super) verified: Verified<C>,
    /// Whom the token is for.
    pub(super) audiences: Vec<String>,
    pub(super) client: Option<String>,
    /// When it expires, in seconds since 1970.
    pub(super) exp: f64,
}

/// The members that no JSON Web Token has, or has elsewhere.
#[derive(Default, Deserialize)]
pub(super) struct State {
    #[serde(default)]
    active: Value,
    token_type: Option<Value>,
    token_use: Option<Value>,
    typ: Option<Value>,
}

/// The types of the tokens that a client sends
/// ([RFC 6749, 7.1](https://www.rfc-editor.org/rfc/rfc6749#section-7.1)).
const SENT: [&str; 2] = ["Bearer", "DPoP"];

/// What issuers write as `token_use` or `typ` of access tokens: Hydra, Keycloak, and those whose tokens
/// are JSON Web Tokens ([RFC 9068, 2.1](https://www.rfc-editor.org/rfc/rfc9068#section-2.1)).
const ACCESS: [&str; 6] =
    ["access_token", "access", "Bearer", "DPoP", "at+jwt", "application/at+jwt"];

impl State {
    /// Reads the state of a token. Returns `None` for an answer that is no object, or has a member
    /// twice.
    pub(super) fn read(body: &[u8]) -> Option<Self> {
        claims::read(body).ok()
    }

    /// Returns `true` if no member says that this is another token than an access token. A refresh
    /// token is active as well, so if nothing else tells them apart, a member must say what it is.
    fn is_access_token(&self, needs_proof: bool) -> bool {
        let members =
            [(&self.token_type, &SENT[..]), (&self.token_use, &ACCESS), (&self.typ, &ACCESS)];
        let is_one = |found: &Value, names: &[&str]| {
            let found = found.as_str();
            found.is_some_and(|found| names.iter().any(|name| name.eq_ignore_ascii_case(found)))
        };
        let mut found =
            members.into_iter().filter_map(|(found, names)| Some((found.as_ref()?, names)));
        let is_there = found.clone().next().is_some();
        (is_there || !needs_proof) && found.all(|(found, names)| is_one(found, names))
    }
}

/// Reads an answer, which is JSON, and makes all checks but those of the audience and of what the token
/// is bound to. The issuer is known if it was discovered.
pub(super) fn read<C: DeserializeOwned>(
    state: &State,
    body: &[u8],
    rules: &CommonRules,
    issuer: Option<&str>,
    now: f64,
) -> Result<Active<C>, Reason> {
    match state.active {
        Value::Bool(true) => {}
        Value::Bool(false) => return Err(Reason::Inactive),
        _ => return Err(Reason::Answer),
    }
    if !state.is_access_token(!rules.client_ids.is_empty()) {
        return Err(Reason::NotAccess);
    }
    let mut registered: Registered = claims::read(body)?;
    registered.find_scopes(body, &rules.scopes_in)?;
    if let (Some(expected), Some(found)) = (issuer, &registered.iss)
        && expected != found
    {
        return Err(Reason::Issuer);
    }
    rules.check_times(&registered, now)?;
    let audiences = registered.aud.take().map_or_else(|| Some(Vec::new()), Texts::into_vec);
    let client = registered.client().map(str::to_owned);
    let exp = registered.exp.unwrap_or(f64::INFINITY);
    let claims = claims::read::<C>(body)?;
    let verified = Verified::bound(claims, registered.scopes, registered.bound_to);
    Ok(Active {
        audiences: audiences.ok_or(Reason::Claims)?,
        client,
        exp,
        verified: verified.expiring_at(clock::date(exp)),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn reason(answer: &str, rules: &CommonRules) -> Option<Reason> {
        let body = answer.as_bytes();
        let state = State::read(body).unwrap_or_default();
        read::<Value>(&state, body, rules, Some("https://id.example.com"), 1000.0).err()
    }

    #[test]
    fn only_true_is_active() {
        let rules = CommonRules::default();
        assert_eq!(reason(r#" {"active":true}"#, &rules), None);
        assert_eq!(reason(r#"{"active":false}"#, &rules), Some(Reason::Inactive));
        for answer in [
            r#"{"active":"true"}"#,
            r#"{"active":1}"#,
            r#"{"active":null}"#,
            r#"{"active":[true]}"#,
            r#"{"Active":true}"#,
            r#"{"active":false,"active":true}"#,
            r#"{"active":true,"active":false}"#,
            "{}",
            "[true]",
            r#"[{"active":true}]"#,
            "true",
            r#""true""#,
            "null",
        ] {
            assert_eq!(reason(answer, &rules), Some(Reason::Answer), "{answer}");
        }
    }

    #[test]
    fn each_check_refuses() {
        let rules = CommonRules::default();
        for (member, expected) in [
            (json!({ "exp": 941 }), None),
            (json!({ "exp": 940 }), Some(Reason::Expired)),
            (json!({ "exp": "2000" }), Some(Reason::Claims)),
            (json!({ "nbf": 1060 }), None),
            (json!({ "nbf": 1061 }), Some(Reason::NotYetValid)),
            (json!({ "iss": "https://id.example.com" }), None),
            (json!({ "iss": "https://id.example.com/" }), Some(Reason::Issuer)),
            (json!({ "aud": 1 }), Some(Reason::Claims)),
            (json!({ "aud": ["a", 1] }), Some(Reason::Claims)),
            (json!({ "scope": 1 }), Some(Reason::Claims)),
            (json!({ "token_type": "bearer" }), None),
            (json!({ "token_type": "DPoP" }), None),
            (json!({ "token_type": null, "typ": null }), None),
            (json!({ "token_type": "refresh_token" }), Some(Reason::NotAccess)),
            (json!({ "token_type": "Refresh" }), Some(Reason::NotAccess)),
            (json!({ "token_type": "access_token" }), Some(Reason::NotAccess)),
            (json!({ "token_type": "" }), Some(Reason::NotAccess)),
            (json!({ "token_type": ["Bearer"] }), Some(Reason::NotAccess)),
            (json!({ "token_use": "access_token" }), None),
            (json!({ "token_use": "refresh_token" }), Some(Reason::NotAccess)),
            (json!({ "typ": "Bearer" }), None),
            (json!({ "typ": "Refresh" }), Some(Reason::NotAccess)),
            (json!({ "typ": "ID" }), Some(Reason::NotAccess)),
            (json!({ "typ": "JWT" }), Some(Reason::NotAccess)),
            (json!({ "token_type": "Bearer", "typ": "Offline" }), Some(Reason::NotAccess)),
        ] {
            let mut answer = member.clone();
            answer["active"] = true.into();
            assert_eq!(reason(&answer.to_string(), &rules), expected, "{member}");
        }
    }

    #[test]
    fn any_cnf_binds_a_token() {
        for (member, certificate, key) in [
            (json!({ "jkt": "a" }), None, Some("a")),
            (json!({ "x5t#S256": "b" }), Some("b"), None),
            (json!({ "x5t#S256": "b", "jkt": "a", "kid": 1 }), Some("b"), Some("a")),
            (json!({ "jkt": 1 }), None, Some("")),
            (json!({ "jwk": {} }), None, None),
            (json!({}), None, None),
            (json!("a"), None, None),
            (json!(null), None, None),
        ] {
            let body = json!({ "active": true, "cnf": member }).to_string();
            let state = State::read(body.as_bytes()).unwrap();
            let rules = CommonRules::default();
            let read = read::<Value>(&state, body.as_bytes(), &rules, None, 1000.0);
            let verified = read.ok().unwrap().verified;
            let bound_to = verified.bound_to().unwrap();
            assert_eq!(bound_to.certificate.as_deref(), certificate, "{body}");
            assert_eq!(bound_to.key.as_deref(), key, "{body}");
        }
    }

    #[test]
    fn a_token_without_an_audience_says_what_it_is() {
        let rules = CommonRules { client_ids: vec!["web".to_owned()], ..CommonRules::default() };
        assert_eq!(reason(r#"{"active":true}"#, &rules), Some(Reason::NotAccess));
        for member in
            [r#""token_type":"Bearer""#, r#""token_use":"access_token""#, r#""typ":"Bearer""#]
        {
            assert_eq!(reason(&format!(r#"{{"active":true,{member}}}"#), &rules), None);
        }
    }
}
