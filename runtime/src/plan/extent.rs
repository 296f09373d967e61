//! The size of the tree below a node, and its limit.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "evaluated at compile time, where an overflow is a compile error"
)]

/// The number of bytes that a unit of a plan provides for joined strings.
pub(super) const UNIT: usize = 16;

/// The size of the tree below a node, including the node. A node counts once for each path that
/// leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    pub(super) nodes: usize,
    /// The number of nodes on the longest path down.
    pub(super) depth: usize,
    /// The number of scopes of all nodes. Each node counts the scopes of the nodes above it too.
    pub(super) scopes: usize,
    /// The bytes of the names of these scopes.
    pub(super) bytes: usize,
    /// `true` if a node below is already too large, which is reported there.
    pub(super) is_known: bool,
}

impl Extent {
    /// A node without dependencies.
    pub(super) const LEAF: Self = Self { nodes: 1, depth: 1, scopes: 0, bytes: 0, is_known: false };

    /// The largest plan that compiles within seconds with every framework.
    pub(super) const MAX: Self =
        Self { nodes: 1024, depth: 16, scopes: 4096, bytes: 4096 * UNIT, is_known: false };

    /// Adds the extent of a dependency, of which these scopes are required.
    pub(super) const fn add(&mut self, below: &Self, required: &[&str]) {
        if below.is_too_large() {
            self.is_known = true;
            return;
        }
        let (mut scopes, mut bytes) = (below.scopes, below.bytes);
        let mut rest = required;
        while let [scope, tail @ ..] = rest {
            scopes += below.nodes;
            bytes += below.nodes * (scope.len() + 1);
            rest = tail;
        }
        self.nodes += below.nodes;
        self.scopes += scopes;
        self.bytes += bytes;
        if self.depth <= below.depth {
            self.depth = below.depth + 1;
        }
    }

    pub(super) const fn is_too_large(&self) -> bool {
        self.is_known
            || self.nodes > Self::MAX.nodes
            || self.depth > Self::MAX.depth
            || self.scopes > Self::MAX.scopes
            || self.bytes > Self::MAX.bytes
    }
}
