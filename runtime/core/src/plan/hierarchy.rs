//! Scopes that imply others: `"items:write" implies("items:read") = "Change items."`.

use crate::plan::node::Node;
use crate::scheme::config::SchemeConfig;

/// Adds the scopes that each suffice where `required` is required: itself, and every scope that
/// implies it in a scheme at or below this node that counts.
pub(super) fn add_sufficient(
    node: &Node,
    required: &'static str,
    counts: &dyn Fn(&SchemeConfig) -> bool,
    to: &mut Vec<&'static str>,
) {
    let start = to.len();
    to.push(required);
    // Each round adds the scopes that imply one of those before. A cycle adds nothing.
    let mut next = start;
    while let Some(implied) = to.get(next).copied() {
        add_implying(node, implied, counts, start, to);
        next = next.saturating_add(1);
    }
}

/// Adds the scopes that imply one, unless they are there behind `start`.
fn add_implying(
    node: &Node,
    implied: &str,
    counts: &dyn Fn(&SchemeConfig) -> bool,
    start: usize,
    to: &mut Vec<&'static str>,
) {
    if let Some(scheme) = node.as_scheme().filter(|scheme| counts(scheme)) {
        scheme.add_implying(implied, start, to);
    }
    for edge in node.edges {
        add_implying(edge.node, implied, counts, start, to);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credential::bearer_token::BearerToken;
    use crate::plan::node::Edge;
    use crate::scheme::config::SchemeConfig;
    use crate::scheme::flow::{Flow, Flows};
    use crate::scheme::scope::Scope;

    fn scheme(scopes: &'static [Scope]) -> Node {
        let flows = Flows::new().with_implicit(Flow::new().with_scopes(scopes));
        let config = SchemeConfig::new::<BearerToken>("").with_flows(flows);
        Node::scheme::<BearerToken>(Box::leak(Box::new(config)))
    }

    #[test]
    fn every_scheme_below_counts_and_a_cycle_ends() {
        static FIRST: &[Scope] = &[
            Scope::new("a", "").with_implied(&["b"]),
            Scope::new("b", "").with_implied(&["c", "a"]),
        ];
        static SECOND: &[Scope] = &[Scope::new("d", "").with_implied(&["c"])];
        let schemes = [scheme(FIRST), scheme(SECOND)].map(|node| &*Box::leak(Box::new(node)));
        let edges = schemes.map(|node| Edge::new(node, &[])).to_vec();
        let node = Node::root(edges.leak());
        let sufficient = |node: &Node, scope| {
            let mut sufficient = vec!["c"];
            add_sufficient(node, scope, &|_| true, &mut sufficient);
            sufficient.split_off(1)
        };
        assert_eq!(sufficient(&node, "c"), ["c", "b", "d", "a"]);
        assert_eq!(sufficient(&node, "a"), ["a", "b"]);
        assert_eq!(sufficient(&node, "d"), ["d"]);
        assert_eq!(sufficient(schemes[1], "c"), ["c", "d"]);

        let first = schemes[0].as_scheme().unwrap();
        let grants = |granted: &[&str], scope| first.grants(granted, scope);
        assert!(grants(&["a"], "a") && grants(&["a"], "b") && grants(&["x", "a"], "c"));
        assert!(grants(&["b"], "a") && grants(&["undeclared"], "undeclared"));
        assert!(!grants(&["c"], "a") && !grants(&[], "a") && !grants(&["d"], "c"));
    }
}
