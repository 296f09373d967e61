//! The checks that `cargo check` evaluates for each alternative of a `#[one_of]`.

#![allow(
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "evaluated at compile time, where a panic is a compile error"
)]

use super::node::{Edge, Node};
use crate::const_str;
use crate::scheme::source::Source;

/// Checks an alternative: it requires a scheme, and no earlier alternative takes all its requests.
/// `number` is its number among those of `node`.
///
/// An alternative with a mistake below it, or in a tree that is too large, is not known.
#[track_caller]
pub const fn check_alternative(node: &Node, number: usize) {
    if node.extent.is_too_large() {
        return;
    }
    let (earlier, rest) = node.edges.split_at(number);
    let [edge, ..] = rest else { return };
    if edge.node.is_broken {
        return;
    }
    let mut text = const_str::Message::<512>::new();
    text.push("`");
    text.push(edge.node.name);
    if edge.node.has_empty {
        text.push("` has a variant for a request without a credential, so every request means this alternative; write that variant here instead");
    } else if edge.node.scheme.is_some() && !edge.node.requires_scheme() {
        text.push("` has `auto_error = false`, so nothing says whether a request means this alternative; remove that argument, or write the variant without a value");
    } else if !edge.node.requires_scheme() {
        text.push("` requires no scheme, so nothing says whether a request means this alternative; require one without `auto_error = false`, or write the variant without a value");
    } else if !earlier.is_empty() && is_covered(edge.node, earlier) {
        text.push("` never passes, because an alternative above it takes each request with the same credential; check both kinds in one `#[dependency]`, or move a scheme that takes any `Authorization` header below the others");
    } else {
        return;
    }
    panic!("{}", text.as_str());
}

/// Returns `true` if no request passes a node, because the others take it. A function needs the
/// credential of each scheme that it requires, and a list of alternatives that of one.
const fn is_covered(node: &Node, others: &[Edge]) -> bool {
    if let Some(scheme) = node.scheme {
        return !scheme.auto_error || reads(Source::of(scheme), others);
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if edge.node.requires_scheme() && is_covered(edge.node, others) != node.is_one_of {
            return !node.is_one_of;
        }
        edges = tail;
    }
    node.is_one_of
}

/// Returns `true` if one of the nodes requires a scheme that reads this source.
const fn reads(source: Source, edges: &[Edge]) -> bool {
    let mut edges = edges;
    while let [edge, tail @ ..] = edges {
        let node = edge.node;
        let is_read = match node.scheme {
            Some(scheme) => scheme.auto_error && Source::of(scheme).covers(source),
            None => !node.has_empty && reads(source, node.edges),
        };
        if is_read {
            return true;
        }
        edges = tail;
    }
    false
}

impl Node {
    /// Returns `true` if this node requires a scheme.
    const fn requires_scheme(&self) -> bool {
        if let Some(scheme) = self.scheme {
            return scheme.auto_error;
        }
        let mut edges = self.edges;
        while let [edge, tail @ ..] = edges {
            if edge.node.requires_scheme() {
                return !self.has_empty;
            }
            edges = tail;
        }
        false
    }
}
