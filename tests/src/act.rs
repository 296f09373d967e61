//! Dependencies with arguments: roles, and the objects of their owners.

use doorward::http::StatusCode;
use doorward::{BearerError, BearerToken, Rejection, dependency, http_bearer};
use serde::Serialize;
use serde_json::{Value, json};

use crate::shown::Shown;

/// Takes the token `NAME:ROLE`.
#[http_bearer]
pub struct Act;

/// What a caller may do. Each role has the rights of those before it.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub enum Role {
    /// Reads.
    Reader,
    /// Reads and writes.
    Editor,
    /// Does everything.
    Admin,
}

/// Who calls.
#[derive(Clone, Debug)]
pub struct Caller {
    name: String,
    role: Role,
}

impl Shown for Caller {
    fn shown(&self) -> Value {
        json!({ "user": self.name })
    }
}

/// Reads who calls.
///
/// # Errors
///
/// Returns an error if the token has no name, or another role.
#[dependency]
pub fn caller(#[security(Act)] token: BearerToken) -> Result<Caller, BearerError> {
    let (name, role) = match token.as_str().split_once(':') {
        Some((name, "reader")) => (name, Role::Reader),
        Some((name, "editor")) => (name, Role::Editor),
        Some((name, "admin")) => (name, Role::Admin),
        _ => return Err(BearerError::invalid_token()),
    };
    if name.is_empty() {
        return Err(BearerError::invalid_token());
    }
    Ok(Caller { name: name.to_owned(), role })
}

/// Lets in who has a role, or one above it.
///
/// # Errors
///
/// Returns an error if the role is below it.
#[dependency]
pub fn role(
    #[argument] least: Role,
    #[security(caller)] caller: Caller,
) -> Result<Caller, Rejection> {
    if caller.role >= least {
        Ok(caller)
    } else {
        Err(Rejection::new(StatusCode::FORBIDDEN).with_detail("Not enough rights"))
    }
}

/// What is done to an object.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Everyone may read.
    Read,
    /// Its owner and admins may change it.
    Change,
}

/// An object, for an action that is allowed.
#[derive(Debug)]
pub struct Object {
    id: u32,
    owner: &'static str,
    action: Action,
    caller: Caller,
}

impl Object {
    /// Finds the object with this number, if the caller may do this to it.
    ///
    /// # Errors
    ///
    /// Returns the same error for an object that is not there, and for one that is another's.
    pub fn find(action: Action, id: &str, caller: Caller) -> Result<Self, Rejection> {
        let (id, owner) = match id {
            "1" => (1, "alice"),
            "2" => (2, "bob"),
            "3" => (3, "alice"),
            _ => return Err(not_found()),
        };
        let is_allowed = match action {
            Action::Read => true,
            Action::Change => caller.name == owner || caller.role == Role::Admin,
        };
        if !is_allowed {
            return Err(not_found());
        }
        Ok(Self { id, owner, action, caller })
    }
}

fn not_found() -> Rejection {
    Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found")
}

impl Shown for Object {
    fn shown(&self) -> Value {
        let Self { id, owner, action, caller } = self;
        json!({ "id": id, "owner": owner, "action": action, "user": caller.name })
    }
}
