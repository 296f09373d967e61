//! The challenges of the schemes that a plan requires, with the scopes that it requires of each.

use std::borrow::Cow;

use crate::credential::reason::RejectionReason;
use crate::plan::cursor::Row;
use crate::plan::node::Node;
use crate::plan::required::required;
use crate::refusal::bearer_challenge::BearerCode;
use crate::refusal::challenge::{Challenge, Challenges};
use crate::refusal::rejection::Rejection;

/// The challenges at a position in a plan: those of all schemes at or below it, also of those that
/// a request may do without.
impl Challenges for Row {
    fn each(&'static self, code: Option<BearerCode>, add: &mut dyn FnMut(Cow<'static, str>)) {
        if let Some(branch) = self.scopes.branch {
            let (node, root) = branch.nodes();
            add_challenges(node, Some(root), code, add);
        }
    }
}

/// The challenges of all schemes at or below a node, if none of them names scopes.
impl Challenges for Node {
    fn each(&'static self, code: Option<BearerCode>, add: &mut dyn FnMut(Cow<'static, str>)) {
        add_challenges(self, None, code, add);
    }
}

/// Refuses every request until the service has set the values of each scheme at or below a node.
pub(crate) fn require_settings(node: &Node) -> Result<(), Rejection> {
    if let Some(scheme) = node.as_scheme() {
        scheme.require_settings()?;
    }
    let mut edges = node.edges.iter();
    edges.try_for_each(|edge| require_settings(edge.node))
}

/// Adds the challenges at or below a node. Within a plan, a complete challenge has the scopes that
/// the whole plan requires.
fn add_challenges(
    node: &'static Node,
    root: Option<&'static Node>,
    code: Option<BearerCode>,
    add: &mut dyn FnMut(Cow<'static, str>),
) {
    let Some(scheme) = node.as_scheme() else {
        for edge in node.edges {
            add_challenges(edge.node, root, code, add);
        }
        return;
    };
    match (scheme.challenge_of(RejectionReason::Missing), root) {
        (Challenge::Of { .. }, Some(root)) => {
            let scopes = required(root, &|reached| reached == scheme);
            add(scheme.challenge(&scopes, code).into());
        }
        (challenge, _) => challenge.each(add),
    }
}
