//! The plan of a handler: the whole tree of its dependencies as one static table, laid out at compile time.
//!
//! Three readers share it: the request, which finds the scopes of each dependency there; the compiler, which holds them against
//! those that the schemes declare; and the API description.

#![allow(
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "everything here but `Cursor` is evaluated at compile time, where a panic is a compile error"
)]

use crate::bearer_error::is_scope_token;
use crate::const_str;
use crate::credential::Yield;
use crate::scheme::SchemeConfig;
use crate::security_scopes::SecurityScopes;

/// A dependency as const data: the scheme that it is, or what it depends on.
#[derive(Debug)]
pub struct Node {
    scheme: Option<SchemeConfig>,
    edges: &'static [Edge],
    asks_scopes: bool,
    refuses: bool,
}

/// What a node depends on, and the scopes that it requires of it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    node: &'static Node,
    scopes: &'static [&'static str],
}

impl Edge {
    /// Requires these scopes of a dependency.
    #[must_use]
    pub const fn new(node: &'static Node, scopes: &'static [&'static str]) -> Self {
        Self { node, scopes }
    }
}

impl Node {
    /// A scheme that yields `Y`, the leaf of every chain.
    #[must_use]
    pub const fn scheme<Y: Yield>(mut config: SchemeConfig) -> Self {
        // What the type says is what happens, whatever a configuration written by hand says.
        config.auto_error = Y::AUTO_ERROR;
        Self {
            scheme: Some(config),
            edges: &[],
            asks_scopes: false,
            refuses: Y::AUTO_ERROR,
        }
    }

    /// A function and what it depends on; `asks_scopes` when it has [`SecurityScopes`] as a parameter, `can_fail` when it
    /// returns a `Result`.
    #[must_use]
    pub const fn function(asks_scopes: bool, can_fail: bool, edges: &'static [Edge]) -> Self {
        let (mut asks_scopes, mut refuses) = (asks_scopes, can_fail);
        let mut index = 0;
        while index < edges.len() {
            asks_scopes |= edges[index].node.asks_scopes;
            refuses |= edges[index].node.refuses;
            index += 1;
        }
        Self {
            scheme: None,
            edges,
            asks_scopes,
            refuses,
        }
    }

    /// Tells whether it or something below it asks for [`SecurityScopes`].
    pub(crate) const fn asks_scopes(&self) -> bool {
        self.asks_scopes
    }
}

/// Holds a scope that is required of a dependency to the grammar, and to what each scheme below the dependency declares.
#[track_caller]
pub const fn check_scope(node: &Node, scope: &str) {
    check_scope_token(scope);
    check_declared_below(node, scope);
}

#[track_caller]
const fn check_declared_below(node: &Node, scope: &str) {
    if let Some(scheme) = &node.scheme
        && !scheme.flows.is_empty()
        && !scheme.flows.declares(scope)
    {
        panic!("{}", undeclared(scheme, scope).as_str());
    }
    let mut index = 0;
    while index < node.edges.len() {
        check_declared_below(node.edges[index].node, scope);
        index += 1;
    }
}

/// Holds a scope to the grammar, so that it can stand in a challenge.
#[track_caller]
pub const fn check_scope_token(scope: &str) {
    assert!(
        is_scope_token(scope),
        "a scope is visible ASCII without spaces, `\"` and `\\` (RFC 6749, 3.3); require each scope on its own"
    );
}

/// Holds a guard to be one: what lets every request through guards nothing.
#[track_caller]
pub const fn check_guard(node: &Node) {
    assert!(
        node.refuses,
        "this guards nothing, since it refuses no request: a guard is a scheme without `auto_error = false`, or a dependency \
         that returns a `Result` or has such a one below it"
    );
}

/// What to say of a scope that a scheme does not declare.
const fn undeclared(scheme: &SchemeConfig, scope: &str) -> const_str::Text<512> {
    let mut text = const_str::Text::new();
    text.push("scope `");
    text.push(scope);
    text.push("` is not declared by `");
    text.push(scheme.scheme_name);
    match scheme.flows.nearest(scope) {
        Some(near) => {
            text.push("`; did you mean `");
            text.push(near);
            text.push("`?");
        }
        None => {
            text.push("`; declare it: `scopes(\"");
            text.push(scope);
            text.push("\" = \"…\")`");
        }
    }
    text
}

/// The scopes on the way from the root to a node, each once.
struct Way {
    scopes: [Option<&'static str>; Self::MAX],
    len: usize,
}

impl Way {
    /// More scopes than any service has in one chain.
    const MAX: usize = 256;

    const fn new() -> Self {
        Self {
            scopes: [None; Self::MAX],
            len: 0,
        }
    }

    const fn get(&self, number: usize) -> &'static str {
        match self.scopes[number] {
            Some(scope) => scope,
            None => "",
        }
    }

    /// Goes along an edge, and returns where to go back to.
    const fn enter(&mut self, edge: &Edge) -> usize {
        let before = self.len;
        let mut index = 0;
        while index < edge.scopes.len() {
            let scope = edge.scopes[index];
            if !self.has(scope) {
                assert!(
                    self.len < Self::MAX,
                    "a chain of dependencies requires 256 scopes at most"
                );
                self.scopes[self.len] = Some(scope);
                self.len += 1;
            }
            index += 1;
        }
        before
    }

    const fn has(&self, scope: &str) -> bool {
        let mut index = 0;
        while index < self.len {
            if const_str::eq(self.get(index), scope) {
                return true;
            }
            index += 1;
        }
        false
    }
}

/// How much place a plan takes.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The nodes, the root included.
    pub nodes: usize,
    /// The scopes of all nodes. A node that adds none shares those of the node above.
    pub scopes: usize,
    /// The bytes of their joined strings.
    pub bytes: usize,
}

/// Measures the plan of a tree.
#[must_use]
pub const fn measure(root: &Node) -> Size {
    let mut size = Size {
        nodes: 0,
        scopes: 0,
        bytes: 0,
    };
    measure_node(root, &mut Way::new(), &mut size);
    size
}

const fn measure_node(node: &Node, way: &mut Way, size: &mut Size) {
    size.nodes += 1;
    let mut index = 0;
    while index < node.edges.len() {
        let edge = &node.edges[index];
        let before = way.enter(edge);
        if way.len > before {
            size.scopes += way.len;
            size.bytes += way.len - 1;
            let mut index = 0;
            while index < way.len {
                size.bytes += way.get(index).len();
                index += 1;
            }
        }
        measure_node(edge.node, way, size);
        way.len = before;
        index += 1;
    }
}

/// A plan in places of its size: for each node, in the order of the tree, where its scopes stand.
#[derive(Debug)]
pub struct Layout<const NODES: usize, const SCOPES: usize, const BYTES: usize> {
    entries: [Entry; NODES],
    scopes: [&'static str; SCOPES],
    bytes: [u8; BYTES],
    used: Size,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    /// How many nodes its subtree has, itself included.
    nodes: usize,
    scopes: (usize, usize),
    bytes: (usize, usize),
}

impl Entry {
    const EMPTY: Self = Self {
        nodes: 0,
        scopes: (0, 0),
        bytes: (0, 0),
    };
}

impl<const NODES: usize, const SCOPES: usize, const BYTES: usize> Layout<NODES, SCOPES, BYTES> {
    /// Lays out the plan of a tree.
    #[must_use]
    pub const fn of(root: &Node) -> Self {
        let mut layout = Self {
            entries: [Entry::EMPTY; NODES],
            scopes: [""; SCOPES],
            bytes: [0; BYTES],
            used: Size {
                nodes: 0,
                scopes: 0,
                bytes: 0,
            },
        };
        layout.add_node(root, Entry::EMPTY, &mut Way::new());
        layout
    }

    const fn add_node(&mut self, node: &Node, mut entry: Entry, way: &mut Way) {
        let number = self.used.nodes;
        self.used.nodes += 1;
        let mut index = 0;
        while index < node.edges.len() {
            let edge = &node.edges[index];
            let before = way.enter(edge);
            let below = if way.len > before {
                self.add_scopes(way)
            } else {
                entry
            };
            self.add_node(edge.node, below, way);
            way.len = before;
            index += 1;
        }
        entry.nodes = self.used.nodes - number;
        self.entries[number] = entry;
    }

    const fn add_scopes(&mut self, way: &Way) -> Entry {
        let Size { scopes, bytes, .. } = self.used;
        let mut index = 0;
        while index < way.len {
            if index > 0 {
                self.add_bytes(b" ");
            }
            self.add_bytes(way.get(index).as_bytes());
            self.scopes[self.used.scopes] = way.get(index);
            self.used.scopes += 1;
            index += 1;
        }
        Entry {
            nodes: 0,
            scopes: (scopes, self.used.scopes),
            bytes: (bytes, self.used.bytes),
        }
    }

    const fn add_bytes(&mut self, bytes: &[u8]) {
        let (_, free) = self.bytes.split_at_mut(self.used.bytes);
        let (place, _) = free.split_at_mut(bytes.len());
        place.copy_from_slice(bytes);
        self.used.bytes += bytes.len();
    }

    /// The plan's table.
    #[must_use]
    pub const fn steps(&'static self) -> [Step; NODES] {
        let Ok(text) = core::str::from_utf8(&self.bytes) else {
            panic!("scopes are text")
        };
        let mut steps = [Step {
            nodes: 0,
            scopes: SecurityScopes::NONE,
        }; NODES];
        let mut index = 0;
        while index < NODES {
            let Entry {
                nodes,
                scopes,
                bytes,
            } = self.entries[index];
            let scope_str = text.split_at(bytes.1).0.split_at(bytes.0).1;
            let scopes = self.scopes.split_at(scopes.1).0.split_at(scopes.0).1;
            steps[index] = Step {
                nodes,
                scopes: SecurityScopes { scopes, scope_str },
            };
            index += 1;
        }
        steps
    }
}

/// A node of a plan.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    nodes: usize,
    scopes: SecurityScopes,
}

/// A place in a plan: a node and all that stands below it.
#[derive(Clone, Copy, Debug)]
pub struct Cursor(&'static [Step]);

impl Cursor {
    /// The root of a plan.
    #[must_use]
    pub const fn root(steps: &'static [Step]) -> Self {
        Self(steps)
    }

    /// The scopes that are required on the way here.
    #[must_use]
    pub const fn scopes(self) -> SecurityScopes {
        match self.0 {
            [step, ..] => step.scopes,
            [] => SecurityScopes::NONE,
        }
    }

    /// The place of what the node depends on, by its number.
    #[must_use]
    pub const fn child(self, number: usize) -> Self {
        let mut rest = match self.0 {
            [_, below @ ..] => below,
            [] => &[],
        };
        let mut left = number;
        while let [step, ..] = rest
            && left > 0
        {
            rest = match rest.split_at_checked(step.nodes) {
                Some((_, next)) => next,
                None => &[],
            };
            left -= 1;
        }
        Self(rest)
    }
}
