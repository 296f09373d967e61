//! utoipa 6, where operations are in webhooks, callbacks and shared items too.

use std::collections::BTreeMap;

// `either.rs` takes the crate from here.
use ::utoipa;

#[path = "either.rs"]
pub mod either;

use self::either::{Add, Place, RefOr, operations};
use self::utoipa::openapi::OpenApi;
use self::utoipa::openapi::path::{Callback, Operation, PathItem};
use crate::openapi::DocumentError;
use crate::openapi::location::SHARED_ROUTE;

/// Calls `add` with every operation of a document.
fn visit(openapi: &mut OpenApi, add: Add<'_>) -> Result<(), DocumentError> {
    let routes = openapi.paths.paths.values();
    let shared = routes.filter_map(|item| item.ref_path.as_deref()?.strip_prefix(SHARED_ROUTE));
    let shared = Vec::from_iter(shared.map(str::to_owned));
    for (path, item) in &mut openapi.paths.paths {
        visit_item(path, item, true, add)?;
    }
    let webhooks = openapi.webhooks.iter_mut();
    for (name, item) in webhooks.flat_map(|hooks| &mut hooks.paths) {
        visit_item(name, item, false, add)?;
    }
    if let Some(components) = &mut openapi.components {
        for (name, item) in &mut components.path_items {
            visit_item(name, item, shared.contains(name), add)?;
        }
        visit_callbacks(&mut components.callbacks, add)?;
    }
    Ok(())
}

fn visit_item(
    path: &str,
    item: &mut PathItem,
    is_route: bool,
    add: Add<'_>,
) -> Result<(), DocumentError> {
    let place = Place::new(path, item, is_route);
    for (method, operation) in operations(item) {
        visit_operation(&place, method, operation, add)?;
    }
    if let Some(operation) = &mut item.query {
        visit_operation(&place, "query", operation, add)?;
    }
    for (method, operation) in &mut item.additional_operations {
        visit_operation(&place, method, operation, add)?;
    }
    Ok(())
}

fn visit_operation(
    place: &Place<'_>,
    method: &str,
    operation: &mut Operation,
    add: Add<'_>,
) -> Result<(), DocumentError> {
    add(place, method, operation)?;
    visit_callbacks(&mut operation.callbacks, add)
}

fn visit_callbacks(
    callbacks: &mut BTreeMap<String, RefOr<Callback>>,
    add: Add<'_>,
) -> Result<(), DocumentError> {
    for callback in callbacks.values_mut() {
        let RefOr::T(callback) = callback else {
            continue;
        };
        for (expression, item) in callback {
            if let RefOr::T(item) = item {
                visit_item(expression, item, false, add)?;
            }
        }
    }
    Ok(())
}
