//! A place in a plan, which a dependency gets at run time.

use super::security_scopes::SecurityScopes;

/// A node of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row {
    pub(super) nodes: usize,
    pub(super) scopes: SecurityScopes,
}

/// A place in a plan: a node and all that stands below it.
#[derive(Clone, Copy, Debug)]
pub struct Cursor(&'static [Row]);

impl Cursor {
    /// The root of a plan.
    pub(super) const fn root(rows: &'static [Row]) -> Self {
        Self(rows)
    }

    /// The scopes that are required on the way here.
    #[must_use]
    pub const fn scopes(self) -> SecurityScopes {
        match self.0 {
            [row, ..] => row.scopes,
            [] => SecurityScopes::NONE,
        }
    }

    /// The place of what the node depends on, by its number.
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
            left -= 1;
        }
        Self(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_that_is_not_there_has_no_scopes() {
        let nowhere = Cursor::root(&[]).child(3);
        assert_eq!(nowhere.scopes(), SecurityScopes::NONE);
        assert_eq!(nowhere.child(0).scopes(), SecurityScopes::NONE);
    }
}
