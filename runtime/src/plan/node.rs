//! A dependency as const data.

use crate::credential::Credential;
use crate::credential::kind::SchemeKind;
use crate::credential::request_head::RequestHead;
use crate::credential::same_site::is_cross_site;
use crate::credential::source::Source;
use crate::plan::arguments::Arguments;
use crate::plan::extent::Extent;
use crate::plan::output_kind::OutputKind;
use crate::plan::subtree::Subtree;
use crate::scheme::config::SchemeConfig;
use crate::scheme::scope::{DeclaredScopes, Scope};

/// A dependency as const data, or the root of a plan.
#[derive(Debug)]
pub struct Node {
    kind: NodeKind,
    pub(super) edges: &'static [Edge],
    pub(super) subtree: Subtree,
    pub(super) extent: Extent,
}

#[derive(Debug)]
enum NodeKind {
    /// A handler, a layer or a plan, which has no name and which nothing depends on.
    Root,
    /// A scheme is always the leaf of its chain.
    Scheme {
        /// A reference: the compiler looks through all fields of a value for each constant with a
        /// node.
        config: &'static SchemeConfig,
        /// The scopes that it declares, gathered from its flows once.
        declared: DeclaredScopes,
        /// `true` if it verifies its tokens, and checks the scopes that are required of it.
        verifies: bool,
    },
    Function(Function),
    /// A list of alternatives.
    OneOf {
        name: &'static str,
        /// `true` if one of the alternatives needs no credential.
        has_empty: bool,
        /// `true` if a request with an `Authorization` header means an alternative that reads it.
        is_strict: bool,
        /// `true` if it answers with an error type of the service.
        has_own_error: bool,
    },
}

/// A function with dependencies.
#[derive(Clone, Copy, Debug)]
struct Function {
    name: &'static str,
    /// The names of its arguments, separated by commas.
    arguments: Option<&'static str>,
    /// `true` if it takes [`SecurityScopes`](crate::SecurityScopes).
    is_asker: bool,
    /// `true` if it takes an extractor of the framework.
    is_extractor: bool,
    /// The status with which it refuses a token that does not grant the scopes, or what its
    /// arguments do not allow.
    insufficient_scope: u16,
    failure: Failure,
    output: OutputKind,
}

/// Whether a function returns a `Result`.
#[derive(Clone, Copy, Debug)]
enum Failure {
    None,
    /// A `Result` whose error has no values.
    Impossible,
    /// A `Result` with an error that the function builds.
    Error,
}

/// A dependency of a node, and the scopes that the node requires of it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub(super) node: &'static Node,
    pub(super) scopes: &'static [&'static str],
    pub(super) arguments: Option<&'static Arguments>,
    pub(super) is_fresh: bool,
    /// `true` if the scopes that are required above do not hold for the dependency.
    pub(super) is_unscoped: bool,
    /// `true` if a wrong credential of this alternative counts as none.
    pub(super) is_lenient: bool,
    /// `true` if the node is required only to refuse requests.
    is_guard: bool,
}

impl Edge {
    /// Creates an edge that requires these scopes of a dependency.
    #[must_use]
    pub const fn new(node: &'static Node, scopes: &'static [&'static str]) -> Self {
        Self {
            node,
            scopes,
            arguments: None,
            is_fresh: false,
            is_unscoped: false,
            is_lenient: false,
            is_guard: false,
        }
    }

    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn arguments(&self) -> Option<&'static Arguments> {
        self.arguments
    }

    /// Returns this edge with the arguments of the dependency.
    #[must_use]
    pub const fn with(mut self, arguments: &'static Arguments) -> Self {
        self.arguments = Some(arguments);
        self
    }

    /// Returns this edge to a dependency that is required only to refuse requests.
    #[must_use]
    pub const fn guard(mut self) -> Self {
        self.is_guard = true;
        self
    }

    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn is_guard(&self) -> bool {
        self.is_guard
    }

    /// Returns this edge to an alternative whose wrong credential counts as none.
    #[must_use]
    pub const fn lenient(mut self) -> Self {
        self.is_lenient = true;
        self
    }

    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn is_lenient(&self) -> bool {
        self.is_lenient
    }

    /// Returns this edge to a dependency for which the scopes that are required above do not hold.
    #[must_use]
    pub const fn unscoped(mut self) -> Self {
        self.is_unscoped = true;
        self
    }

    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn is_unscoped(&self) -> bool {
        self.is_unscoped
    }

    /// Returns this edge with a dependency that runs even if its value is cached.
    #[must_use]
    pub const fn fresh(mut self) -> Self {
        self.is_fresh = true;
        self
    }

    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn node(&self) -> &'static Node {
        self.node
    }

    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn scopes(&self) -> &'static [&'static str] {
        self.scopes
    }
}

impl Node {
    /// Creates a scheme that yields `C`.
    #[must_use]
    pub const fn scheme<C: Credential>(config: &'static SchemeConfig) -> Self {
        config.assert_yields::<C>();
        let declared = config.declared_scopes();
        Self {
            kind: NodeKind::Scheme { config, declared, verifies: false },
            edges: &[],
            subtree: Subtree {
                refuses: C::AUTO_ERROR,
                needs_credential: C::AUTO_ERROR,
                has_scheme: true,
                // A layer may change a header or a cookie that it does not know to be a credential.
                extracts: matches!(config.kind, SchemeKind::ApiKey(_)),
                has_hierarchy: declared.has_hierarchy(),
                has_space: config.has_space(),
                has_own_error: config.own_error.is_some(),
                ..Subtree::NOTHING
            },
            extent: Extent::LEAF,
        }
    }

    /// Creates a scheme that yields `C`, verified by what the service has installed.
    #[must_use]
    pub const fn verified_scheme<C: Credential>(config: &'static SchemeConfig) -> Self {
        let mut node = Self::scheme::<C>(config);
        if let NodeKind::Scheme { verifies, .. } = &mut node.kind {
            *verifies = true;
        }
        node.subtree = Subtree {
            asks_scopes: true,
            checks_scopes: true,
            verifies: true,
            // The verifier may be another one for a nested router.
            extracts: true,
            ..node.subtree
        };
        node
    }

    /// Creates the root of a plan.
    #[must_use]
    pub const fn root(edges: &'static [Edge]) -> Self {
        Self::above(NodeKind::Root, edges)
    }

    /// Creates a function with this name and these dependencies.
    #[must_use]
    pub const fn function(name: &'static str, edges: &'static [Edge]) -> Self {
        let function = Function {
            name,
            arguments: None,
            is_asker: false,
            is_extractor: false,
            insufficient_scope: 403,
            failure: Failure::None,
            output: OutputKind::Value,
        };
        Self::above(NodeKind::Function(function), edges)
    }

    /// Creates a list of alternatives. `has_empty` is `true` if one of them needs no credential.
    #[must_use]
    pub const fn one_of(
        name: &'static str,
        alternatives: &'static [Edge],
        has_empty: bool,
    ) -> Self {
        let kind = NodeKind::OneOf { name, has_empty, is_strict: false, has_own_error: false };
        let mut node = Self::above(kind, alternatives);
        node.subtree.refuses = !has_empty;
        node.subtree.needs_credential &= !has_empty;
        let (mut is_checked, mut is_unchecked) = (false, false);
        let mut rest = alternatives;
        while let [edge, tail @ ..] = rest {
            node.subtree.verifies &= edge.node.subtree.verifies;
            is_checked |= !edge.is_unscoped && edge.node.subtree.checks_scopes;
            is_unchecked |= !edge.is_unscoped && !edge.node.subtree.checks_scopes;
            rest = tail;
        }
        node.subtree.checks_scopes = is_checked && !is_unchecked;
        node
    }

    /// Marks this list of alternatives as one in which a request with an `Authorization` header
    /// means an alternative that reads it.
    #[must_use]
    pub const fn strict(mut self) -> Self {
        if let NodeKind::OneOf { is_strict, .. } = &mut self.kind {
            *is_strict = true;
        }
        self
    }

    /// Returns `true` if this node is a list of alternatives that refuses a request without the
    /// credential of one.
    pub(crate) const fn refuses_absent(&self) -> bool {
        match &self.kind {
            NodeKind::OneOf { has_empty, is_strict, .. } => !*has_empty || *is_strict,
            _ => false,
        }
    }

    /// Marks this list of alternatives as one that answers with an error type of the service.
    #[must_use]
    pub const fn answers_with_own_error(mut self) -> Self {
        if let NodeKind::OneOf { has_own_error, .. } = &mut self.kind {
            *has_own_error = true;
        }
        self
    }

    /// Returns `true` if this list of alternatives refuses requests in another format than a scheme
    /// below it.
    pub(super) const fn lacks_own_error(&self) -> bool {
        let answers_itself = matches!(self.kind, NodeKind::OneOf { has_own_error: false, .. });
        answers_itself && self.refuses_absent() && self.subtree.has_own_error
    }

    /// Creates a node above others.
    ///
    /// If a scheme is below it, only edges with a scheme count as refusing, because a rate limit
    /// beside an optional login makes no guard of a function above both.
    const fn above(kind: NodeKind, edges: &'static [Edge]) -> Self {
        let mut subtree = Subtree::NOTHING;
        let mut refuses = false;
        let mut rest = edges;
        while let [edge, tail @ ..] = rest {
            let below = edge.node.subtree;
            subtree = subtree.or(below);
            refuses |= below.refuses && (below.has_scheme || below.is_broken);
            rest = tail;
        }
        subtree.verifies = is_verified_below(edges);
        if subtree.has_scheme {
            subtree.refuses = refuses;
        }
        let extent = extent_above(edges);
        Self { kind, edges: if extent.is_too_large() { &[] } else { edges }, subtree, extent }
    }

    /// Changes what is said of this function. The other kinds of nodes are never changed.
    const fn function_mut(&mut self) -> Option<&mut Function> {
        match &mut self.kind {
            NodeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Marks this function as taking [`SecurityScopes`](crate::SecurityScopes) as a parameter.
    #[must_use]
    pub const fn asks_scopes(mut self) -> Self {
        if let Some(function) = self.function_mut() {
            function.is_asker = true;
        }
        self.subtree.asks_scopes = true;
        self.subtree.checks_scopes = true;
        self
    }

    /// Marks this function as taking arguments with these names.
    #[must_use]
    pub const fn takes(mut self, arguments: &'static str) -> Self {
        if let Some(function) = self.function_mut() {
            function.arguments = Some(arguments);
        }
        self
    }

    /// Returns the names of this function's arguments, if it takes any.
    pub(super) const fn arguments(&self) -> Option<&'static str> {
        match &self.kind {
            NodeKind::Function(function) => function.arguments,
            _ => None,
        }
    }

    /// Marks this function as taking an extractor of the framework as a parameter.
    #[must_use]
    pub const fn extracts(mut self) -> Self {
        if let Some(function) = self.function_mut() {
            function.is_extractor = true;
        }
        self.subtree.extracts = true;
        self
    }

    /// Marks this function as returning a `Result`.
    #[must_use]
    pub const fn fails(mut self) -> Self {
        if let Some(function) = self.function_mut() {
            function.failure = Failure::Error;
        }
        self.subtree.refuses = true;
        self.subtree.verifies |= self.subtree.has_scheme;
        self
    }

    /// Marks this function as returning a `Result` with an error of type `E`. It never fails if `E`
    /// has no values, such as `Infallible`.
    #[must_use]
    pub const fn fails_with<E>(mut self) -> Self {
        // `Ok(())` alone takes no room, but two different values take some.
        if size_of::<Result<(), E>>() > 0 {
            return self.fails();
        }
        if let Some(function) = self.function_mut() {
            function.failure = Failure::Impossible;
        }
        self
    }

    /// Marks this function as one that leaves the check of its credential to what is in front of
    /// the service.
    #[must_use]
    pub const fn unverified(mut self) -> Self {
        self.subtree.verifies = true;
        self
    }

    /// Returns `true` if this function itself, or a node below it, can refuse a credential.
    pub(super) const fn can_verify(&self) -> bool {
        let fails =
            matches!(self.kind, NodeKind::Function(Function { failure: Failure::Error, .. }));
        fails || is_verified_below(self.edges)
    }

    /// Sets the status with which this function refuses a token that does not grant the scopes, or
    /// what its arguments do not allow.
    #[must_use]
    pub const fn refuses_scopes_with(mut self, status: u16) -> Self {
        if let Some(function) = self.function_mut() {
            function.insufficient_scope = status;
        }
        self
    }

    /// Marks this function as one with a mistake that hides its dependencies, which are taken to
    /// refuse, so that no further error follows.
    #[must_use]
    pub const fn broken(mut self) -> Self {
        self.subtree.is_broken = true;
        self.subtree.refuses = true;
        self.subtree.needs_credential = true;
        self
    }

    /// Sets the kind of this function's value.
    #[must_use]
    pub const fn yields(mut self, output: OutputKind) -> Self {
        if let Some(function) = self.function_mut() {
            function.output = output;
        }
        self
    }

    /// Returns the name of the scheme, the function or the list; none at the root of a plan.
    pub(crate) const fn name(&self) -> &'static str {
        match &self.kind {
            NodeKind::Root => "",
            NodeKind::Scheme { config, .. } => config.scheme_name,
            NodeKind::Function(function) => function.name,
            NodeKind::OneOf { name, .. } => name,
        }
    }

    pub(crate) const fn as_scheme(&self) -> Option<&SchemeConfig> {
        match &self.kind {
            NodeKind::Scheme { config, .. } => Some(config),
            _ => None,
        }
    }

    /// Returns `true` if the scope follows the grammar, and one scheme alone is at or below this
    /// node and declares it. This is evaluated for each scope of each handler, where calls cost the
    /// compiler the most, so it has as few as possible: it compares the bytes in place.
    pub(super) const fn plainly_declares(&self, scope: &str) -> bool {
        let mut node = self;
        while let [edge] = node.edges
            && !edge.is_unscoped
        {
            node = edge.node;
        }
        let NodeKind::Scheme { declared, .. } = &node.kind else {
            return false;
        };
        let scope = scope.as_bytes();
        let mut lists: &[&[Scope]] = &declared.0;
        while let [scopes, tail @ ..] = lists {
            let mut scopes = *scopes;
            while let [declared, tail @ ..] = scopes {
                let (mut a, mut b) = (declared.name.as_bytes(), scope);
                while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b)
                    && *first_a == *first_b
                    && matches!(first_a, b'!' | b'#'..=b'[' | b']'..=b'~')
                {
                    (a, b) = (rest_a, rest_b);
                }
                if let ([], []) = (a, b) {
                    return !matches!(scope, []);
                }
                scopes = tail;
            }
            lists = tail;
        }
        false
    }

    /// Returns `true` if this node is a list of alternatives.
    pub(crate) const fn is_one_of(&self) -> bool {
        matches!(self.kind, NodeKind::OneOf { .. })
    }

    /// Returns `true` if this node is a list of alternatives, one of which needs no credential.
    pub(crate) const fn has_empty(&self) -> bool {
        matches!(self.kind, NodeKind::OneOf { has_empty: true, .. })
    }

    /// Returns `true` if this node itself takes [`SecurityScopes`](crate::SecurityScopes), or is a
    /// scheme that checks them.
    pub(super) const fn is_asker(&self) -> bool {
        match &self.kind {
            NodeKind::Function(function) => function.is_asker,
            NodeKind::Scheme { verifies, .. } => *verifies,
            NodeKind::Root | NodeKind::OneOf { .. } => false,
        }
    }

    /// Returns `true` if this node itself can refuse a request, with an error that it builds.
    pub(super) const fn builds_errors(&self) -> bool {
        matches!(&self.kind, NodeKind::Function(function) if matches!(function.failure, Failure::Error))
    }

    /// Returns `true` if this node itself returns a `Result` whose error has no values.
    pub(super) const fn is_infallible(&self) -> bool {
        matches!(&self.kind, NodeKind::Function(function) if matches!(function.failure, Failure::Impossible))
    }

    /// Returns `true` if no request passes this node without a credential of a scheme. The value of
    /// such a node declares the handlers that extract it.
    #[must_use]
    pub const fn needs_credential(&self) -> bool {
        self.subtree.needs_credential
    }

    /// Returns the kind of the value.
    pub(super) const fn output(&self) -> OutputKind {
        match &self.kind {
            NodeKind::Function(function) => function.output,
            _ => OutputKind::Value,
        }
    }

    /// Returns the status with which this function or scheme refuses a token that does not grant
    /// the scopes.
    #[cfg(feature = "openapi")]
    pub(crate) fn insufficient_scope(&self) -> Option<u16> {
        match &self.kind {
            NodeKind::Function(function) if function.is_asker => Some(function.insufficient_scope),
            NodeKind::Scheme { verifies: true, .. } => Some(403),
            _ => None,
        }
    }

    /// Returns the status with which this function refuses what its arguments do not allow, if it
    /// refuses.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) fn refuses_with(&self) -> Option<u16> {
        match &self.kind {
            NodeKind::Function(function) => {
                self.builds_errors().then_some(function.insufficient_scope)
            }
            _ => None,
        }
    }

    /// Returns `true` if this is the root of a plan.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn is_root(&self) -> bool {
        matches!(self.kind, NodeKind::Root)
    }

    /// Returns `true` if a scheme is at or below this node.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn has_scheme(&self) -> bool {
        self.subtree.has_scheme
    }

    /// Returns `true` if this function itself can refuse a request whose credential was checked
    /// below it.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) fn refuses_what_is_checked(&self) -> bool {
        self.builds_errors() && self.edges.iter().any(|edge| edge.node.subtree.verifies)
    }

    /// Returns `true` if this node or one below it is a function that takes an extractor of the
    /// framework.
    #[cfg(feature = "openapi")]
    pub(crate) fn has_extractor(&self) -> bool {
        matches!(&self.kind, NodeKind::Function(function) if function.is_extractor)
            || self.edges.iter().any(|edge| edge.node.has_extractor())
    }

    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn edges(&self) -> &'static [Edge] {
        self.edges
    }

    /// Returns `true` if two nodes are the same, or cannot be told apart. The address of a constant
    /// does not say it.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
            || self.name() == other.name()
                && self.as_scheme() == other.as_scheme()
                && self.edges.len() == other.edges.len()
                && self
                    .edges
                    .iter()
                    .zip(other.edges)
                    .all(|(edge, other)| edge.node.is_like(other.node))
    }

    /// Returns `true` if a request has the credential of a scheme that this node requires. A scheme
    /// that may be absent is not required, and neither is a list of alternatives with an empty one.
    pub(crate) fn is_present<H: RequestHead + ?Sized>(&self, head: &H) -> bool {
        match self.as_scheme() {
            Some(scheme) => scheme.auto_error && Source::of(scheme.kind).is_present(head),
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
            Some(scheme) => !matches!(scheme.kind, SchemeKind::ApiKey(_)),
            None => self.edges.iter().any(|edge| edge.node.reads_authorization()),
        }
    }

    /// Returns whether a request has the credential of a scheme at or below this node, even of one
    /// that may be absent. Returns `None` if there is no such scheme.
    #[cfg(feature = "axum08")]
    pub(crate) fn has_credential<H: RequestHead + ?Sized>(&self, head: &H) -> Option<bool> {
        match self.as_scheme() {
            Some(scheme) => Some(Source::of(scheme.kind).is_present(head)),
            None => {
                let below = self.edges.iter();
                below.filter_map(|edge| edge.node.has_credential(head)).max()
            }
        }
    }

    /// Returns `true` if this node or one below it takes [`SecurityScopes`](crate::SecurityScopes).
    pub(crate) const fn has_scopes(&self) -> bool {
        self.subtree.asks_scopes
    }

    /// Returns `true` if the node's value depends only on the `Authorization` header, and so is the
    /// same for the whole request.
    pub(crate) const fn is_of_request(&self) -> bool {
        !self.subtree.extracts
    }
}

/// Returns `true` if a node with these edges checks the credential without which no request passes:
/// an optional login does not check the key that is needed beside it.
const fn is_verified_below(edges: &[Edge]) -> bool {
    let (mut needs_credential, mut is_needed_verified, mut is_verified) = (false, false, false);
    let mut rest = edges;
    while let [edge, tail @ ..] = rest {
        let below = edge.node.subtree;
        needs_credential |= below.needs_credential;
        is_needed_verified |= below.needs_credential && below.verifies;
        is_verified |= below.refuses && below.verifies;
        rest = tail;
    }
    if needs_credential { is_needed_verified } else { is_verified }
}

/// Returns the extent of a node with these edges.
pub(super) const fn extent_above(edges: &[Edge]) -> Extent {
    let mut extent = Extent::LEAF;
    let mut rest = edges;
    while let [edge, tail @ ..] = rest {
        extent.add(&edge.node.extent, edge.scopes, edge.is_unscoped);
        rest = tail;
    }
    extent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_asks_for_scopes_is_known_above_it() {
        static ASKS: Node = Node::function("", &[]).asks_scopes();
        assert!(ASKS.has_scopes() && !Node::function("", &[]).has_scopes());
        let above = Node::function("", vec![Edge::new(&ASKS, &[])].leak());
        assert!(above.has_scopes());
    }
}
