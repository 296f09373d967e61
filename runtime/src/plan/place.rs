//! The place of a dependency in its plan: what is below it, and the whole tree above.

use super::node::Node;
use super::required::required;
use crate::opaque::Opaque;
use crate::scheme::config::SchemeConfig;

/// The place of a node in its plan.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    node: Opaque<Node>,
    root: Opaque<Node>,
}

impl Place {
    /// Returns the place of a node, unless nobody would look at it: no scheme at or below the node
    /// has a hierarchy or a protection space.
    pub(super) const fn of(node: &'static Node, root: &'static Node) -> Option<Self> {
        if !node.has_hierarchy && !node.has_space {
            return None;
        }
        Some(Self {
            node: Opaque::new(node),
            root: Opaque::new(root),
        })
    }

    /// Returns the scopes that each suffice where `scope` is required, if there is a hierarchy:
    /// `scope` itself, and every scope that implies it in one of the schemes at or below the node.
    pub(super) fn sufficient(self, scope: &'static str) -> Vec<&'static str> {
        let (node, mut sufficient) = (self.node.get(), Vec::new());
        if node.has_hierarchy {
            node.add_sufficient(scope, &|_| true, &mut sufficient);
        }
        sufficient
    }

    /// Returns the scheme at or below the node that declares a protection space. If there are
    /// several, they declare the same one.
    pub(crate) fn scheme(self) -> Option<&'static SchemeConfig> {
        self.node.get().scheme_with_space()
    }

    /// Returns the node, and the root of the plan.
    pub(super) fn nodes(self) -> (&'static Node, &'static Node) {
        (self.node.get(), self.root.get())
    }

    /// Returns the scopes that the plan requires on all ways to the schemes at or below the node.
    pub(crate) fn required(self) -> Vec<&'static str> {
        let node = self.node.get();
        required(self.root.get(), &|scheme| node.has_scheme(scheme))
    }
}

impl Node {
    fn scheme_with_space(&'static self) -> Option<&'static SchemeConfig> {
        match self.scheme {
            Some(scheme) => Some(scheme).filter(|_| self.has_space),
            None => self
                .edges
                .iter()
                .find_map(|edge| edge.node.scheme_with_space()),
        }
    }

    fn has_scheme(&self, scheme: &SchemeConfig) -> bool {
        match self.scheme {
            Some(own) => own == scheme,
            None => self.edges.iter().any(|edge| edge.node.has_scheme(scheme)),
        }
    }
}
