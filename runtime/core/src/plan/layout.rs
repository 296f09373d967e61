//! Lays out the tree of dependencies as one table, in the order of the tree.
//!
//! Take this handler, where `active_user` depends on `current_user`, which depends on `OAuth2` and
//! takes `SecurityScopes`:
//!
//! ```text
//! #[secured(throttle)]
//! async fn own_items(#[security(active_user, scopes("items"))] user: User) { … }
//!
//! fn active_user(#[security(current_user, scopes("me"))] user: User) { … }
//! fn current_user(#[security(OAuth2)] token: BearerToken, scopes: SecurityScopes) { … }
//! ```
//!
//! Its table is shown below. The scopes of a row are those of the edges on the path to it. A row
//! whose edge adds no scopes shares the slices of its parent row. `nodes` is the size of the
//! subtree: a cursor finds a child by skipping the subtrees of the children before it.
//!
//! | row | node | `nodes` | `scopes` | `scope_str` |
//! |--:|---|--:|---|---|
//! | 0 | `own_items` | 5 | `[]` | `""` |
//! | 1 | – `throttle` | 1 | `[]`, of row 0 | `""` |
//! | 2 | – `active_user` | 3 | `["items"]` | `"items"` |
//! | 3 | – – `current_user` | 2 | `["items", "me"]` | `"items me"` |
//! | 4 | – – – `OAuth2` | 1 | `["items", "me"]`, of row 3 | `"items me"` |
//!
//! The const evaluator runs the code below once per handler, and calls dominate its cost. So the
//! code takes slices apart with patterns and copies bytes one by one.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "evaluated at compile time, where a panic is a compile error"
)]

use crate::plan::arguments::Arguments;
use crate::plan::branch::Branch;
use crate::plan::cursor::Row;
use crate::plan::extent::UNIT;
use crate::plan::gathered::Gathered;
use crate::plan::node::{Edge, Node, extent_above};
use crate::plan::security_scopes::SecurityScopes;

/// The room that is used.
struct Size {
    nodes: usize,
    scopes: usize,
    bytes: usize,
}

/// Returns the number of units that the plan of a tree takes. `edges` are those of the root.
pub(super) const fn measure(edges: &[Edge]) -> usize {
    let extent = extent_above(edges);
    // A node drops the edges of a tree that is too large, and their scopes with them.
    assert!(!extent.is_too_large(), "a plan that is too large has no layout");
    extent.units()
}

/// A plan with room for `UNITS` nodes, `UNITS` scopes, and 16 times as many bytes of joined
/// strings.
pub(super) struct Layout<const UNITS: usize> {
    nodes: [NodeLayout; UNITS],
    scopes: [&'static str; UNITS],
    bytes: [[u8; UNIT]; UNITS],
}

/// A node. Nodes are in the order of the tree.
#[derive(Clone, Copy)]
struct NodeLayout {
    /// The number of nodes in its subtree, including itself.
    nodes: usize,
    scopes: ScopeRange,
    branch: Option<Branch>,
    arguments: Option<&'static Arguments>,
    is_fresh: bool,
}

/// The scopes of a node, as ranges in the layout. Nodes below share them if they add no scopes.
#[derive(Clone, Copy)]
struct ScopeRange {
    /// The first node that has these scopes.
    owner: usize,
    /// The start and end of the scopes.
    scopes: (usize, usize),
    /// The start and end of their joined string.
    bytes: (usize, usize),
}

impl ScopeRange {
    const EMPTY: Self = Self { owner: 0, scopes: (0, 0), bytes: (0, 0) };
}

impl<const UNITS: usize> Layout<UNITS> {
    /// Lays out the plan of a tree. `edges` are those of the root. The root itself is given if a
    /// branch has to know the whole tree.
    pub(super) const fn of(edges: &[Edge], root: Option<&'static Node>) -> Self {
        let node = NodeLayout {
            nodes: 0,
            scopes: ScopeRange::EMPTY,
            branch: None,
            arguments: None,
            is_fresh: false,
        };
        let mut layout =
            Self { nodes: [node; UNITS], scopes: [""; UNITS], bytes: [[0; UNIT]; UNITS] };
        let mut used = Size { nodes: 0, scopes: 0, bytes: 0 };
        let path = Gathered::from(&[]);
        layout.add_node(root, edges, &path, ScopeRange::EMPTY, &mut used);
        layout
    }

    const fn add_node(
        &mut self,
        root: Option<&'static Node>,
        mut edges: &[Edge],
        path: &Gathered<'_>,
        own: ScopeRange,
        used: &mut Size,
    ) {
        let number = used.nodes;
        used.nodes += 1;
        while let [edge, tail @ ..] = edges {
            let (path, own) = if edge.is_unscoped {
                (Gathered::from(edge.scopes), ScopeRange::EMPTY)
            } else {
                (path.below(edge.scopes), own)
            };
            let mut below = own;
            let mut index = 0;
            let mut scopes = edge.scopes;
            while let [scope, tail @ ..] = scopes {
                if path.adds(index) {
                    if below.owner != used.nodes {
                        below = self.copied(own, used);
                    }
                    self.add_scope(&mut below, scope, used);
                }
                index += 1;
                scopes = tail;
            }
            let child = &mut self.nodes[used.nodes];
            child.is_fresh = edge.is_fresh;
            child.arguments = edge.arguments;
            if let Some(root) = root {
                child.branch = Branch::of(edge.node, root);
            }
            self.add_node(root, edge.node.edges, &path, below, used);
            edges = tail;
        }
        self.nodes[number].nodes = used.nodes - number;
        self.nodes[number].scopes = own;
    }

    /// Copies the scopes of a node, for the next node to add to the copy.
    const fn copied(&mut self, range: ScopeRange, used: &mut Size) -> ScopeRange {
        let mut copy = ScopeRange {
            owner: used.nodes,
            scopes: (used.scopes, used.scopes),
            bytes: (used.bytes, used.bytes),
        };
        let (mut index, end) = range.scopes;
        while index < end {
            self.add_scope(&mut copy, self.scopes[index], used);
            index += 1;
        }
        copy
    }

    /// Appends a scope to the last range.
    const fn add_scope(&mut self, range: &mut ScopeRange, scope: &'static str, used: &mut Size) {
        if range.scopes.1 > range.scopes.0 {
            self.bytes[used.bytes / UNIT][used.bytes % UNIT] = b' ';
            used.bytes += 1;
        }
        let mut bytes = scope.as_bytes();
        while let [byte, tail @ ..] = bytes {
            self.bytes[used.bytes / UNIT][used.bytes % UNIT] = *byte;
            used.bytes += 1;
            bytes = tail;
        }
        self.scopes[used.scopes] = scope;
        used.scopes += 1;
        (range.scopes.1, range.bytes.1) = (used.scopes, used.bytes);
    }

    /// Returns the plan's table. Unused rows follow the root's subtree, where no cursor looks.
    pub(super) const fn rows(&'static self) -> [Row; UNITS] {
        let (mut scopes, mut bytes) = (self.scopes.as_slice(), self.bytes.as_flattened());
        let mut rows =
            [Row { nodes: 0, scopes: SecurityScopes::NONE, arguments: None, is_fresh: false };
                UNITS];
        let mut index = 0;
        while index < self.nodes[0].nodes {
            let NodeLayout { nodes, scopes: range, branch, arguments, is_fresh } =
                self.nodes[index];
            rows[index].nodes = nodes;
            rows[index].is_fresh = is_fresh;
            rows[index].arguments = arguments;
            // Ranges are in the order of their owners.
            if range.owner < index {
                rows[index].scopes = rows[range.owner].scopes;
            } else if range.scopes.1 > range.scopes.0 {
                let (own, rest) = scopes.split_at(range.scopes.1 - range.scopes.0);
                let (joined, rest_of_bytes) = bytes.split_at(range.bytes.1 - range.bytes.0);
                let Ok(joined) = core::str::from_utf8(joined) else { panic!("scopes are text") };
                rows[index].scopes.scopes = own;
                rows[index].scopes.scope_str = joined;
                (scopes, bytes) = (rest, rest_of_bytes);
            }
            rows[index].scopes.branch = branch;
            index += 1;
        }
        rows
    }
}
