//! Which alternative a request means.

use super::node::Node;
use crate::scheme::request_head::RequestHead;
use crate::scheme::source::Source;

impl Node {
    /// Returns `true` if a request has the credential of a scheme that this node requires. A scheme
    /// that may be absent is not required, and neither is a list of alternatives with an empty one.
    pub(crate) fn is_present<H: RequestHead + ?Sized>(&self, head: &H) -> bool {
        match self.scheme {
            Some(scheme) => scheme.auto_error && Source::of(scheme).is_present(head),
            None => !self.has_empty && self.edges.iter().any(|edge| edge.node.is_present(head)),
        }
    }
}
