//! The checks that `cargo check` evaluates for each alternative of a `#[one_of]`.

use crate::credential::source::Source;
use crate::plan::node::{Edge, Node};
use crate::syntax::const_str::fail;

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
    if edge.node.subtree.is_broken {
        return;
    }
    let name = edge.node.name();
    if edge.node.has_empty() {
        fail!(
            "`{}` has a variant for a request without a credential, so every request means this alternative; write that variant here instead",
            name
        );
    }
    if edge.node.as_scheme().is_some() && !edge.node.needs_credential() {
        fail!(
            "`{}` has `auto_error = false`, so nothing says whether a request means this alternative; remove that argument, or write the variant without a value",
            name
        );
    }
    if !edge.node.needs_credential() {
        fail!(
            "`{}` requires no scheme, so nothing says whether a request means this alternative; require one without `auto_error = false`, or write the variant without a value",
            name
        );
    }
    if !earlier.is_empty() && is_covered(edge.node, earlier) {
        fail!(
            "`{}` never passes, because an alternative above it takes each request with the same credential; check both kinds in one `#[dependency]`, or move a scheme that takes any `Authorization` header below the others",
            name
        );
    }
}

/// Returns `true` if no request passes a node, because the others take it, unless they are lenient.
/// A function needs the credential of each scheme that it requires, and a list of alternatives that
/// of one.
const fn is_covered(node: &Node, others: &[Edge]) -> bool {
    if let Some(scheme) = node.as_scheme() {
        return !scheme.auto_error || reads(Source::of(scheme.kind), others, true);
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if edge.node.needs_credential() && is_covered(edge.node, others) != node.is_one_of() {
            return !node.is_one_of();
        }
        edges = tail;
    }
    node.is_one_of()
}

/// Returns `true` if one of the nodes requires a scheme that reads this source. `skips_lenient`
/// leaves out those of them that let a wrong credential pass on.
const fn reads(source: Source, edges: &[Edge], skips_lenient: bool) -> bool {
    let mut edges = edges;
    while let [edge, tail @ ..] = edges {
        let node = edge.node;
        let is_read = match node.as_scheme() {
            Some(scheme) => scheme.auto_error && Source::of(scheme.kind).covers(source),
            None => !node.has_empty() && reads(source, node.edges, false),
        };
        if is_read && !(skips_lenient && edge.is_lenient) {
            return true;
        }
        edges = tail;
    }
    false
}
