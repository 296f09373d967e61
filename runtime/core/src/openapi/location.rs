//! The places of operations in a description: below its paths, webhooks and callbacks, and in the
//! components that these refer to.

use crate::syntax::json::tree::{Object, Tree};

/// The place of an operation.
#[derive(Clone, Debug)]
pub(super) struct Location {
    /// The path, the name of a webhook, or the expression of a callback.
    pub(super) path: String,
    /// The method, as it is written.
    pub(super) method: String,
    /// `true` if the service has this route. It sends the requests of webhooks and callbacks.
    pub(super) is_route: bool,
    /// The position of each member on the way from the root to the operation.
    way: Vec<usize>,
}

impl Location {
    /// Returns the places of all operations. An operation comes after those of its callbacks, so
    /// each can lose members without moving the operations that follow.
    pub(super) fn all(root: &Tree) -> Vec<Self> {
        let shared = shared_routes(root);
        let mut search = Search::default();
        search.members(root, |search, name, value| match name {
            "paths" => search.path_items(value, &|_| true),
            "webhooks" => search.path_items(value, &|_| false),
            "components" => search.members(value, |search, kind, value| match kind {
                "pathItems" => search.path_items(value, &|name| shared.contains(&name)),
                "callbacks" => search.callbacks(value),
                _ => {}
            }),
            _ => {}
        });
        search.found
    }

    /// Returns the paths of the service at which this operation is.
    pub(super) fn routes(&self, root: &Tree) -> Vec<String> {
        if self.path.starts_with('/') {
            return vec![self.path.clone()];
        }
        let refers = |item: &Tree| shared_route(item) == Some(&self.path);
        let items = paths(root).filter(|(_, item)| refers(item));
        items.map(|(path, _)| path.to_owned()).collect()
    }

    /// Returns the operation at this place.
    pub(super) fn find<'t>(&self, root: &'t mut Tree) -> Option<&'t mut Object> {
        let mut found = root;
        for position in &self.way {
            found = found.as_object_mut()?.at_mut(*position)?;
        }
        found.as_object_mut()
    }
}

/// Returns the names of the path items among the components that a path refers to.
fn shared_routes(root: &Tree) -> Vec<&str> {
    paths(root).filter_map(|(_, item)| shared_route(item)).collect()
}

/// Returns the path items of the service, by path.
pub(super) fn paths(root: &Tree) -> impl Iterator<Item = (&str, &Tree)> {
    let paths = root.get("paths").and_then(Tree::as_object);
    paths.into_iter().flat_map(Object::iter)
}

/// Returns the name of the path item among the components that another one refers to.
fn shared_route(item: &Tree) -> Option<&str> {
    item.get("$ref")?.as_str()?.strip_prefix(SHARED_ROUTE)
}

/// A reference to a path item among the components, without its name.
pub(super) const SHARED_ROUTE: &str = "#/components/pathItems/";

/// A reference to a response among the components, without its name.
pub(super) const SHARED_RESPONSE: &str = "#/components/responses/";

/// The fields of a [Path Item Object](https://spec.openapis.org/oas/v3.1.1.html#path-item-object)
/// that are operations; `query` since OpenAPI 3.2.
const METHODS: [&str; 9] =
    ["get", "put", "post", "delete", "options", "head", "patch", "trace", "query"];

#[derive(Default)]
struct Search {
    found: Vec<Location>,
    way: Vec<usize>,
}

impl Search {
    /// Visits each member of an object.
    fn members(&mut self, of: &Tree, mut visit: impl FnMut(&mut Self, &str, &Tree)) {
        let members = of.as_object().into_iter().flat_map(Object::iter);
        for (position, (name, value)) in members.enumerate() {
            self.way.push(position);
            visit(self, name, value);
            self.way.pop();
        }
    }

    fn path_items(&mut self, items: &Tree, is_route: &dyn Fn(&str) -> bool) {
        self.members(items, |search, path, item| {
            let is_route = is_route(path);
            search.members(item, |search, name, value| match name {
                // Methods that OpenAPI 3.2 has no field for.
                "additionalOperations" => search.members(value, |search, method, operation| {
                    search.operation(path, method, operation, is_route);
                }),
                method if METHODS.contains(&method) => {
                    search.operation(path, method, value, is_route);
                }
                _ => {}
            });
        });
    }

    fn operation(&mut self, path: &str, method: &str, operation: &Tree, is_route: bool) {
        if operation.as_object().is_none() {
            return;
        }
        self.members(operation, |search, name, value| {
            if name == "callbacks" {
                search.callbacks(value);
            }
        });
        self.found.push(Location {
            path: path.to_owned(),
            method: method.to_owned(),
            is_route,
            way: self.way.clone(),
        });
    }

    fn callbacks(&mut self, callbacks: &Tree) {
        self.members(callbacks, |search, _, callback| {
            search.path_items(callback, &|_| false);
        });
    }
}
