//! A list of alternatives, which generated code describes before it becomes a node.

use crate::plan::node::edge::Edge;
use crate::plan::node::{Node, NodeKind};

/// A list of alternatives.
#[derive(Clone, Copy, Debug)]
pub struct OneOf {
    pub(super) name: &'static str,
    /// `true` if one of the alternatives needs no credential.
    has_empty: bool,
    /// `true` if a request with an `Authorization` header means an alternative that reads it.
    is_strict: bool,
    /// `true` if it answers with an error type of the service.
    has_own_error: bool,
}

impl OneOf {
    /// Creates a list with this name. `has_empty` is `true` if one of its alternatives needs no
    /// credential.
    #[must_use]
    pub const fn new(name: &'static str, has_empty: bool) -> Self {
        Self { name, has_empty, is_strict: false, has_own_error: false }
    }

    /// Marks this list as one in which a request with an `Authorization` header means an
    /// alternative that reads it.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        self.is_strict = true;
        self
    }

    /// Marks this list as one that answers with an error type of the service.
    #[must_use]
    pub const fn answers_with_own_error(mut self) -> Self {
        self.has_own_error = true;
        self
    }

    /// Returns the node of this list, given its alternatives.
    #[must_use]
    pub const fn node(self, alternatives: &'static [Edge]) -> Node {
        let mut node = Node::above(NodeKind::OneOf(self), alternatives);
        node.subtree.refuses = !self.has_empty;
        node.subtree.needs_credential &= !self.has_empty;
        let (mut is_checked, mut is_unchecked) = (false, false);
        let mut rest = alternatives;
        while let [edge, tail @ ..] = rest {
            node.subtree.verifies &= edge.node.subtree.verifies;
            is_checked |= !edge.is_unscoped && edge.node.subtree.checks_scopes;
            is_unchecked |= !edge.is_unscoped && !edge.node.subtree.checks_scopes;
            rest = tail;
        }
        node.subtree.checks_scopes = is_checked && !is_unchecked;
        node
    }

    const fn refuses_absent(&self) -> bool {
        !self.has_empty || self.is_strict
    }
}

impl Node {
    /// Returns `true` if this node is a list of alternatives.
    pub(crate) const fn is_one_of(&self) -> bool {
        matches!(self.kind, NodeKind::OneOf(_))
    }

    /// Returns `true` if this node is a list of alternatives, one of which needs no credential.
    pub(crate) const fn has_empty(&self) -> bool {
        matches!(self.kind, NodeKind::OneOf(OneOf { has_empty: true, .. }))
    }

    /// Returns `true` if this node is a list of alternatives that refuses a request without the
    /// credential of one.
    #[cfg(feature = "openapi")]
    pub(crate) const fn refuses_absent(&self) -> bool {
        matches!(&self.kind, NodeKind::OneOf(list) if list.refuses_absent())
    }

    /// Returns `true` if this list of alternatives refuses requests in another format than a scheme
    /// below it.
    pub(in crate::plan) const fn lacks_own_error(&self) -> bool {
        match &self.kind {
            NodeKind::OneOf(list) => {
                !list.has_own_error && list.refuses_absent() && self.subtree.has_own_error
            }
            _ => false,
        }
    }
}
