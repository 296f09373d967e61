//! A dependency of a node, and how the node requires it.

use crate::plan::arguments::Arguments;
use crate::plan::node::Node;

/// A dependency of a node, and the scopes that the node requires of it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub(crate) node: &'static Node,
    pub(crate) scopes: &'static [&'static str],
    pub(crate) arguments: Option<&'static Arguments>,
    pub(crate) is_fresh: bool,
    /// `true` if the scopes that are required above do not hold for the dependency.
    pub(crate) is_unscoped: bool,
    /// `true` if a wrong credential of this alternative counts as none.
    pub(crate) is_lenient: bool,
    /// `true` if the node is required only to refuse requests.
    pub(crate) is_guard: bool,
}

impl Edge {
    /// Creates an edge that requires these scopes of a dependency.
    #[must_use]
    pub const fn new(node: &'static Node, scopes: &'static [&'static str]) -> Self {
        Self {
            node,
            scopes,
            arguments: None,
            is_fresh: false,
            is_unscoped: false,
            is_lenient: false,
            is_guard: false,
        }
    }

    /// Returns this edge with the arguments of the dependency.
    #[must_use]
    pub const fn with(mut self, arguments: &'static Arguments) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// Returns this edge to a dependency that is required only to refuse requests.
    #[must_use]
    pub const fn guard(mut self) -> Self {
        self.is_guard = true;
        self
    }

    /// Returns this edge to an alternative whose wrong credential counts as none.
    #[must_use]
    pub const fn lenient(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    /// Returns this edge to a dependency for which the scopes that are required above do not hold.
    #[must_use]
    pub const fn unscoped(mut self) -> Self {
        self.is_unscoped = true;
        self
    }

    /// Returns this edge with a dependency that runs even if its value is cached.
    #[must_use]
    pub const fn fresh(mut self) -> Self {
        self.is_fresh = true;
        self
    }
}
