//! The table of routes of an OpenAPI document, which any tool may have written.

use serde::Serialize;

use crate::openapi::location::{Location, paths};
use crate::openapi::operation::reason_in;
use crate::openapi::{Document, DocumentError, OperationMut, VIA};
use crate::plan::alternatives::Alternative;
#[cfg(feature = "testing")]
use crate::routes::asking::Asking;
use crate::routes::{ANY, Requirement, Route, Routes};
use crate::syntax::json::tree::Tree;

/// Returns the table of the routes in an OpenAPI document of any source: a [`Document`], one
/// of utoipa's, or JSON.
///
/// - An operation requires the `security` that it states, or else that of the whole document, and
///   the dependencies in its extension `x-via`, which this crate writes.
/// - An operation that requires nothing is public if the last paragraph of its `description` begins
///   with `Public: `, followed by the reason, as `#[public]` writes it.
/// - Any other operation is [`undecided`](Routes::undecided), with or without an empty `security`.
///   So is a path whose item is in another document.
///
/// The operations of webhooks and callbacks are not routes of the service. Pass the document that
/// clients read.
///
/// ```
/// use serde_json::json;
/// use doorward::openapi::audit;
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
/// # Ok::<(), doorward::openapi::DocumentError>(())
/// ```
///
/// # Errors
///
/// Returns an error if the document is not one of OpenAPI, a `security` in it cannot be read, or what
/// a `#[secured]` handler requires is not described yet, as `SecurityAddon` does in documents of utoipa.
pub fn audit(document: impl Serialize) -> Result<Routes, DocumentError> {
    let mut document = Document::read(Tree::of(&document))?;
    match document.carried() {
        None => routes_of(&mut document),
        Some(pointer) => Err(DocumentError::NotDescribed(pointer)),
    }
}

/// Returns the table of the routes in a document.
pub(super) fn routes_of(document: &mut Document) -> Result<Routes, DocumentError> {
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
            #[cfg(feature = "testing")]
            asking: document.asking(&method, &path, &requirement),
            path,
            method: method.clone(),
            requirement: requirement.clone(),
            handler: id.clone(),
            alternatives: None,
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
                alternatives: None,
                #[cfg(feature = "testing")]
                asking: Asking::Unknown,
            });
        }
    }
    Ok(Routes::of(routes.into_iter()))
}

/// Returns what an operation requires of a request.
fn requirement(operation: &mut OperationMut<'_>) -> Result<Requirement, DocumentError> {
    let security = operation.security()?;
    #[cfg(feature = "testing")]
    let security = operation.filled_security().or(security);
    let needs_credential =
        |alternatives: &Vec<Alternative>| !alternatives.iter().all(Vec::is_empty);
    let alternatives = security.filter(needs_credential).unwrap_or_default();
    let via = operation.fields()?.get(VIA).map(Tree::texts).unwrap_or_default();
    if !alternatives.is_empty() || !via.is_empty() {
        return Ok(Requirement::met_by(alternatives, via));
    }
    let description = text(operation, "description")?;
    let reason = description.as_deref().and_then(reason_in);
    Ok(reason.map_or(Requirement::Undecided, Requirement::public))
}

/// Returns a member of an operation that is a text.
fn text(operation: &mut OperationMut<'_>, name: &str) -> Result<Option<String>, DocumentError> {
    let found = operation.fields()?.get(name).and_then(Tree::as_str);
    Ok(found.map(str::to_owned))
}
