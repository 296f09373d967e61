//! Checks whether a request has the credentials of the schemes at or below a node.

use crate::credential::request_head::RequestHead;
use crate::credential::same_site::is_cross_site;
use crate::credential::source::Source;
use crate::credential::websocket;
use crate::plan::node::Node;
use crate::scheme::config::SchemeConfig;

/// Returns `true` if a request has the credential of a scheme, well-formed or not.
fn has<H: RequestHead + ?Sized>(scheme: &SchemeConfig, head: &H) -> bool {
    Source::of(scheme.kind).is_present(head)
        || scheme.websocket && websocket::is_present(head)
        || scheme.dpop && Source::Authorization("dpop").is_present(head)
}

impl Node {
    /// Returns `true` if a request has the credential of a scheme that this node requires. A scheme
    /// that may be absent is not required, and neither is a list of alternatives with an empty one.
    pub(crate) fn is_present<H: RequestHead + ?Sized>(&self, head: &H) -> bool {
        match self.as_scheme() {
            Some(scheme) => scheme.auto_error && has(scheme, head),
            None => !self.has_empty() && self.edges.iter().any(|edge| edge.node.is_present(head)),
        }
    }

    /// Returns `true` if a scheme at or below this node refuses a request because another site may
    /// have caused it.
    pub(crate) fn is_cross_site<H: RequestHead + ?Sized>(&self, head: &H) -> bool {
        match self.as_scheme() {
            Some(scheme) => scheme.refuses_cross_site() && is_cross_site(head),
            None => self.edges.iter().any(|edge| edge.node.is_cross_site(head)),
        }
    }

    /// Returns `true` if a scheme at or below this node reads the `Authorization` header.
    pub(crate) fn reads_authorization(&self) -> bool {
        match self.as_scheme() {
            Some(scheme) => !matches!(Source::of(scheme.kind), Source::ApiKey(_)),
            None => self.edges.iter().any(|edge| edge.node.reads_authorization()),
        }
    }

    /// Returns whether a request has the credential of a scheme at or below this node, even of one
    /// that may be absent. Returns `None` if there is no such scheme.
    #[cfg(feature = "axum08")]
    pub(crate) fn has_credential<H: RequestHead + ?Sized>(&self, head: &H) -> Option<bool> {
        match self.as_scheme() {
            Some(scheme) => Some(has(scheme, head)),
            None => {
                let below = self.edges.iter();
                below.filter_map(|edge| edge.node.has_credential(head)).max()
            }
        }
    }
}
