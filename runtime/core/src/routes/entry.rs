//! The entry points of a block with `#[secured]`, as its table of routes lists them.

use crate::plan::declaration::Declaration;
use crate::plan::table::HasPlan;
use crate::routes::kept::Line;
use crate::routes::{Route, Routes};

/// A method that a client calls: of a service of gRPC, or of an MCP server a tool, a prompt, or a
/// method that serves resources.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    pub(crate) kind: &'static str,
    pub(crate) name: &'static str,
    pub(crate) declaration: Declaration,
}

impl Entry {
    /// Creates the entry of a method with this plan. `method` is its path in its module.
    #[must_use]
    pub const fn new<P: HasPlan>(
        kind: &'static str,
        name: &'static str,
        method: &'static str,
    ) -> Self {
        Self { kind, name, declaration: Declaration::of::<P>(method) }
    }
}

/// Returns the table of the entry points of a block, which is in a module. `path` makes the path of
/// a route from the name of its entry point.
pub(crate) fn table(module: &str, entries: &[Entry], path: impl Fn(&str) -> String) -> Routes {
    let routes = entries.iter().map(|Entry { kind, name, declaration }| {
        let line = Line::new(kind, &path(name), *declaration);
        let route = Route::from(line);
        Route { handler: format!("{module}::{}", route.handler), ..route }
    });
    Routes::of(routes)
}
