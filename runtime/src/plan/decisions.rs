//! The dependencies with arguments that a plan requires. Each decides what its arguments say.

use crate::plan::arguments::Arguments;
use crate::plan::node::Node;

/// A dependency with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The name of the dependency and its arguments: `role(Role::Admin)`.
    pub(crate) text: String,
    /// The status of its refusals, if it refuses.
    pub(crate) refuses_with: Option<u16>,
}

/// Returns the decisions of a node that is itself required with these arguments, and of those below
/// it: in the order of the tree, each once.
pub(crate) fn decisions(node: &'static Node, arguments: Option<&Arguments>) -> Vec<Decision> {
    let mut decisions = Vec::new();
    add(node, arguments, &mut decisions);
    decisions
}

fn add(node: &'static Node, arguments: Option<&Arguments>, to: &mut Vec<Decision>) {
    if let Some(arguments) = arguments {
        merge(
            Decision {
                text: format!("{}{}", node.name(), arguments.text()),
                refuses_with: node.refuses_with(),
            },
            to,
        );
    }
    for edge in node.edges() {
        add(edge.node(), edge.arguments(), to);
    }
}

/// Adds a decision, if it is not there yet.
pub(crate) fn merge(decision: Decision, to: &mut Vec<Decision>) {
    if !to.contains(&decision) {
        to.push(decision);
    }
}
