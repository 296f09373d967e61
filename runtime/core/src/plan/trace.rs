//! The events that name a node of a plan.

use crate::plan::arguments::Arguments;
use crate::plan::node::Node;
use crate::trace::events;

events! {
    /// The text of the arguments is made only if the event is recorded.
    #[cold]
    ERROR no_layer(node: &Node, arguments: Option<&Arguments>, scopes: &str) {
        dependency = node.name(),
        arguments = arguments.map(|values| values.text(node)),
        scopes,
        "a handler counts on a layer that is not around it; the answer is a 500"
    }
}
