//! The challenges of the schemes that a plan requires, with the scopes that it requires of each.

use std::borrow::Cow;

use crate::credential::reason::RejectionReason;
use crate::plan::cursor::Row;
use crate::plan::node::Node;
use crate::plan::required::required;
use crate::refusal::bearer_challenge::BearerCode;
use crate::refusal::challenge::{Challenge, Challenges};
use crate::refusal::rejection::Rejection;
use crate::scheme::config::SchemeConfig;

/// The challenges at a position in a plan: those of the schemes at or below it.
impl Challenges for Row {
    fn each(
        &'static self,
        code: Option<BearerCode>,
        optional: bool,
        add: &mut dyn FnMut(Cow<'static, str>),
    ) {
        if let Some(branch) = self.scopes.branch {
            let (node, root) = branch.nodes();
            each_scheme(node, optional, &mut |scheme| {
                match scheme.challenge_of(RejectionReason::Missing) {
                    // A complete challenge has the scopes that the whole plan requires.
                    Challenge::Of { .. } => {
                        let scopes = required(root, &|reached| reached == scheme);
                        add(scheme.challenge(&scopes, code).into());
                    }
                    _ => add_challenges(scheme, add),
                }
            });
        }
    }
}

/// The challenges of the schemes at or below a node, if none of them names scopes.
impl Challenges for Node {
    fn each(
        &'static self,
        _: Option<BearerCode>,
        optional: bool,
        add: &mut dyn FnMut(Cow<'static, str>),
    ) {
        each_scheme(self, optional, &mut |scheme| add_challenges(scheme, add));
    }
}

/// Adds the challenges that a scheme has outside of a plan.
fn add_challenges(scheme: &'static SchemeConfig, add: &mut dyn FnMut(Cow<'static, str>)) {
    scheme.challenge_of(RejectionReason::Missing).each(add);
    for line in scheme.further_challenges_of(RejectionReason::Missing) {
        add(line.into());
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

/// Visits each scheme at or below a node, with those that a request may do without if `optional` is
/// `true`.
fn each_scheme(node: &'static Node, optional: bool, visit: &mut dyn FnMut(&'static SchemeConfig)) {
    match node.as_scheme() {
        Some(scheme) if scheme.auto_error || optional => visit(scheme),
        Some(_) => {}
        None => node.edges.iter().for_each(|edge| each_scheme(edge.node, optional, visit)),
    }
}
