//! The routes of a router, with what each declares.

#[cfg(feature = "axum08")]
use super::ANY;
use super::{Requirement, Route};
use crate::plan::alternatives::{Alternative, Alternatives};
use crate::plan::decisions::{decisions, via};
use crate::plan::declaration::Declaration;
#[cfg(feature = "testing")]
use crate::routes::asking::Asking;

/// A route as a router keeps it. What it requires is worked out when the table is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) declaration: Declaration,
}

impl Line {
    /// Returns the line for a method of a path.
    pub(crate) fn new(method: &'static str, path: &str, declaration: Declaration) -> Self {
        Self { method, path: path.to_owned(), declaration }
    }
}

#[cfg(feature = "axum08")]
impl Line {
    /// Returns the line for all requests at a path that have no other route.
    pub(crate) fn any(path: &str, declaration: Declaration) -> Self {
        Self::new(ANY, path, declaration)
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
        let Declaration { root, scopes, arguments, handler, .. } = line.declaration;
        let alternatives = Alternatives::of(root, scopes, arguments);
        Self {
            path: line.path,
            method: line.method.to_owned(),
            requirement: Requirement::of(&line.declaration, alternatives.named()),
            handler: handler.to_owned(),
            alternatives: Some(alternatives),
            #[cfg(feature = "testing")]
            asking: match line.declaration.door {
                #[cfg(feature = "axum08")]
                Some(door) if line.declaration.is_asked => Asking::Door(door.to_string().into()),
                #[cfg(feature = "axum08")]
                Some(door) => Asking::Answers(door.to_string().into()),
                _ => Asking::Printed,
            },
        }
    }
}

impl Requirement {
    /// Returns what a handler or a service requires.
    fn of(declaration: &Declaration, alternatives: Vec<Alternative>) -> Self {
        if let Some(reason) = declaration.reason {
            return Self::public(reason);
        }
        let Declaration { root, arguments, .. } = declaration;
        let decisions = decisions(root, *arguments);
        let via = via(&decisions, !alternatives.is_empty()).map(str::to_owned).collect();
        Self::met_by(alternatives, via)
    }
}
