//! The routes of a router, with what each declares.

#[cfg(feature = "axum08")]
use super::ANY;
use super::{Requirement, Route};
use crate::declaration::Declaration;
use crate::plan::alternatives::Alternatives;
use crate::plan::decisions::{decisions, via};

/// A route as a router keeps it. What it requires is worked out when the table is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) declaration: Declaration,
}

#[cfg(feature = "axum08")]
impl Line {
    /// Returns the line for all requests at a path that have no other route.
    pub(crate) fn any(path: &str, declaration: Declaration) -> Self {
        Self { method: ANY, path: path.to_owned(), declaration }
    }

    /// Returns this route below a prefix.
    pub(crate) fn below(mut self, prefix: &str) -> Self {
        let above = prefix.strip_suffix('/').unwrap_or(prefix);
        self.path = match &*self.path {
            "/" => prefix.to_owned(),
            "*" => format!("{above}/*"),
            path => format!("{above}{path}"),
        };
        self
    }
}

impl From<Line> for Route {
    fn from(line: Line) -> Self {
        Self {
            path: line.path,
            method: line.method.to_owned(),
            requirement: Requirement::of(&line.declaration),
            handler: line.declaration.handler.to_owned(),
        }
    }
}

impl Requirement {
    /// Returns what a handler or a service requires.
    fn of(declaration: &Declaration) -> Self {
        if let Some(reason) = declaration.reason {
            return Self::public(reason);
        }
        let Declaration { root, scopes, arguments, .. } = declaration;
        let alternatives = Alternatives::of(root, scopes, *arguments).named();
        let decisions = decisions(root, *arguments);
        let via = via(&decisions, !alternatives.is_empty()).map(str::to_owned).collect();
        Self::met_by(alternatives, via)
    }
}
