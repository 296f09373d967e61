//! A proof of possession in little: the header `DPoP` says for which URL the token was sent.

use doorward::verify::Presented;
use doorward::{dependency, http_bearer};
use http::StatusCode;
use serde_json::{Value, json};

use crate::format::Problem;
use crate::shown::Shown;

/// A token that needs a proof.
#[http_bearer(error = Problem)]
pub struct Bound;

/// The target for which the proof is good.
#[derive(Debug)]
pub struct Target(String);

impl Shown for Target {
    fn shown(&self) -> Value {
        json!({ "target": self.0 })
    }
}

/// Requires a proof for the URL of the request, without its query.
///
/// # Errors
///
/// Returns a `401` if there is none.
#[dependency]
pub fn proved(#[security(Bound)] presented: Presented) -> Result<Target, Problem> {
    let proved = presented.headers().and_then(|headers| headers.get("dpop"));
    match (proved, presented.target()) {
        (Some(proved), Some(target))
            if *proved == format!("https://api.example.com{}", target.path()) =>
        {
            Ok(Target(target.path_and_query().map(ToString::to_string).unwrap_or_default()))
        }
        _ => Err(Problem::new(StatusCode::UNAUTHORIZED, "invalid_dpop_proof")),
    }
}
