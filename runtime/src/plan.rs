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
use crate::flow::Flow;
use crate::scheme::SchemeConfig;
use crate::security_scopes::SecurityScopes;

/// A dependency as const data: the scheme that it is, or what it depends on.
#[derive(Debug)]
pub struct Node {
    scheme: Option<SchemeConfig>,
    edges: &'static [Edge],
    asks_scopes: bool,
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
        }
    }

    /// A function and what it depends on; `asks_scopes` when it has [`SecurityScopes`] as a parameter.
    #[must_use]
    pub const fn function(asks_scopes: bool, edges: &'static [Edge]) -> Self {
        let mut asks = asks_scopes;
        let mut index = 0;
        while index < edges.len() {
            asks |= edges[index].node.asks_scopes;
            index += 1;
        }
        Self {
            scheme: None,
            edges,
            asks_scopes: asks,
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
    if let Some(scheme) = &node.scheme {
        check_declared(scheme, scope);
    }
    let mut index = 0;
    while index < node.edges.len() {
        check_scope(node.edges[index].node, scope);
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

/// Holds a guard to be one: a scheme that lets every request through guards nothing.
#[track_caller]
pub const fn check_guard(node: &Node) {
    if let Some(SchemeConfig {
        auto_error: false,
        scheme_name,
        ..
    }) = &node.scheme
    {
        let mut text = const_str::Text::<512>::new();
        text.push("`");
        text.push(scheme_name);
        text.push("` guards nothing, since its `auto_error` is `false`; take it as a parameter, or use a scheme that refuses");
        panic!("{}", text.as_str());
    }
}

#[track_caller]
const fn check_declared(scheme: &SchemeConfig, scope: &str) {
    let flows = &scheme.flows;
    let flows = [
        &flows.implicit,
        &flows.password,
        &flows.client_credentials,
        &flows.authorization_code,
    ];
    let (mut has_flows, mut has_scopes, mut near) = (false, false, None);
    let mut index = 0;
    while index < flows.len() {
        if let Some(Flow { scopes, .. }) = flows[index] {
            has_flows = true;
            let mut index = 0;
            while index < scopes.len() {
                has_scopes = true;
                let declared = scopes[index].name;
                if const_str::eq(declared, scope) {
                    return;
                }
                if near.is_none() && const_str::is_near(declared, scope) {
                    near = Some(declared);
                }
                index += 1;
            }
        }
        index += 1;
    }
    if !has_flows {
        return;
    }
    let mut text = const_str::Text::<512>::new();
    text.push("scope `");
    text.push(scope);
    text.push("` is not declared by `");
    text.push(scheme.scheme_name);
    text.push("`; ");
    match near {
        Some(near) => {
            text.push("did you mean `");
            text.push(near);
            text.push("`?");
        }
        None => {
            text.push(if has_scopes {
                "declare it there: `\""
            } else {
                "declare it: `scopes(\""
            });
            text.push(scope);
            text.push(if has_scopes {
                "\" = \"…\"`"
            } else {
                "\" = \"…\")`"
            });
        }
    }
    panic!("{}", text.as_str());
}

/// The scopes on the way from the root to a node.
struct Path<'p> {
    outer: Option<&'p Self>,
    scopes: &'static [&'static str],
}

impl Path<'_> {
    /// Tells whether a scope stands on the way before the given place.
    const fn has_before(&self, scope: &str, end: usize) -> bool {
        let mut index = 0;
        while index < end {
            if const_str::eq(self.scopes[index], scope) {
                return true;
            }
            index += 1;
        }
        match self.outer {
            Some(outer) => outer.has_before(scope, outer.scopes.len()),
            None => false,
        }
    }
}

/// How much place a plan takes.
#[derive(Clone, Copy, Debug)]
pub struct Size {
    /// The nodes, the root included.
    pub nodes: usize,
    /// The scopes of all nodes.
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
    measure_node(
        root,
        &Path {
            outer: None,
            scopes: &[],
        },
        &mut size,
    );
    size
}

const fn measure_node(node: &Node, path: &Path<'_>, size: &mut Size) {
    size.nodes += 1;
    let before = size.scopes;
    measure_path(path, size);
    if size.scopes > before {
        size.bytes += size.scopes - before - 1;
    }
    let mut index = 0;
    while index < node.edges.len() {
        let edge = &node.edges[index];
        measure_node(
            edge.node,
            &Path {
                outer: Some(path),
                scopes: edge.scopes,
            },
            size,
        );
        index += 1;
    }
}

const fn measure_path(path: &Path<'_>, size: &mut Size) {
    if let Some(outer) = path.outer {
        measure_path(outer, size);
    }
    let mut index = 0;
    while index < path.scopes.len() {
        if !path.has_before(path.scopes[index], index) {
            size.scopes += 1;
            size.bytes += path.scopes[index].len();
        }
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

impl<const NODES: usize, const SCOPES: usize, const BYTES: usize> Layout<NODES, SCOPES, BYTES> {
    /// Lays out the plan of a tree.
    #[must_use]
    pub const fn of(root: &Node) -> Self {
        let mut layout = Self {
            entries: [Entry {
                nodes: 0,
                scopes: (0, 0),
                bytes: (0, 0),
            }; NODES],
            scopes: [""; SCOPES],
            bytes: [0; BYTES],
            used: Size {
                nodes: 0,
                scopes: 0,
                bytes: 0,
            },
        };
        layout.add_node(
            root,
            &Path {
                outer: None,
                scopes: &[],
            },
        );
        layout
    }

    const fn add_node(&mut self, node: &Node, path: &Path<'_>) {
        let at = self.used;
        self.used.nodes += 1;
        self.add_path(path, at.scopes);
        self.entries[at.nodes].scopes = (at.scopes, self.used.scopes);
        self.entries[at.nodes].bytes = (at.bytes, self.used.bytes);
        let mut index = 0;
        while index < node.edges.len() {
            let edge = &node.edges[index];
            self.add_node(
                edge.node,
                &Path {
                    outer: Some(path),
                    scopes: edge.scopes,
                },
            );
            index += 1;
        }
        self.entries[at.nodes].nodes = self.used.nodes - at.nodes;
    }

    const fn add_path(&mut self, path: &Path<'_>, first: usize) {
        if let Some(outer) = path.outer {
            self.add_path(outer, first);
        }
        let mut index = 0;
        while index < path.scopes.len() {
            let scope = path.scopes[index];
            if !path.has_before(scope, index) {
                if self.used.scopes > first {
                    self.add_bytes(b" ");
                }
                self.add_bytes(scope.as_bytes());
                self.scopes[self.used.scopes] = scope;
                self.used.scopes += 1;
            }
            index += 1;
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
            let scope_bytes = self.bytes.split_at(bytes.1).0.split_at(bytes.0).1;
            let Ok(scope_str) = core::str::from_utf8(scope_bytes) else {
                panic!("scopes are text")
            };
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
