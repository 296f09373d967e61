//! The challenges of the schemes that a plan requires, with the scopes that it requires of each.

use std::borrow::Cow;

use super::cursor::Row;
use super::node::Node;
use super::required::required;
use crate::scheme::bearer_challenge::BearerCode;
use crate::scheme::challenge::{Challenge, Challenges};
use crate::scheme::reason::RejectionReason;
use crate::scheme::rejection::Rejection;

/// The challenges at a position in a plan: that of a scheme, or those of all alternatives.
impl Challenges for Row {
    fn each(&'static self, code: Option<BearerCode>, add: &mut dyn FnMut(Cow<'static, str>)) {
        if let Some(place) = self.scopes.place {
            let (node, root) = place.nodes();
            node.add_challenges(Some(root), code, add);
        }
    }
}

/// The challenges of all alternatives, if none of their schemes names scopes.
impl Challenges for Node {
    fn each(&'static self, code: Option<BearerCode>, add: &mut dyn FnMut(Cow<'static, str>)) {
        self.add_challenges(None, code, add);
    }
}

impl Node {
    /// Refuses every request until the service has set the values of each scheme at or below this
    /// node.
    pub(crate) fn require_settings(&self) -> Result<(), Rejection> {
        if let Some(scheme) = self.scheme {
            scheme.require_settings()?;
        }
        let mut edges = self.edges.iter();
        edges.try_for_each(|edge| edge.node.require_settings())
    }

    fn add_challenges(
        &'static self,
        root: Option<&'static Self>,
        code: Option<BearerCode>,
        add: &mut dyn FnMut(Cow<'static, str>),
    ) {
        let Some(scheme) = self.scheme else {
            for edge in self.edges {
                edge.node.add_challenges(root, code, add);
            }
            return;
        };
        if !scheme.auto_error {
            return;
        }
        match (
            scheme.rejection_of(RejectionReason::Missing).challenges(),
            root,
        ) {
            (Challenge::Of { .. }, Some(root)) => {
                let scopes = required(root, &|reached| reached == scheme);
                add(scheme.challenge(&scopes, code).into());
            }
            (challenge, _) => challenge.each(add),
        }
    }
}
