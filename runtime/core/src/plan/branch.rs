//! The branch of a plan at which a dependency is: what is below it, and the whole tree.

use crate::plan::hierarchy::add_sufficient;
use crate::plan::node::Node;
use crate::plan::required::required;
use crate::scheme::config::SchemeConfig;
use crate::syntax::opaque::Opaque;

/// A node in its plan.
#[derive(Clone, Copy)]
pub(crate) struct Branch {
    node: Opaque<Node>,
    root: Opaque<Node>,
}

impl Branch {
    /// Returns the branch of a node, or `None` if it would be of no use, because no scheme
    /// at or below the node has a hierarchy or a protection space.
    pub(super) const fn of(node: &'static Node, root: &'static Node) -> Option<Self> {
        if !Self::is_known(node) {
            return None;
        }
        Some(Self { node: Opaque::new(node), root: Opaque::new(root) })
    }

    /// Returns `true` if a scheme at or below the node has a hierarchy or a protection space.
    pub(super) const fn is_known(node: &Node) -> bool {
        node.subtree.has_hierarchy || node.subtree.has_space
    }

    /// Returns the scopes that each suffice where `scope` is required, if there is a hierarchy:
    /// `scope` itself, and every scope that implies it in one of the schemes at or below the node.
    pub(super) fn sufficient(self, scope: &'static str) -> Vec<&'static str> {
        let (node, mut sufficient) = (self.node.get(), Vec::new());
        if node.subtree.has_hierarchy {
            add_sufficient(node, scope, &|_| true, &mut sufficient);
        }
        sufficient
    }

    /// Returns the scheme at or below the node that declares a protection space. If there are
    /// several, they declare the same one.
    pub(crate) fn scheme(self) -> Option<&'static SchemeConfig> {
        scheme_with_space(self.node.get())
    }

    /// Returns the node, and the root of the plan.
    pub(super) fn nodes(self) -> (&'static Node, &'static Node) {
        (self.node.get(), self.root.get())
    }

    /// Returns the scopes that the plan requires on all ways to the schemes at or below the node.
    pub(crate) fn required(self) -> Vec<&'static str> {
        let node = self.node.get();
        required(self.root.get(), &|scheme| has_scheme(node, scheme))
    }
}

/// Returns the first scheme at or below a node that declares a protection space.
pub(super) const fn scheme_with_space(node: &Node) -> Option<&SchemeConfig> {
    if !node.subtree.has_space {
        return None;
    }
    if let Some(scheme) = node.as_scheme() {
        return Some(scheme);
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if let Some(scheme) = scheme_with_space(edge.node) {
            return Some(scheme);
        }
        edges = tail;
    }
    None
}

fn has_scheme(node: &Node, scheme: &SchemeConfig) -> bool {
    match node.as_scheme() {
        Some(own) => own == scheme,
        None => node.edges.iter().any(|edge| has_scheme(edge.node, scheme)),
    }
}
