//! The challenges of the schemes that a plan requires, with the scopes that it requires of each.

use std::borrow::Cow;

use crate::credential::reason::RejectionReason;
use crate::plan::branch::Branch;
use crate::plan::node::Node;
use crate::plan::required::required;
use crate::refusal::challenge::Challenges;
use crate::refusal::rejection::Rejection;
use crate::scheme::config::SchemeConfig;

/// The challenges at a position in a plan: those of the schemes at or below it.
impl Challenges for Branch {
    fn each(
        &'static self,
        reason: RejectionReason,
        optional: bool,
        add: &mut dyn FnMut(Cow<'static, str>),
    ) {
        let (node, root) = self.nodes();
        each_scheme(node, optional, &mut |scheme| {
            // A complete challenge has the scopes that the whole plan requires.
            let scopes = || required(root, &|reached| reached == scheme);
            scheme.add_challenges(reason, &scopes, add);
        });
    }
}

/// The challenges of the schemes at or below a node, if none of them names scopes.
impl Challenges for Node {
    fn each(
        &'static self,
        reason: RejectionReason,
        optional: bool,
        add: &mut dyn FnMut(Cow<'static, str>),
    ) {
        each_scheme(self, optional, &mut |scheme| scheme.add_challenges(reason, &Vec::new, add));
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

/// Visits a scheme that refuses a request itself, or each scheme below a node whose refusals have a
/// challenge. If `optional` is `true`, it also visits the schemes that a request may do without.
fn each_scheme(node: &'static Node, optional: bool, visit: &mut dyn FnMut(&'static SchemeConfig)) {
    if let Some(scheme) = node.as_scheme() {
        return visit(scheme);
    }
    let is_asked = |scheme: &SchemeConfig| scheme.has_challenge && (scheme.auto_error || optional);
    for node in node.edges.iter().map(|edge| edge.node) {
        if node.as_scheme().is_none_or(is_asked) {
            each_scheme(node, optional, visit);
        }
    }
}
