//! The routes of a router, with what each declares.

#[cfg(feature = "axum08")]
use super::ANY;
use super::{Requirement, Route};
use crate::declaration::Declaration;
use crate::plan::alternatives::{Alternative, Alternatives};
use crate::plan::decisions::{decisions, via};
#[cfg(feature = "testing")]
use crate::testing::callers::Asking;

/// A route as a router keeps it. What it requires is worked out when the table is asked for.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) method: &'static str,
    pub(crate) path: String,
    pub(crate) declaration: Declaration,
    /// `true` if the path does not lead to the handler, but a method that no route of a path has.
    #[cfg(all(feature = "testing", feature = "axum08"))]
    is_for_wrong_methods: bool,
}

impl Line {
    /// Returns the line for a method of a path.
    pub(crate) fn new(method: &'static str, path: &str, declaration: Declaration) -> Self {
        Self {
            method,
            path: path.to_owned(),
            declaration,
            #[cfg(all(feature = "testing", feature = "axum08"))]
            is_for_wrong_methods: false,
        }
    }
}

#[cfg(feature = "axum08")]
impl Line {
    /// Returns the line for all requests at a path that have no other route.
    pub(crate) fn any(path: &str, declaration: Declaration) -> Self {
        Self::new(ANY, path, declaration)
    }

    #[cfg(feature = "testing")]
    pub(crate) fn for_wrong_methods(mut self) -> Self {
        self.is_for_wrong_methods = true;
        self
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
            asking: match line.declaration.plan {
                None => Asking::Printed,
                #[cfg(feature = "axum08")]
                Some(plan) if line.is_for_wrong_methods => Asking::Answers(plan.into()),
                Some(plan) => Asking::Plan(plan.into()),
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
