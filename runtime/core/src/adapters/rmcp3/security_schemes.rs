//! `_meta.securitySchemes` of a tool (SEP-1488).

use rmcp::model::MetaObject;
use serde_json::json;

use crate::plan::alternatives::{Alternatives, Reached};
use crate::plan::table::HasPlan;

/// Adds what a method with this plan requires. Of a plan that is not one scheme with bearer tokens,
/// nothing is said.
#[must_use]
pub fn security_schemes<P: HasPlan>(mut meta: MetaObject) -> MetaObject {
    let scheme = match P::REASON {
        Some(_) => Some(json!({ "type": "noauth" })),
        None => scopes::<P>().map(|scopes| json!({ "type": "oauth2", "scopes": scopes })),
    };
    if let Some(scheme) = scheme {
        meta.0.insert("securitySchemes".to_owned(), json!([scheme]));
    }
    meta
}

/// Returns the scopes of the one scheme that takes bearer tokens.
fn scopes<P: HasPlan>() -> Option<Vec<&'static str>> {
    let alternatives = Alternatives::of(P::ROOT, &[], None);
    let mut alternatives = alternatives.iter();
    let [reached] = &**alternatives.next()? else { return None };
    // Others may differ in roles.
    let is_like = |other: &Vec<Reached>| match &**other {
        [other] => (other.scheme, &other.scopes) == (reached.scheme, &reached.scopes),
        _ => false,
    };
    let takes_tokens = reached.scheme.kind.takes_bearer_tokens() && alternatives.all(is_like);
    takes_tokens.then(|| reached.scopes.clone())
}
