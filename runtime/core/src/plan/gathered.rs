//! The scopes that a dependency sees: those of every edge on the path to it, outermost first,
//! without duplicates.

use crate::scheme::scope::OFFLINE_ACCESS;

/// The scopes on the path from the root of a plan to a node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gathered<'p> {
    /// The scopes of the last edge.
    scopes: &'p [&'static str],
    above: Option<&'p Self>,
}

impl<'p> Gathered<'p> {
    /// Creates a path that starts with these scopes.
    pub(crate) const fn from(scopes: &'p [&'static str]) -> Self {
        Self { scopes, above: None }
    }

    /// Returns the path extended by an edge with these scopes.
    pub(crate) const fn below(&'p self, scopes: &'p [&'static str]) -> Self {
        Self { scopes, above: Some(self) }
    }

    /// Adds the scopes of the path that are not there yet and belong in a challenge.
    pub(super) fn add_to(&self, scopes: &mut Vec<&'static str>) {
        if let Some(above) = self.above {
            above.add_to(scopes);
        }
        for scope in self.scopes {
            if !scopes.contains(scope) && *scope != OFFLINE_ACCESS {
                scopes.push(*scope);
            }
        }
    }

    /// Returns `true` if the scope at `index` of the last edge is new: the edge does not list it
    /// earlier, and no edge above requires it.
    ///
    /// It compares the bytes in place, because the const evaluator runs this for each scope of each
    /// plan, and calls cost it the most.
    #[allow(clippy::arithmetic_side_effects, reason = "it is above zero there")]
    pub(crate) const fn adds(&self, index: usize) -> bool {
        let (_, [scope, ..]) = self.scopes.split_at(index) else {
            return false;
        };
        let scope = scope.as_bytes();
        let (mut path, mut left) = (self, index);
        loop {
            let mut scopes = path.scopes;
            while let [other, rest @ ..] = scopes
                && left > 0
            {
                let (mut a, mut b) = (scope, other.as_bytes());
                while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b)
                    && *first_a == *first_b
                {
                    (a, b) = (rest_a, rest_b);
                }
                if let ([], []) = (a, b) {
                    return false;
                }
                scopes = rest;
                left -= 1;
            }
            let Some(above) = path.above else { return true };
            (path, left) = (above, usize::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_adds_what_is_not_there() {
        let root = Gathered::from(&["a"]);
        let edge = root.below(&["b", "a", "b", "c"]);
        assert_eq!(
            [0, 1, 2, 3, 4].map(|index| edge.adds(index)),
            [true, false, false, true, false]
        );
        let below = edge.below(&["c", "d"]);
        assert_eq!([0, 1].map(|index| below.adds(index)), [false, true]);
    }
}
