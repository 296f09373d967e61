use std::collections::HashMap;

use doorward::http::StatusCode;
use doorward::{ApiKey, Rejection, Shared, api_key, dependency, secured};

#[api_key(cookie = "session")]
struct Session;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Role {
    Administrator,
    Typist,
}

/// The names in the description.
impl AsRef<str> for Role {
    fn as_ref(&self) -> &str {
        match self {
            Self::Administrator => "administrator",
            Self::Typist => "typist",
        }
    }
}

/// The role of each session: a table of your database.
struct Sessions(HashMap<String, Role>);

#[dependency]
fn authorized(
    #[argument(roles)] allowed: &[Role],
    #[security(Session)] session: ApiKey,
    sessions: Shared<Sessions>,
) -> Result<(), Rejection> {
    match sessions.0.get(session.as_str()) {
        Some(role) if allowed.contains(role) => Ok(()),
        Some(_) => Err(Rejection::new(StatusCode::FORBIDDEN)),
        None => Err(Rejection::NOT_AUTHENTICATED),
    }
}

const STAFF: &[Role] = &[Role::Administrator, Role::Typist];

#[secured(authorized(STAFF))]
async fn results() {}

#[test]
fn the_description_names_the_roles() {
    let operation = serde_json::json!(doorward::operation!(results));
    let roles = serde_json::json!([{ "Session": ["administrator"] }, { "Session": ["typist"] }]);
    assert_eq!(operation["security"], roles);
    assert_eq!(
        operation["responses"]["403"]["description"],
        "Forbidden: `administrator` or `typist` (roles)"
    );
}
