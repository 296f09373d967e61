//! A dependency as const data.

mod edge;
mod function;
mod one_of;
mod request;
mod scheme;

pub use self::edge::Edge;
pub use self::function::Function;
pub use self::one_of::OneOf;
use self::scheme::SchemeNode;
use crate::plan::extent::Extent;
use crate::plan::subtree::Subtree;

/// A dependency as const data, or the root of a plan.
#[derive(Debug)]
pub struct Node {
    kind: NodeKind,
    pub(crate) edges: &'static [Edge],
    pub(super) subtree: Subtree,
    pub(super) extent: Extent,
}

#[derive(Debug)]
enum NodeKind {
    /// A handler, a layer or a plan, which has no name and which nothing depends on.
    Root,
    Scheme(SchemeNode),
    Function(Function),
    OneOf(OneOf),
}

impl Node {
    /// Creates the root of a plan.
    #[must_use]
    pub const fn root(edges: &'static [Edge]) -> Self {
        Self::above(NodeKind::Root, edges)
    }

    /// Creates a node above others.
    ///
    /// If a scheme is below it, only edges with a scheme count as refusing, because a rate limit
    /// next to an optional login makes no guard of a function above both.
    const fn above(kind: NodeKind, edges: &'static [Edge]) -> Self {
        let mut subtree = Subtree::NOTHING;
        let mut refuses = false;
        let mut rest = edges;
        while let [edge, tail @ ..] = rest {
            let below = edge.node.subtree;
            subtree = subtree.or(below);
            refuses |= below.refuses && (below.has_scheme || below.is_broken);
            rest = tail;
        }
        subtree.verifies = is_verified_below(edges);
        if subtree.has_scheme {
            subtree.refuses = refuses;
        }
        let extent = extent_above(edges);
        Self { kind, edges: if extent.is_too_large() { &[] } else { edges }, subtree, extent }
    }

    /// Returns `true` if this function itself, or a node below it, can refuse a credential.
    pub(super) const fn can_verify(&self) -> bool {
        self.builds_errors() || is_verified_below(self.edges)
    }

    /// Returns the name of the scheme, the function or the list; none at the root of a plan.
    pub(crate) const fn name(&self) -> &'static str {
        match &self.kind {
            NodeKind::Root => "",
            NodeKind::Scheme(scheme) => scheme.config.scheme_name,
            NodeKind::Function(function) => function.name,
            NodeKind::OneOf(list) => list.name,
        }
    }

    /// Returns `true` if this node itself takes [`SecurityScopes`](crate::SecurityScopes), or is a
    /// scheme that checks them.
    pub(super) const fn is_asker(&self) -> bool {
        match &self.kind {
            NodeKind::Function(function) => function.is_asker,
            NodeKind::Scheme(scheme) => scheme.verifies,
            NodeKind::Root | NodeKind::OneOf(_) => false,
        }
    }

    /// Returns `true` if no request passes this node without a credential of a scheme. The value of
    /// such a node declares the handlers that extract it.
    #[must_use]
    pub const fn needs_credential(&self) -> bool {
        self.subtree.needs_credential
    }

    /// Returns `true` if this is the root of a plan.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn is_root(&self) -> bool {
        matches!(self.kind, NodeKind::Root)
    }

    /// Returns `true` if a scheme is at or below this node.
    pub(crate) const fn has_scheme(&self) -> bool {
        self.subtree.has_scheme
    }

    /// Returns `true` if two nodes are the same, or cannot be told apart. The address of a constant
    /// does not say it.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
            || self.name() == other.name()
                && self.as_scheme() == other.as_scheme()
                && self.edges.len() == other.edges.len()
                && self
                    .edges
                    .iter()
                    .zip(other.edges)
                    .all(|(edge, other)| edge.node.is_like(other.node))
    }

    /// Returns `true` if this node or one below it takes [`SecurityScopes`](crate::SecurityScopes).
    pub(crate) const fn has_scopes(&self) -> bool {
        self.subtree.asks_scopes
    }

    /// Returns `true` if the node's value depends only on the `Authorization` header, and so is the
    /// same for the whole request.
    pub(crate) const fn is_of_request(&self) -> bool {
        !self.subtree.extracts
    }
}

/// Returns `true` if a node with these edges checks the credential without which no request passes:
/// an optional login does not check the key that is needed next to it.
const fn is_verified_below(edges: &[Edge]) -> bool {
    let (mut needs_credential, mut is_needed_verified, mut is_verified) = (false, false, false);
    let mut rest = edges;
    while let [edge, tail @ ..] = rest {
        let below = edge.node.subtree;
        needs_credential |= below.needs_credential;
        is_needed_verified |= below.needs_credential && below.verifies;
        is_verified |= below.refuses && below.verifies;
        rest = tail;
    }
    if needs_credential { is_needed_verified } else { is_verified }
}

/// Returns the extent of a node with these edges.
pub(super) const fn extent_above(edges: &[Edge]) -> Extent {
    let mut extent = Extent::LEAF;
    let mut rest = edges;
    while let [edge, tail @ ..] = rest {
        extent.add(&edge.node.extent, edge.scopes, edge.is_unscoped);
        rest = tail;
    }
    extent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_scopes_is_known_above_it() {
        static ASKS: Node = Function::new("").asks_scopes().node(&[]);
        assert!(ASKS.has_scopes() && !Function::new("").node(&[]).has_scopes());
        let above = Function::new("").node(vec![Edge::new(&ASKS, &[])].leak());
        assert!(above.has_scopes());
    }
}
