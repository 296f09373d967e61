//! Which alternative a request means, and the challenges if it means none.

use super::node::Node;
use super::required::required;
use crate::scheme::challenge::{Challenge, Tree};
use crate::scheme::config::SchemeConfig;
use crate::scheme::reason::RejectionReason;
use crate::scheme::request_head::RequestHead;
use crate::scheme::source::Source;

impl Node {
    /// Returns `true` if a request has the credential of a scheme that this node requires. A scheme
    /// that may be absent is not required, and neither is a list of alternatives with an empty one.
    pub(crate) fn is_present<H: RequestHead + ?Sized>(&self, head: &H) -> bool {
        match &self.scheme {
            Some(scheme) => scheme.auto_error && Source::of(scheme).is_present(head),
            None => !self.has_empty && self.edges.iter().any(|edge| edge.node.is_present(head)),
        }
    }
}

impl Tree for Node {
    fn challenges(&'static self, root: Option<&'static dyn Tree>, add: &mut dyn FnMut(Challenge)) {
        match &self.scheme {
            Some(scheme) if scheme.auto_error => {
                let rejection = scheme.rejection_of(RejectionReason::Missing);
                add(rejection.required_in(root).challenges());
            }
            Some(_) => {}
            None => {
                for edge in self.edges {
                    edge.node.challenges(root, add);
                }
            }
        }
    }

    fn required_of(&'static self, scheme: &SchemeConfig) -> Vec<&'static str> {
        required(self, &|reached| reached == scheme)
    }
}
