//! The table of routes of a description, whoever wrote it.

use serde::Serialize;

use crate::declaration::NO_REASON;
use crate::json::tree::Tree;
use crate::openapi::location::{Location, paths};
use crate::openapi::operation::reason_in;
use crate::openapi::{Document, DocumentError, OperationMut};
use crate::routes::{ANY, Requirement, Route, Routes};

/// Returns the table of the routes in an OpenAPI document, whatever wrote it: a [`Document`], one
/// of utoipa's, or JSON.
///
/// - An operation requires the `security` that it states, or else that of the whole document.
/// - An empty `security` of its own makes it public. The reason is the last paragraph of its
///   `description`, if that begins with `Public: `, as `#[public]` writes it.
/// - An operation without `security` and without such a reason is
///   [`undecided`](Routes::undecided). So is a path whose item is in another document.
///
/// The operations of webhooks and callbacks are no routes of the service.
///
/// ```
/// use serde_json::json;
/// use tollgate::openapi::audit;
///
/// let document = json!({
///     "openapi": "3.1.0",
///     "info": { "title": "Notes", "version": "1" },
///     "paths": {
///         "/notes": { "get": { "security": [{ "Notes": ["notes:read"] }] }, "post": {} },
///         "/health": { "get": { "security": [], "description": "Public: load balancers ask it" } }
///     }
/// });
/// let routes = audit(&document)?;
/// assert_eq!(
///     routes.to_string(),
///     "\
/// GET   /health  public: load balancers ask it
/// GET   /notes   Notes(notes:read)
/// POST  /notes   undecided
/// "
/// );
/// assert_eq!(routes.undecided().count(), 1);
/// # Ok::<(), tollgate::openapi::DocumentError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the document is not one of OpenAPI, or a `security` in it cannot be read.
pub fn audit(document: impl Serialize) -> Result<Routes, DocumentError> {
    let mut document = Document::new(document)?;
    let mut routes = Vec::new();
    for place in Location::all(&document.json) {
        if !place.is_route {
            continue;
        }
        let paths = place.routes(&document.json);
        let method = place.method.to_ascii_uppercase();
        let mut operation = document.at(place);
        let requirement = requirement(&mut operation)?;
        let id = text(&mut operation, "operationId")?.unwrap_or_default();
        routes.extend(paths.into_iter().map(|path| Route {
            path,
            method: method.clone(),
            requirement: requirement.clone(),
            handler: id.clone(),
        }));
    }
    for (path, item) in paths(&document.json) {
        // The operations of another document are not here to be read.
        if item.get("$ref").is_some() && !routes.iter().any(|route| route.path == path) {
            routes.push(Route {
                path: path.to_owned(),
                method: ANY.to_owned(),
                requirement: Requirement::Undecided,
                handler: String::new(),
            });
        }
    }
    Ok(Routes::of(routes.into_iter()))
}

/// Returns what an operation requires of a request.
fn requirement(operation: &mut OperationMut<'_>) -> Result<Requirement, DocumentError> {
    let security = operation.security()?;
    if let Some(alternatives) = security.filter(|some| some.iter().any(|one| !one.is_empty())) {
        return Ok(Requirement::Schemes { alternatives, via: Vec::new() });
    }
    let description = text(operation, "description")?;
    Ok(match description.as_deref().and_then(reason_in) {
        Some(reason) => Requirement::public(reason),
        // That of the whole document decides for no operation that it is public.
        None if operation.fields()?.get("security").is_some() => Requirement::public(NO_REASON),
        None => Requirement::Undecided,
    })
}

/// Returns a member of an operation that is a text.
fn text(operation: &mut OperationMut<'_>, name: &str) -> Result<Option<String>, DocumentError> {
    let found = operation.fields()?.get(name).and_then(Tree::as_str);
    Ok(found.map(str::to_owned))
}
