//! A dependency as const data.

use super::extent::Extent;
use crate::scheme::config::{SchemeConfig, SchemeKind};
use crate::scheme::credential::Credential;

/// A dependency as const data: a scheme, or a function and its own dependencies.
#[derive(Debug)]
pub struct Node {
    /// The name of the scheme or function; empty at the root of a plan.
    pub(super) name: &'static str,
    /// A reference: the compiler looks through all fields of a value for each constant with a node.
    pub(super) scheme: Option<&'static SchemeConfig>,
    pub(super) edges: &'static [Edge],
    /// `true` if this node or one below it takes [`SecurityScopes`](crate::SecurityScopes).
    pub(super) asks_scopes: bool,
    /// `true` if this node or one below it checks scopes, on the branch of every alternative that
    /// is not `unscoped`.
    pub(super) checks_scopes: bool,
    /// `true` if this node is a list of alternatives.
    pub(super) is_one_of: bool,
    /// `true` if this node is a list of alternatives, one of which needs no credential.
    pub(super) has_empty: bool,
    /// `true` if a mistake, which is reported where it is, hides dependencies of this node or of
    /// one below it.
    pub(super) is_broken: bool,
    /// `true` if this node or one below it can refuse a request.
    pub(super) refuses: bool,
    /// `true` if the value may differ between two handlers or layers of a request: this node or one
    /// below it takes an extractor or an API key.
    extracts: bool,
    /// `true` if a scope of a scheme at or below this node implies another one.
    pub(super) has_hierarchy: bool,
    /// `true` if this node or one below it takes [`SecurityScopes`](crate::SecurityScopes), and
    /// schemes below that one declare different hierarchies.
    pub(super) mixes_hierarchies: bool,
    /// `true` if a scheme at or below this node declares a protection space, so its challenges name
    /// the required scopes.
    pub(super) has_space: bool,
    /// The status with which this function refuses a token that does not grant the scopes.
    pub(super) insufficient_scope: u16,
    /// A hash of the hierarchy of a scheme's own scopes.
    pub(super) hierarchy: u64,
    /// `true` if this node itself takes [`SecurityScopes`](crate::SecurityScopes).
    pub(super) is_asker: bool,
    /// `true` if this node itself can refuse a request, with an error that it builds.
    pub(super) builds_errors: bool,
    /// `true` if this node itself returns a `Result` whose error has no values.
    pub(super) is_infallible: bool,
    pub(super) output: OutputKind,
    pub(super) extent: Extent,
}

/// A dependency of a node, and the scopes that the node requires of it.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub(super) node: &'static Node,
    pub(super) scopes: &'static [&'static str],
    pub(super) is_fresh: bool,
    /// `true` if the scopes that are required above do not hold for the dependency.
    pub(super) is_unscoped: bool,
}

impl Edge {
    /// Creates an edge that requires these scopes of a dependency.
    #[must_use]
    pub const fn new(node: &'static Node, scopes: &'static [&'static str]) -> Self {
        Self {
            node,
            scopes,
            is_fresh: false,
            is_unscoped: false,
        }
    }

    /// Returns this edge to a dependency for which the scopes that are required above do not hold.
    #[must_use]
    pub const fn unscoped(mut self) -> Self {
        self.is_unscoped = true;
        self
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn is_unscoped(&self) -> bool {
        self.is_unscoped
    }

    /// Returns this edge with a dependency that runs even if its value is cached.
    #[must_use]
    pub const fn fresh(mut self) -> Self {
        self.is_fresh = true;
        self
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
    /// Any other value.
    Value,
    /// A `Result`, whose error a guard would drop.
    Result,
    /// A verdict that a guard would drop: a `bool`, an `Option`, a `ControlFlow`, a `Poll`, or
    /// something that contains one.
    Verdict,
    /// A future, which nobody would poll.
    Future,
    /// A function that returns one of these, which nobody would call.
    Function,
}

impl OutputKind {
    /// Returns `true` if the value is a `Result`.
    #[must_use]
    pub const fn is_result(self) -> bool {
        matches!(self, Self::Result)
    }

    /// Returns the kind of a value that contains one of this kind.
    pub(crate) const fn contained(self) -> Self {
        match self {
            Self::Result => Self::Verdict,
            other => other,
        }
    }
}

impl Node {
    /// Creates a scheme that yields `C`. A scheme is always the leaf of its chain.
    #[must_use]
    pub const fn scheme<C: Credential>(config: &'static SchemeConfig) -> Self {
        config.assert_yields::<C>();
        Self {
            name: config.scheme_name,
            scheme: Some(config),
            edges: &[],
            asks_scopes: false,
            checks_scopes: false,
            is_one_of: false,
            has_empty: false,
            is_broken: false,
            refuses: C::AUTO_ERROR,
            // A layer may change a header or a cookie that it does not know to be a credential.
            extracts: matches!(config.kind, SchemeKind::ApiKey(_)),
            has_hierarchy: config.declared_scopes().has_hierarchy(),
            mixes_hierarchies: false,
            has_space: config.has_space(),
            insufficient_scope: 403,
            hierarchy: config.declared_scopes().hierarchy_hash(),
            is_asker: false,
            builds_errors: false,
            is_infallible: false,
            output: OutputKind::Value,
            extent: Extent::LEAF,
        }
    }

    /// Creates a function with this name and these dependencies.
    #[must_use]
    pub const fn function(name: &'static str, edges: &'static [Edge]) -> Self {
        let mut node = Self {
            name,
            scheme: None,
            edges,
            asks_scopes: false,
            checks_scopes: false,
            is_one_of: false,
            has_empty: false,
            is_broken: false,
            refuses: false,
            extracts: false,
            has_hierarchy: false,
            mixes_hierarchies: false,
            has_space: false,
            insufficient_scope: 403,
            hierarchy: 0,
            is_asker: false,
            builds_errors: false,
            is_infallible: false,
            output: OutputKind::Value,
            extent: Extent::LEAF,
        };
        let mut rest = edges;
        while let [edge, tail @ ..] = rest {
            node.asks_scopes |= edge.node.asks_scopes;
            node.checks_scopes |= edge.node.checks_scopes;
            node.is_broken |= edge.node.is_broken;
            node.refuses |= edge.node.refuses;
            node.extracts |= edge.node.extracts;
            node.has_hierarchy |= edge.node.has_hierarchy;
            node.mixes_hierarchies |= edge.node.mixes_hierarchies;
            node.has_space |= edge.node.has_space;
            node.extent = node.extent.with(edge);
            rest = tail;
        }
        if node.extent.is_too_large() {
            node.edges = &[];
        }
        node
    }

    /// Creates a list of alternatives. `has_empty` is `true` if one of them needs no credential.
    #[must_use]
    pub const fn one_of(
        name: &'static str,
        alternatives: &'static [Edge],
        has_empty: bool,
    ) -> Self {
        let mut node = Self::function(name, alternatives);
        node.is_one_of = true;
        node.has_empty = has_empty;
        node.refuses = !has_empty;
        let (mut is_checked, mut is_unchecked) = (false, false);
        let mut rest = alternatives;
        while let [edge, tail @ ..] = rest {
            is_checked |= !edge.is_unscoped && edge.node.checks_scopes;
            is_unchecked |= !edge.is_unscoped && !edge.node.checks_scopes;
            rest = tail;
        }
        node.checks_scopes = is_checked && !is_unchecked;
        node
    }

    /// Marks this function as taking [`SecurityScopes`](crate::SecurityScopes) as a parameter.
    #[must_use]
    pub const fn asks_scopes(mut self) -> Self {
        self.asks_scopes = true;
        self.checks_scopes = true;
        self.is_asker = true;
        self.mixes_hierarchies |= self.has_hierarchy && !self.has_one_hierarchy(&mut None);
        self
    }

    /// Returns `true` if the schemes at or below this node have the hierarchy that is found, or
    /// the same one if none is found yet.
    const fn has_one_hierarchy(&self, found: &mut Option<u64>) -> bool {
        if self.scheme.is_some() {
            let first = match *found {
                Some(first) => first,
                None => self.hierarchy,
            };
            *found = Some(first);
            return first == self.hierarchy;
        }
        let mut edges = self.edges;
        while let [edge, tail @ ..] = edges {
            if !edge.node.has_one_hierarchy(found) {
                return false;
            }
            edges = tail;
        }
        true
    }

    /// Marks this function as taking an extractor of the framework as a parameter.
    #[must_use]
    pub const fn extracts(mut self) -> Self {
        self.extracts = true;
        self
    }

    /// Marks this function as returning a `Result`.
    #[must_use]
    pub const fn fails(mut self) -> Self {
        self.refuses = true;
        self.builds_errors = true;
        self
    }

    /// Marks this function as returning a `Result` with an error of type `E`. It never fails if `E`
    /// has no values, such as `Infallible`.
    #[must_use]
    pub const fn fails_with<E>(mut self) -> Self {
        // `Ok(())` alone takes no room, but two different values take some.
        if size_of::<Result<(), E>>() == 0 {
            self.is_infallible = true;
            return self;
        }
        self.fails()
    }

    /// Sets the status with which this function refuses a token that does not grant the scopes.
    #[must_use]
    pub const fn refuses_scopes_with(mut self, status: u16) -> Self {
        self.insufficient_scope = status;
        self
    }

    /// Marks this function as one with a mistake that hides its dependencies.
    #[must_use]
    pub const fn broken(mut self) -> Self {
        self.is_broken = true;
        self
    }

    /// Sets the kind of this function's value.
    #[must_use]
    pub const fn yields(mut self, output: OutputKind) -> Self {
        self.output = output;
        self
    }

    pub(crate) const fn as_scheme(&self) -> Option<&SchemeConfig> {
        self.scheme
    }

    /// Returns `true` if two nodes are the same, or cannot be told apart. The address of a constant
    /// does not say it.
    #[cfg(feature = "openapi")]
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        core::ptr::eq(self, other)
            || self.name == other.name
                && self.scheme == other.scheme
                && self.edges.len() == other.edges.len()
                && self
                    .edges
                    .iter()
                    .zip(other.edges)
                    .all(|(edge, other)| edge.node.is_like(other.node))
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn is_one_of(&self) -> bool {
        self.is_one_of
    }

    /// Returns the status with which this function refuses a token that does not grant the scopes.
    #[cfg(feature = "openapi")]
    pub(crate) fn insufficient_scope(&self) -> Option<u16> {
        self.is_asker.then_some(self.insufficient_scope)
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn has_empty(&self) -> bool {
        self.has_empty
    }

    #[cfg(feature = "openapi")]
    pub(crate) const fn edges(&self) -> &'static [Edge] {
        self.edges
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns `true` if this node or one below it takes [`SecurityScopes`](crate::SecurityScopes).
    pub(crate) const fn has_scopes(&self) -> bool {
        self.asks_scopes
    }

    /// Returns `true` if the node's value depends only on the `Authorization` header, and so is the
    /// same for the whole request.
    pub(crate) const fn is_of_request(&self) -> bool {
        !self.extracts
    }
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
