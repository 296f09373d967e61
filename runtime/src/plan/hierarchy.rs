//! Scopes that imply others: `"items:write" implies("items:read") = "Change items."`.

use core::panic::{RefUnwindSafe, UnwindSafe};

use super::node::Node;

/// The hierarchies of the schemes at or below a node.
///
/// It is a trait object in [`SecurityScopes`](crate::SecurityScopes), because the compiler proves
/// for each dependency that its values are `Send`. It would look through the whole node each time.
pub(super) trait Hierarchy: Send + Sync + UnwindSafe + RefUnwindSafe {
    /// Returns the scopes that each suffice where `required` is required: itself, and every scope
    /// that implies it in one of the schemes.
    fn sufficient(&self, required: &'static str) -> Vec<&'static str>;
}

impl Hierarchy for Node {
    fn sufficient(&self, required: &'static str) -> Vec<&'static str> {
        let mut sufficient = vec![required];
        // Each round adds the scopes that imply one of those before. A cycle adds nothing.
        let mut next = 0;
        while let Some(implied) = sufficient.get(next).copied() {
            add_implying(self, implied, &mut sufficient);
            next = next.saturating_add(1);
        }
        sufficient
    }
}

fn add_implying(node: &Node, implied: &str, to: &mut Vec<&'static str>) {
    let scopes = node.as_scheme().map(|scheme| scheme.scopes().iter());
    for scope in scopes.into_iter().flatten() {
        if scope.implies.contains(&implied) && !to.contains(&scope.name) {
            to.push(scope.name);
        }
    }
    for edge in node.edges {
        add_implying(edge.node, implied, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::node::Edge;
    use crate::{BearerToken, Flow, Flows, SchemeConfig, Scope};

    fn scheme(scopes: &'static [Scope]) -> Node {
        let flows = Flows::NONE.implicit(Flow::EMPTY.scopes(scopes));
        Node::scheme::<BearerToken>(SchemeConfig::new::<BearerToken>("").flows(flows))
    }

    #[test]
    fn every_scheme_below_counts_and_a_cycle_ends() {
        static FIRST: &[Scope] = &[
            Scope::new("a", "").implies(&["b"]),
            Scope::new("b", "").implies(&["c", "a"]),
        ];
        static SECOND: &[Scope] = &[Scope::new("d", "").implies(&["c"])];
        let schemes = [scheme(FIRST), scheme(SECOND)].map(|node| &*Box::leak(Box::new(node)));
        let edges = schemes.map(|node| Edge::new(node, &[])).to_vec();
        let node = Node::function("", edges.leak());
        assert_eq!(node.sufficient("c"), ["c", "b", "d", "a"]);
        assert_eq!(node.sufficient("a"), ["a", "b"]);
        assert_eq!(node.sufficient("d"), ["d"]);
        assert_eq!(schemes[1].sufficient("c"), ["c", "d"]);
    }
}
