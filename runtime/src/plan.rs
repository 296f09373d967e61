//! The plan of a handler: the whole tree of its dependencies as one static table, laid out at compile time.
//!
//! Three readers share it: the request, which finds the scopes of each dependency there; the compiler, which holds them against
//! those that the schemes declare; and the API description.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "everything here but `Cursor` is evaluated at compile time, where a panic is a compile error"
)]

use core::marker::PhantomData;

use crate::bearer_error::is_scope_token;
use crate::const_str;
use crate::credential::Yield;
use crate::scheme::SchemeConfig;
use crate::security_scopes::SecurityScopes;

/// A dependency as const data: a scheme, or a function and its own dependencies.
#[derive(Debug)]
pub struct Node {
    /// The function's name; empty at the root of a plan.
    name: &'static str,
    scheme: Option<SchemeConfig>,
    edges: &'static [Edge],
    /// Whether this node or one below it takes [`SecurityScopes`].
    asks_scopes: bool,
    /// Whether this node or one below it can refuse a request.
    refuses: bool,
    /// Whether this node or one below it reads more of a request than credentials.
    extracts: bool,
    output: OutputKind,
    extent: Extent,
}

/// A dependency of a node, and the scopes that it requires of it.
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

    #[cfg(feature = "openapi")]
    pub(crate) const fn node(&self) -> &'static Node {
        self.node
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn scopes(&self) -> &'static [&'static str] {
        self.scopes
    }
}

/// The kind of a dependency's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutputKind {
    /// A value like any other.
    Value,
    /// A `Result`, whose error a guard would drop.
    Result,
}

impl Node {
    /// A scheme that yields `Y`, the leaf of every chain.
    #[must_use]
    pub const fn scheme<Y: Yield>(mut config: SchemeConfig) -> Self {
        // The type decides, whatever a configuration written by hand says.
        config.auto_error = Y::AUTO_ERROR;
        Self {
            name: config.scheme_name,
            scheme: Some(config),
            edges: &[],
            asks_scopes: false,
            refuses: Y::AUTO_ERROR,
            extracts: false,
            output: OutputKind::Value,
            extent: Extent::LEAF,
        }
    }

    /// A function of this name, and its dependencies.
    #[must_use]
    pub const fn function(name: &'static str, edges: &'static [Edge]) -> Self {
        let mut node = Self {
            name,
            scheme: None,
            edges,
            asks_scopes: false,
            refuses: false,
            extracts: false,
            output: OutputKind::Value,
            extent: Extent::LEAF,
        };
        let mut rest = edges;
        while let [edge, tail @ ..] = rest {
            node.asks_scopes |= edge.node.asks_scopes;
            node.refuses |= edge.node.refuses;
            node.extracts |= edge.node.extracts;
            node.extent = node.extent.with(edge);
            rest = tail;
        }
        if node.extent.is_too_large() {
            node.edges = &[];
        }
        node
    }

    /// This function, with [`SecurityScopes`] as a parameter.
    #[must_use]
    pub const fn asks_scopes(mut self) -> Self {
        self.asks_scopes = true;
        self
    }

    /// This function, with an extractor of the framework as a parameter.
    #[must_use]
    pub const fn extracts(mut self) -> Self {
        self.extracts = true;
        self
    }

    /// This function, which returns a `Result`.
    #[must_use]
    pub const fn fails(mut self) -> Self {
        self.refuses = true;
        self
    }

    /// This function, with this kind of value.
    #[must_use]
    pub const fn yields(mut self, output: OutputKind) -> Self {
        self.output = output;
        self
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn as_scheme(&self) -> Option<&SchemeConfig> {
        self.scheme.as_ref()
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn edges(&self) -> &'static [Edge] {
        self.edges
    }

    #[cfg(feature = "tracing")]
    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns `true` if this node or one below it takes [`SecurityScopes`].
    pub(crate) const fn has_scopes(&self) -> bool {
        self.asks_scopes
    }

    /// Returns `true` if the node's value depends on credentials alone, so that it is the same for the whole request.
    pub(crate) const fn is_of_request(&self) -> bool {
        !self.extracts
    }
}

/// How much there is below a node, counted once for each way that leads there, the node itself included.
#[derive(Clone, Copy, Debug)]
struct Extent {
    nodes: usize,
    /// The nodes on the longest way down.
    depth: usize,
    /// The scopes of all nodes, and the bytes of their names, each with those of the nodes above it.
    scopes: usize,
    bytes: usize,
    /// Whether a node below is too large already, and has an error of its own.
    is_known: bool,
}

impl Extent {
    const LEAF: Self = Self {
        nodes: 1,
        depth: 1,
        scopes: 0,
        bytes: 0,
        is_known: false,
    };

    /// The largest plan that compiles with every framework, within seconds.
    const MAX: Self = Self {
        nodes: 1024,
        depth: 16,
        scopes: 4096,
        bytes: 4096 * UNIT,
        is_known: false,
    };

    /// This extent, with that of a dependency.
    const fn with(mut self, edge: &Edge) -> Self {
        let below = &edge.node.extent;
        if below.is_too_large() {
            self.is_known = true;
            return self;
        }
        let (mut scopes, mut bytes) = (below.scopes, below.bytes);
        let mut rest = edge.scopes;
        while let [scope, tail @ ..] = rest {
            scopes += below.nodes;
            bytes += below.nodes * (scope.len() + 1);
            rest = tail;
        }
        self.nodes += below.nodes;
        self.scopes += scopes;
        self.bytes += bytes;
        if self.depth <= below.depth {
            self.depth = below.depth + 1;
        }
        self
    }

    const fn is_too_large(&self) -> bool {
        self.is_known
            || self.nodes > Self::MAX.nodes
            || self.depth > Self::MAX.depth
            || self.scopes > Self::MAX.scopes
            || self.bytes > Self::MAX.bytes
    }
}

/// Checks that a tree is small enough to compile.
#[track_caller]
pub const fn check_size(node: &Node) {
    let Extent {
        nodes,
        depth,
        scopes,
        is_known,
        ..
    } = node.extent;
    if is_known || !node.extent.is_too_large() {
        return;
    }
    let max = Extent::MAX;
    let mut text = const_str::Text::<512>::new();
    if nodes > max.nodes || depth > max.depth {
        text.push("this has ");
        text.push_number(nodes - 1);
        text.push(" dependencies, in chains of up to ");
        text.push_number(depth - 1);
        text.push(", counted once for each way that leads to one; at most ");
        text.push_number(max.nodes - 1);
        text.push(" compile, in chains of ");
        text.push_number(max.depth - 1);
        text.push("; depend on a function once, and pass its value on");
    } else {
        text.push("the dependencies of this require ");
        text.push_number(scopes);
        text.push(" scopes, each with those above it; at most ");
        text.push_number(max.scopes);
        text.push(" compile, in ");
        text.push_number(max.bytes);
        text.push(" bytes; require fewer");
    }
    panic!("{}", text.as_str());
}

/// Checks a scope that is required of a dependency: its grammar, and that each scheme below the dependency declares it.
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
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        check_declared_below(edge.node, scope);
        edges = tail;
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

/// Checks that a dependency can be a guard, which is there for its refusal alone.
#[track_caller]
pub const fn check_guard(node: &Node) {
    let mut text = const_str::Text::<512>::new();
    text.push("`");
    text.push(node.name);
    if let OutputKind::Result = node.output {
        text.push("` yields a `Result` inside its own, and a guard would ignore the inner one; return a single `Result`");
    } else if node.refuses {
        return;
    } else if node.scheme.is_some() {
        text.push("` cannot be a guard, because `auto_error = false` lets every request through; remove that, or require a dependency that returns a `Result`");
    } else {
        text.push("` cannot be a guard, because it returns no `Result`; return one, or run it for its effect as a parameter: `#[security(");
        text.push(node.name);
        text.push(")] _value: …`");
    }
    panic!("{}", text.as_str());
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

/// The way from the root to a node, edge by edge.
///
/// What follows is evaluated for every handler, by an interpreter to which a call costs more than anything else: so slices are
/// taken apart by patterns, and bytes are copied one by one.
struct Way<'w> {
    scopes: &'static [&'static str],
    above: Option<&'w Self>,
}

impl Way<'_> {
    const ROOT: Way<'static> = Way {
        scopes: &[],
        above: None,
    };

    const fn has(&self, scope: &str) -> bool {
        let mut way = self;
        loop {
            if contains(way.scopes, scope) {
                return true;
            }
            let Some(above) = way.above else { return false };
            way = above;
        }
    }
}

const fn contains(scopes: &[&str], scope: &str) -> bool {
    let mut rest = scopes;
    while let [first, tail @ ..] = rest {
        if const_str::eq(first, scope) {
            return true;
        }
        rest = tail;
    }
    false
}

/// How much room a plan takes.
#[derive(Clone, Copy)]
struct Size {
    /// The nodes, the root included.
    nodes: usize,
    /// The scopes of all nodes. A node that adds none shares those of the node above.
    scopes: usize,
    /// The bytes of their joined strings.
    bytes: usize,
}

impl Size {
    const NONE: Self = Self {
        nodes: 0,
        scopes: 0,
        bytes: 0,
    };

    /// The least number of units that have the room.
    const fn units(self) -> usize {
        let mut units = self.nodes;
        if units < self.scopes {
            units = self.scopes;
        }
        let strings = self.bytes.div_ceil(UNIT);
        if units < strings { strings } else { units }
    }
}

/// The bytes of joined strings for which a unit of a plan has room.
const UNIT: usize = 16;

/// Returns how many units the plan of a tree takes.
const fn measure(root: &Node) -> usize {
    // What is too large has lost its dependencies, and their scopes with them.
    assert!(
        !root.extent.is_too_large(),
        "a plan that is too large has no layout"
    );
    let mut size = Size::NONE;
    measure_node(root, &Way::ROOT, Size::NONE, &mut size);
    size.units()
}

/// Adds a node and all below it to `size`; `own` is the size of its own scopes.
const fn measure_node(node: &Node, way: &Way<'_>, own: Size, size: &mut Size) {
    size.nodes += 1;
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        let mut below = own;
        let mut index = 0;
        let mut scopes = edge.scopes;
        while let [scope, tail @ ..] = scopes {
            if !way.has(scope) && !contains(edge.scopes.split_at(index).0, scope) {
                below.bytes += scope.len() + (below.scopes > 0) as usize;
                below.scopes += 1;
            }
            index += 1;
            scopes = tail;
        }
        if below.scopes > own.scopes {
            size.scopes += below.scopes;
            size.bytes += below.bytes;
        }
        let way = Way {
            scopes: edge.scopes,
            above: Some(way),
        };
        measure_node(edge.node, &way, below, size);
        edges = tail;
    }
}

/// A plan with room for `UNITS` nodes, as many scopes, and 16 times as many bytes of joined strings.
struct Layout<const UNITS: usize> {
    entries: [Entry; UNITS],
    scopes: [&'static str; UNITS],
    bytes: [[u8; UNIT]; UNITS],
}

/// A node, in the order of the tree.
#[derive(Clone, Copy)]
struct Entry {
    /// How many nodes its subtree has, itself included.
    nodes: usize,
    set: Set,
}

/// The scopes of a node: a piece of the layout, which the nodes below share that add none.
#[derive(Clone, Copy)]
struct Set {
    /// The node that was the first to have them.
    owner: usize,
    /// Where they start and end.
    scopes: (usize, usize),
    /// Where their joined string starts and ends.
    bytes: (usize, usize),
}

impl Set {
    const EMPTY: Self = Self {
        owner: 0,
        scopes: (0, 0),
        bytes: (0, 0),
    };
}

impl<const UNITS: usize> Layout<UNITS> {
    /// Lays out the plan of a tree.
    const fn of(root: &Node) -> Self {
        let entry = Entry {
            nodes: 0,
            set: Set::EMPTY,
        };
        let mut layout = Self {
            entries: [entry; UNITS],
            scopes: [""; UNITS],
            bytes: [[0; UNIT]; UNITS],
        };
        let mut used = Size::NONE;
        layout.add_node(root, Set::EMPTY, &mut used);
        layout
    }

    const fn add_node(&mut self, node: &Node, set: Set, used: &mut Size) {
        let number = used.nodes;
        used.nodes += 1;
        let mut edges = node.edges;
        while let [edge, tail @ ..] = edges {
            let mut below = set;
            let mut scopes = edge.scopes;
            while let [scope, tail @ ..] = scopes {
                if !self.has(below, scope) {
                    if below.owner != used.nodes {
                        below = self.copied(set, used);
                    }
                    self.add_scope(&mut below, scope, used);
                }
                scopes = tail;
            }
            self.add_node(edge.node, below, used);
            edges = tail;
        }
        self.entries[number] = Entry {
            nodes: used.nodes - number,
            set,
        };
    }

    const fn has(&self, set: Set, scope: &str) -> bool {
        let (mut index, end) = set.scopes;
        while index < end {
            if const_str::eq(self.scopes[index], scope) {
                return true;
            }
            index += 1;
        }
        false
    }

    /// A copy of the scopes of a node, for the next node to add some.
    const fn copied(&mut self, set: Set, used: &mut Size) -> Set {
        let mut copy = Set {
            owner: used.nodes,
            scopes: (used.scopes, used.scopes),
            bytes: (used.bytes, used.bytes),
        };
        let (mut index, end) = set.scopes;
        while index < end {
            self.add_scope(&mut copy, self.scopes[index], used);
            index += 1;
        }
        copy
    }

    /// Adds a scope to the last set.
    const fn add_scope(&mut self, set: &mut Set, scope: &'static str, used: &mut Size) {
        if set.scopes.1 > set.scopes.0 {
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
        (set.scopes.1, set.bytes.1) = (used.scopes, used.bytes);
    }

    /// The plan's table. What is left of its room stands behind the root's subtree, where no cursor looks.
    const fn steps(&'static self) -> [Step; UNITS] {
        let (mut scopes, mut bytes) = (self.scopes.as_slice(), self.bytes.as_flattened());
        let mut steps = [Step {
            nodes: 0,
            scopes: SecurityScopes::NONE,
        }; UNITS];
        let mut index = 0;
        while index < self.entries[0].nodes {
            let Entry { nodes, set } = self.entries[index];
            steps[index].nodes = nodes;
            // Sets follow each other in the order of their owners.
            if set.owner < index {
                steps[index].scopes = steps[set.owner].scopes;
            } else if set.scopes.1 > set.scopes.0 {
                let (own, rest) = scopes.split_at(set.scopes.1 - set.scopes.0);
                let (joined, rest_of_bytes) = bytes.split_at(set.bytes.1 - set.bytes.0);
                let Ok(joined) = core::str::from_utf8(joined) else {
                    panic!("scopes are text")
                };
                steps[index].scopes = SecurityScopes {
                    scopes: own,
                    scope_str: joined,
                };
                (scopes, bytes) = (rest, rest_of_bytes);
            }
            index += 1;
        }
        steps
    }
}

/// What has a plan, such as a handler by the marker of its first parameter.
pub trait Planned {
    /// What stands at the root.
    const ROOT: Node;
}

/// The plan of `P`, in the least power of two that has the room.
///
/// It is part of a type's constants, so that nothing is laid out until code that reads it is generated: `cargo check` has but to
/// hold the scopes to what is declared.
struct Planner<P, const UNITS: usize>(PhantomData<P>);

impl<P: Planned, const UNITS: usize> Planner<P, UNITS> {
    const LAYOUT: &'static Layout<UNITS> = &Layout::of(&P::ROOT);
    const STEPS: &'static [Step] = &Self::LAYOUT.steps();

    /// A function, since what it reads is evaluated only where it is called.
    const fn steps() -> &'static [Step] {
        Self::STEPS
    }
}

impl<P: Planned> Planner<P, 0> {
    const FITTING: &'static [Step] = match measure(&P::ROOT).next_power_of_two() {
        ..=2 => Planner::<P, 2>::steps(),
        4 => Planner::<P, 4>::steps(),
        8 => Planner::<P, 8>::steps(),
        16 => Planner::<P, 16>::steps(),
        32 => Planner::<P, 32>::steps(),
        64 => Planner::<P, 64>::steps(),
        128 => Planner::<P, 128>::steps(),
        256 => Planner::<P, 256>::steps(),
        512 => Planner::<P, 512>::steps(),
        1024 => Planner::<P, 1024>::steps(),
        2048 => Planner::<P, 2048>::steps(),
        4096 => Planner::<P, 4096>::steps(),
        _ => panic!("no plan takes more room, since `check_size` refuses it"),
    };
}

/// The place of what the root of a plan depends on, by its number: `<At<P, 0>>::CURSOR`.
#[derive(Debug)]
pub struct At<P, const NUMBER: usize>(PhantomData<P>);

impl<P: Planned, const NUMBER: usize> At<P, NUMBER> {
    /// The place.
    pub const CURSOR: Cursor = Cursor::root(Planner::<P, 0>::FITTING).child(NUMBER);
}

/// A node of a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    nodes: usize,
    scopes: SecurityScopes,
}

/// A place in a plan: a node and all that stands below it.
#[derive(Clone, Copy, Debug)]
pub struct Cursor(&'static [Step]);

impl Cursor {
    /// The root of a plan.
    const fn root(steps: &'static [Step]) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AuthorizationValue, BearerToken, Flow, Flows, Scope};

    const CONFIG: SchemeConfig = SchemeConfig::new::<BearerToken>("OAuth2")
        .flows(Flows::NONE.password(Flow::EMPTY.scopes(&[Scope::new("items", "Items.")])));
    const OPTIONAL: SchemeConfig = SchemeConfig::new::<Option<AuthorizationValue>>("Optional");
    static REQUIRED_SCHEME: Node = Node::scheme::<BearerToken>(CONFIG);
    static OPTIONAL_SCHEME: Node = Node::scheme::<Option<AuthorizationValue>>(OPTIONAL);
    static ABOVE: Node = Node::function(
        "",
        &[
            Edge::new(&OPTIONAL_SCHEME, &[]),
            Edge::new(&REQUIRED_SCHEME, &[]),
        ],
    );
    static NEVER_REFUSES: Node =
        Node::function("", &[Edge::new(&OPTIONAL_SCHEME, &["x"])]).asks_scopes();

    /// Plans whose nodes depend on two of the plan before: each takes twice the room.
    macro_rules! doubled {
        ($first:ident $(, $next:ident)+) => {
            struct $first;

            impl Planned for $first {
                const ROOT: Node = Node::function("", &[]);
            }

            doubled!(@ $first $(, $next)+);
        };
        (@ $before:ident, $next:ident $(, $rest:ident)*) => {
            struct $next;

            impl Planned for $next {
                const ROOT: Node = Node::function("",
                    &[
                        Edge::new(&$before::ROOT, &["a"]),
                        Edge::new(&$before::ROOT, &["b"]),
                    ],
                ).asks_scopes();
            }

            doubled!(@ $next $(, $rest)*);
        };
        (@ $last:ident) => {};
    }

    doubled!(P1, P3, P7, P15, P31, P63, P127, P255, P511);

    #[test]
    fn a_plan_has_the_room_that_it_takes() {
        fn second<P: Planned>() -> SecurityScopes {
            <At<P, 1>>::CURSOR.scopes()
        }
        let plans = [
            second::<P3>,
            second::<P7>,
            second::<P15>,
            second::<P31>,
            second::<P63>,
            second::<P127>,
            second::<P255>,
            second::<P511>,
        ];
        for plan in plans {
            assert_eq!(plan().scopes, ["b"]);
        }
    }

    fn message(check: impl FnOnce() + std::panic::UnwindSafe) -> Option<String> {
        let panic = std::panic::catch_unwind(check).err()?;
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
    }

    #[test]
    fn a_scope_is_declared_by_each_scheme_below_that_has_flows() {
        for node in [&REQUIRED_SCHEME, &ABOVE] {
            assert_eq!(message(|| check_scope(node, "items")), None);
            assert_eq!(
                message(|| check_scope(node, "itmes")).unwrap(),
                "scope `itmes` is not declared by `OAuth2`; did you mean `items`?"
            );
            assert_eq!(
                message(|| check_scope(node, "me")).unwrap(),
                "scope `me` is not declared by `OAuth2`; declare it: `scopes(\"me\" = \"…\")`"
            );
        }
        assert_eq!(message(|| check_scope(&NEVER_REFUSES, "anything")), None);
        assert!(message(|| check_scope(&NEVER_REFUSES, "two words")).is_some());
    }

    #[test]
    fn a_guard_refuses_some_requests() {
        assert_eq!(message(|| check_guard(&REQUIRED_SCHEME)), None);
        assert_eq!(message(|| check_guard(&ABOVE)), None);
        assert_eq!(
            message(|| check_guard(&Node::function("", &[]).fails())),
            None
        );
        for node in [&OPTIONAL_SCHEME, &NEVER_REFUSES] {
            assert!(
                message(|| check_guard(node))
                    .is_some_and(|text| text.contains("cannot be a guard"))
            );
        }
    }

    #[test]
    fn what_asks_for_scopes_is_known_above_it() {
        assert!(NEVER_REFUSES.has_scopes() && !ABOVE.has_scopes());
        let above = Node::function("", vec![Edge::new(&NEVER_REFUSES, &[])].leak());
        assert!(above.has_scopes());
    }

    #[test]
    fn a_place_that_is_not_there_has_no_scopes() {
        let nowhere = Cursor::root(&[]).child(3);
        assert_eq!(nowhere.scopes(), SecurityScopes::NONE);
        assert_eq!(nowhere.child(0).scopes(), SecurityScopes::NONE);
    }

    /// Every power of two holds what fits into it, and no more is taken than that.
    #[test]
    fn a_plan_has_room_for_all() {
        struct Wide<const NODES: usize, const SCOPES: usize>;

        impl<const NODES: usize, const SCOPES: usize> Wide<NODES, SCOPES> {
            const LEAF: Node = Node::function("", &[]).asks_scopes();
            const EDGES: [Edge; NODES] =
                [Edge::new(&Self::LEAF, Self::NAMES.split_at(SCOPES).0); NODES];
            const NAMES: &'static [&'static str] =
                &["a", "bb", "ccc", "dddd", "eeeee", "ffffff", "ggggggg"];
        }

        impl<const NODES: usize, const SCOPES: usize> Planned for Wide<NODES, SCOPES> {
            const ROOT: Node = Node::function("", &Self::EDGES);
        }

        fn holds<const NODES: usize, const SCOPES: usize>() {
            let steps = Planner::<Wide<NODES, SCOPES>, 0>::FITTING;
            let names = Wide::<NODES, SCOPES>::NAMES.split_at(SCOPES).0;
            let size = (NODES + 1)
                .max(NODES * SCOPES)
                .max((NODES * names.join(" ").len()).div_ceil(UNIT));
            assert_eq!(measure(&Wide::<NODES, SCOPES>::ROOT), size);
            assert_eq!(
                steps.len(),
                size.next_power_of_two().max(2),
                "{NODES} {SCOPES}"
            );
            for number in 0..NODES {
                let scopes = Cursor::root(steps).child(number).scopes();
                assert_eq!(
                    (scopes.scopes, scopes.scope_str),
                    (names, &*names.join(" "))
                );
            }
            assert_eq!(Cursor::root(steps).scopes(), SecurityScopes::NONE);
        }

        holds::<0, 0>();
        holds::<1, 0>();
        holds::<1, 1>();
        holds::<2, 1>();
        holds::<3, 2>();
        holds::<4, 0>();
        holds::<7, 3>();
        holds::<8, 7>();
        holds::<15, 1>();
        holds::<31, 7>();
        holds::<1023, 4>();
    }

    #[test]
    fn what_is_too_large_to_compile_says_so_once() {
        const LEAF: &Node = &Node::function("", &[]);

        fn above(node: &'static Node, times: usize, scopes: &'static [&'static str]) -> Node {
            Node::function("", vec![Edge::new(node, scopes); times].leak())
        }
        fn leaked(node: Node) -> &'static Node {
            Box::leak(Box::new(node))
        }
        let many = "; depend on a function once, and pass its value on";
        let wide = leaked(above(LEAF, 1023, &[]));
        assert_eq!(message(|| check_size(wide)), None);
        let wider = leaked(above(LEAF, 1024, &[]));
        assert_eq!(
            message(|| check_size(wider)).unwrap(),
            format!(
                "this has 1024 dependencies, in chains of up to 1, counted once for each way that leads to one; at most 1023 compile, in chains of 15{many}"
            )
        );
        let mut chain = LEAF;
        for _ in 0..15 {
            assert_eq!(message(|| check_size(chain)), None);
            chain = leaked(above(chain, 1, &[]));
        }
        assert_eq!(message(|| check_size(chain)), None);
        let longer = leaked(above(chain, 1, &[]));
        assert_eq!(
            message(|| check_size(longer)).unwrap(),
            format!(
                "this has 16 dependencies, in chains of up to 16, counted once for each way that leads to one; at most 1023 compile, in chains of 15{many}"
            )
        );
        let scoped = leaked(above(LEAF, 1000, &["a", "b", "c", "d", "e"]));
        assert_eq!(
            message(|| check_size(scoped)).unwrap(),
            "the dependencies of this require 5000 scopes, each with those above it; at most 4096 compile, in 65536 bytes; require fewer"
        );
        for too_large in [wider, longer, scoped] {
            let above = above(too_large, 2, &["a"]);
            assert_eq!(message(|| check_size(&above)), None);
            assert!(message(|| _ = measure(&above)).is_some());
        }
    }

    /// What a chain adds is counted once: a scope that stands above, or twice in one list, takes no room.
    #[test]
    fn scopes_that_are_there_take_no_room() {
        const LONG: &str = "a-scope-whose-name-is-longer-than-any-unit";
        const LEAF: &Node = &Node::function("", &[]).asks_scopes();
        const BELOW: &Node = &Node::function("", &[Edge::new(LEAF, &["y", LONG])]);
        const MIDDLE: &Node = &Node::function("", &[Edge::new(BELOW, &[LONG])]);

        struct Chain;
        impl Planned for Chain {
            const ROOT: Node = Node::function("", &[Edge::new(MIDDLE, &[LONG, LONG])]);
        }

        let mut size = Size::NONE;
        measure_node(&Chain::ROOT, &Way::ROOT, Size::NONE, &mut size);
        assert_eq!(
            (size.nodes, size.scopes, size.bytes),
            (4, 3, 2 * LONG.len() + 2)
        );
        assert_eq!(size.units(), size.bytes.div_ceil(UNIT));
        let middle = At::<Chain, 0>::CURSOR;
        assert_eq!(middle.scopes().scopes, [LONG]);
        assert_eq!(middle.child(0).scopes().scopes, [LONG]);
        assert_eq!(middle.child(0).child(0).scopes().scopes, [LONG, "y"]);
        assert_eq!(
            middle.child(0).child(0).scopes().scope_str,
            format!("{LONG} y")
        );
    }
}
