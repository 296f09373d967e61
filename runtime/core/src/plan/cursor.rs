//! A position in a plan, which a dependency receives at run time.

use crate::plan::arguments::Arguments;
use crate::plan::security_scopes::SecurityScopes;
use crate::refusal::challenge::Challenges;

/// A node of a plan, as a row of its table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) nodes: usize,
    pub(super) scopes: SecurityScopes,
    /// The arguments with which the dependency is required.
    pub(super) arguments: Option<&'static Arguments>,
    /// `true` if the dependency runs here even if its value is cached.
    pub(super) is_fresh: bool,
}

/// A position in a plan: a node and everything below it.
#[derive(Clone, Copy, Debug)]
pub struct Cursor(&'static [Row]);

impl Cursor {
    /// A position outside of any plan.
    #[cfg(any(test, feature = "live"))]
    pub(crate) const NOWHERE: Self = Self(&[]);

    /// Returns the root of a plan.
    pub(super) const fn root(rows: &'static [Row]) -> Self {
        Self(rows)
    }

    /// Returns the scopes that are required on the path to this position.
    #[must_use]
    pub const fn scopes(self) -> SecurityScopes {
        match self.0 {
            [row, ..] => row.scopes,
            [] => SecurityScopes::NONE,
        }
    }

    /// Returns the arguments with which the dependency is required at this position.
    pub(crate) const fn arguments(self) -> Option<&'static Arguments> {
        match self.0 {
            [row, ..] => row.arguments,
            [] => None,
        }
    }

    /// Returns the values of these arguments, or `None` if their types are not those of `A`.
    pub(crate) fn values<A: 'static>(self) -> Option<A> {
        self.arguments()?.values()
    }

    /// Returns the challenges at this position, if a scheme there names the scopes that the plan
    /// requires.
    pub(crate) fn challenges(self) -> Option<&'static dyn Challenges> {
        match self.0 {
            [row, ..] => row.scopes.branch.as_ref().map(|branch| branch as _),
            [] => None,
        }
    }

    /// Returns `true` if the dependency runs here even if its value is cached.
    #[must_use]
    pub(crate) const fn is_fresh(self) -> bool {
        matches!(self.0, [row, ..] if row.is_fresh)
    }

    /// Returns the position of the node's dependency with this number.
    #[must_use]
    pub const fn child(self, number: usize) -> Self {
        let mut rest = match self.0 {
            [_, below @ ..] => below,
            [] => &[],
        };
        let mut left = number;
        while let [row, ..] = rest
            && left > 0
        {
            rest = match rest.split_at_checked(row.nodes) {
                Some((_, next)) => next,
                None => &[],
            };
            left = left.saturating_sub(1);
        }
        Self(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_there_has_no_scopes() {
        let nowhere = Cursor::NOWHERE.child(3);
        assert_eq!(nowhere.scopes(), SecurityScopes::NONE);
        assert_eq!(nowhere.child(0).scopes(), SecurityScopes::NONE);
    }
}
