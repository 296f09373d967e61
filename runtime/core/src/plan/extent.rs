//! The size of the tree below a node, and its limit.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time, where an overflow is a compile error"
)]

/// The number of bytes that a unit of a plan provides for joined strings.
pub(super) const UNIT: usize = 16;

/// The size of the tree below a node, including the node. A node counts once for each path that
/// leads to it. A scope counts again where it is required again, although it takes no room there:
/// the compiler compares names only where it lays out a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(super) nodes: usize,
    /// The number of nodes on the longest path down.
    pub(super) depth: usize,
    /// The number of dependencies of which scopes are required, and which see the scopes that are
    /// required above the node. The other ones share the scopes of the node above them.
    heirs: usize,
    /// The number of scopes of all nodes, including inherited ones.
    pub(super) scopes: usize,
    /// The number of bytes in their joined strings.
    pub(super) bytes: usize,
    /// `true` if a node below is already too large, which is reported there.
    pub(super) is_known: bool,
}

impl Extent {
    /// A node without dependencies.
    pub(super) const LEAF: Self =
        Self { nodes: 1, depth: 1, heirs: 0, scopes: 0, bytes: 0, is_known: false };

    /// The largest plan that compiles within seconds with every framework.
    pub(super) const MAX: Self =
        Self { nodes: 1024, depth: 16, scopes: 4096, bytes: 4096 * UNIT, ..Self::LEAF };

    /// Adds the extent of a dependency, of which these scopes are required. An unscoped one sees
    /// none that are required above.
    pub(super) const fn add(&mut self, below: &Self, required: &[&str], is_unscoped: bool) {
        if below.is_too_large() {
            self.is_known = true;
            return;
        }
        let (mut scopes, mut bytes) = (0, 0);
        let mut rest = required;
        while let [scope, tail @ ..] = rest {
            scopes += 1;
            bytes += scope.len() + 1;
            rest = tail;
        }
        // A string has one space less than scopes.
        let own = (scopes > 0) as usize;
        let heirs = below.heirs + own;
        self.nodes += below.nodes;
        self.scopes += below.scopes + heirs * scopes;
        self.bytes += below.bytes + heirs * bytes - own;
        if !is_unscoped {
            self.heirs += heirs;
        }
        if self.depth <= below.depth {
            self.depth = below.depth + 1;
        }
    }

    /// Returns the smallest number of units with enough room.
    pub(super) const fn units(&self) -> usize {
        let mut units = self.nodes;
        if units < self.scopes {
            units = self.scopes;
        }
        let strings = self.bytes.div_ceil(UNIT);
        if units < strings { strings } else { units }
    }

    pub(super) const fn is_too_large(&self) -> bool {
        self.is_known
            || self.nodes > Self::MAX.nodes
            || self.depth > Self::MAX.depth
            || self.scopes > Self::MAX.scopes
            || self.bytes > Self::MAX.bytes
    }
}
