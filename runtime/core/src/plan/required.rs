//! The scopes that a plan requires of a scheme, for the challenges of the scheme.

use crate::plan::gathered::Gathered;
use crate::plan::hierarchy::add_sufficient;
use crate::plan::node::Node;
use crate::scheme::config::SchemeConfig;

/// Returns the scopes that a tree requires on all ways to the schemes that declare a protection
/// space and that `is_meant` selects: in the order of the tree, each once. A scope that another one
/// implies is left out.
pub(super) fn required(
    root: &'static Node,
    is_meant: &dyn Fn(&SchemeConfig) -> bool,
) -> Vec<&'static str> {
    // One allocation: the room for the scopes, and for the scopes that suffice for one of them.
    let mut scopes = Vec::with_capacity(room(root));
    add(root, &Gathered::from(&[]), is_meant, &mut scopes);
    if root.subtree.has_hierarchy {
        leave_out_implied(root, is_meant, &mut scopes);
    }
    scopes
}

/// Returns the number of scopes that a tree requires, plus the ones its schemes declare if some
/// imply others.
fn room(node: &Node) -> usize {
    let declared = node.as_scheme().into_iter().filter(|_| node.subtree.has_hierarchy);
    let declared = declared.map(|scheme| scheme.declared_scopes().iter().count());
    let edges = node.edges.iter();
    let required = edges.map(|edge| edge.scopes.len().saturating_add(room(edge.node)));
    declared.chain(required).fold(1, usize::saturating_add)
}

fn add(
    node: &'static Node,
    path: &Gathered<'_>,
    is_meant: &dyn Fn(&SchemeConfig) -> bool,
    to: &mut Vec<&'static str>,
) {
    if !node.subtree.has_space {
        return;
    }
    if node.as_scheme().is_some_and(is_meant) {
        path.add_to(to);
    }
    for edge in node.edges {
        if edge.is_unscoped {
            add(edge.node, &Gathered::from(edge.scopes), is_meant, to);
        } else {
            add(edge.node, &path.below(edge.scopes), is_meant, to);
        }
    }
}

/// Removes scopes that another scope implies. Only selected schemes count, because the function
/// that checks the scopes is above them. Of two that imply each other, the first stays.
fn leave_out_implied(
    root: &Node,
    is_meant: &dyn Fn(&SchemeConfig) -> bool,
    scopes: &mut Vec<&'static str>,
) {
    for index in (0..scopes.len()).rev() {
        let end = scopes.len();
        let Some(scope) = scopes.get(index).copied() else {
            continue;
        };
        add_sufficient(root, scope, is_meant, scopes);
        let (required, sufficient) = scopes.split_at(end);
        let mut others = required.iter().enumerate().filter(|(other, _)| *other != index);
        let is_implied = others.any(|(_, other)| sufficient.contains(other));
        scopes.truncate(end);
        if is_implied {
            scopes.remove(index);
        }
    }
}
