//! The dependencies of a plan that decide more than its schemes say: those with arguments, those
//! that may refuse a credential which is already checked, those without a scheme, and those that
//! say `decides`.

use crate::plan::arguments::{Arguments, Required};
use crate::plan::node::Node;

/// A dependency with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    /// The name of the dependency and its arguments: `role(Admin)`. That of one which says `decides`
    /// follows [`DECIDED_BY`].
    text: String,
    /// The names of the roles of which a caller needs one.
    pub(crate) roles: Vec<String>,
    /// The status of its refusals, if it has arguments and refuses.
    pub(crate) refuses_with: Option<u16>,
    /// `true` if it counts only where the plan reaches no scheme: a parameter without one.
    is_beside_schemes: bool,
}

/// Precedes the name of a dependency that says `decides`.
pub(crate) const DECIDED_BY: &str = "decided by ";

impl Decision {
    /// Returns the name and the arguments.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }
}

/// Returns the names of those decisions that count in a plan, given whether it reaches a scheme.
pub(crate) fn via(decisions: &[Decision], has_scheme: bool) -> impl Iterator<Item = &str> {
    let counting =
        decisions.iter().filter(move |decision| !(decision.is_beside_schemes && has_scheme));
    counting.map(Decision::text)
}

/// Returns the decisions of a node that is itself required with these arguments, and of those below
/// it: in the order of the tree, each once, and those that say `decides` last.
pub(crate) fn decisions(node: &'static Node, arguments: Option<&Arguments>) -> Vec<Decision> {
    let mut decisions = Vec::new();
    if node.is_root() {
        for edge in node.edges {
            add(edge.node, edge.arguments, Some(edge.is_guard), &mut decisions);
        }
    } else {
        add(node, arguments, Some(true), &mut decisions);
    }
    decisions.sort_by_key(|decision| decision.text.starts_with(DECIDED_BY));
    decisions
}

/// Adds the decisions of a node and of those below it. `is_guard` is known of what the plan itself
/// requires.
fn add(
    node: &'static Node,
    arguments: Option<&Arguments>,
    is_guard: Option<bool>,
    to: &mut Vec<Decision>,
) {
    let is_without_scheme = is_guard.is_some() && !node.has_scheme();
    let decides = arguments.is_some() || node.decides() || node.refuses_what_is_checked();
    if decides || is_without_scheme {
        let decision = Decision {
            text: format!(
                "{}{}",
                if node.decides() { DECIDED_BY } else { "" },
                Required(node, arguments)
            ),
            roles: arguments.map(|arguments| arguments.roles(node)).unwrap_or_default(),
            refuses_with: arguments.and_then(|_| node.refuses_with()),
            is_beside_schemes: !decides && is_guard == Some(false),
        };
        merge(decision, to);
    }
    for edge in node.edges {
        add(edge.node, edge.arguments, None, to);
    }
}

/// Adds a decision, if it is not there yet.
pub(crate) fn merge(decision: Decision, to: &mut Vec<Decision>) {
    if !to.contains(&decision) {
        to.push(decision);
    }
}
