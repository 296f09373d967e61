//! Scopes that imply others: `"items:write" implies("items:read") = "Change items."`.

use super::node::Node;

/// Returns the scopes that each suffice where `required` is required: itself, and every scope that
/// implies it in one of the schemes at or below a node.
pub(crate) fn sufficient(node: &Node, required: &'static str) -> Vec<&'static str> {
    let mut sufficient = vec![required];
    // Each round adds the scopes that imply one of those before. A cycle adds nothing.
    let mut next = 0;
    while let Some(implied) = sufficient.get(next).copied() {
        add_implying(node, implied, &mut sufficient);
        next = next.saturating_add(1);
    }
    sufficient
}

fn add_implying(node: &Node, implied: &str, to: &mut Vec<&'static str>) {
    let flows = node.as_scheme().map(|scheme| scheme.flows.all());
    for scope in flows
        .into_iter()
        .flatten()
        .flatten()
        .flat_map(|flow| flow.scopes)
    {
        if scope.implies.contains(&implied) && !to.contains(&scope.name) {
            to.push(scope.name);
        }
    }
    for edge in node.edges() {
        add_implying(edge.node(), implied, to);
    }
}
