//! A dependency as const data.

use super::extent::Extent;
use crate::scheme::config::SchemeConfig;
use crate::scheme::credential::Credential;

/// A dependency as const data: a scheme, or a function and its own dependencies.
#[derive(Debug)]
pub struct Node {
    /// The function's name; empty at the root of a plan.
    name: &'static str,
    scheme: Option<SchemeConfig>,
    edges: &'static [Edge],
    /// Whether this node or one below it takes [`SecurityScopes`](crate::SecurityScopes).
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

    pub(crate) const fn node(&self) -> &'static Node {
        self.node
    }

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
    /// A scheme that yields `C`, the leaf of every chain.
    #[must_use]
    pub const fn scheme<C: Credential>(mut config: SchemeConfig) -> Self {
        // The type decides, whatever a configuration written by hand says.
        config.auto_error = C::AUTO_ERROR;
        Self {
            name: config.scheme_name,
            scheme: Some(config),
            edges: &[],
            asks_scopes: false,
            refuses: C::AUTO_ERROR,
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

    /// This function, with [`SecurityScopes`](crate::SecurityScopes) as a parameter.
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

    pub(crate) const fn as_scheme(&self) -> Option<&SchemeConfig> {
        self.scheme.as_ref()
    }

    pub(crate) const fn edges(&self) -> &'static [Edge] {
        self.edges
    }

    pub(crate) const fn name(&self) -> &'static str {
        self.name
    }

    pub(super) const fn extent(&self) -> &Extent {
        &self.extent
    }

    pub(super) const fn output(&self) -> OutputKind {
        self.output
    }

    /// Returns `true` if this node or one below it can refuse a request.
    pub(super) const fn refuses(&self) -> bool {
        self.refuses
    }

    /// Returns `true` if this node or one below it takes [`SecurityScopes`](crate::SecurityScopes).
    pub(crate) const fn has_scopes(&self) -> bool {
        self.asks_scopes
    }

    /// Returns `true` if the node's value depends on credentials alone, so that it is the same for the whole request.
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
