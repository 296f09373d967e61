//! A function with dependencies, which generated code describes before it becomes a node.

use crate::plan::arguments::{Parameters, TakesArguments};
use crate::plan::node::edge::Edge;
use crate::plan::node::{Node, NodeKind};
use crate::plan::output_kind::OutputKind;

/// A function with dependencies.
#[derive(Clone, Copy, Debug)]
pub struct Function {
    pub(super) name: &'static str,
    /// Its arguments, if it takes any.
    parameters: Option<Parameters>,
    /// `true` if it takes [`SecurityScopes`](crate::SecurityScopes).
    pub(super) is_asker: bool,
    /// `true` if it takes an extractor of the framework.
    is_extractor: bool,
    /// `true` if it leaves the check of its credential to what is in front of the service.
    is_unverified: bool,
    /// `true` if it refuses requests itself, although each scheme below it may be absent.
    decides: bool,
    /// `true` if a mistake hides its dependencies.
    is_broken: bool,
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

impl Function {
    /// Creates a function with this name.
    #[must_use]
    pub const fn new(name: &'static str) -> Self {
        Self {
            name,
            parameters: None,
            is_asker: false,
            is_extractor: false,
            is_unverified: false,
            decides: false,
            is_broken: false,
            insufficient_scope: 403,
            failure: Failure::None,
            output: OutputKind::Value,
        }
    }

    /// Marks this function as taking [`SecurityScopes`](crate::SecurityScopes) as a parameter.
    #[must_use]
    pub const fn asks_scopes(mut self) -> Self {
        self.is_asker = true;
        self
    }

    /// Marks this function as taking the arguments of `D`, with these names.
    #[must_use]
    pub const fn takes<D: TakesArguments>(mut self, names: &'static str) -> Self {
        self.parameters = Some(Parameters::of::<D>(names));
        self
    }

    /// Marks this function as taking an extractor of the framework as a parameter.
    #[must_use]
    pub const fn extracts(mut self) -> Self {
        self.is_extractor = true;
        self
    }

    /// Marks this function as returning a `Result`.
    #[must_use]
    pub const fn fails(mut self) -> Self {
        self.failure = Failure::Error;
        self
    }

    /// Marks this function as returning a `Result` with an error of type `E`. It never fails if `E`
    /// has no values, such as `Infallible`.
    #[must_use]
    pub const fn fails_with<E>(mut self) -> Self {
        // `Ok(())` as the only value takes no room, but two different values take some.
        self.failure = match size_of::<Result<(), E>>() {
            0 => Failure::Impossible,
            _ => Failure::Error,
        };
        self
    }

    /// Marks this function as one that leaves the check of its credential to what is in front of
    /// the service.
    #[must_use]
    pub const fn unverified(mut self) -> Self {
        self.is_unverified = true;
        self
    }

    /// Marks this function as one that refuses requests itself, although each scheme below it may be
    /// absent.
    #[must_use]
    pub const fn decides(mut self) -> Self {
        self.decides = true;
        self
    }

    /// Sets the status with which this function refuses a token that does not grant the scopes, or
    /// what its arguments do not allow.
    #[must_use]
    pub const fn refuses_scopes_with(mut self, status: u16) -> Self {
        self.insufficient_scope = status;
        self
    }

    /// Marks this function as one with a mistake that hides its dependencies, which are taken to
    /// refuse, so that no further error follows.
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

    /// Returns the node of this function, given its dependencies.
    #[must_use]
    pub const fn node(self, edges: &'static [Edge]) -> Node {
        let mut node = Node::above(NodeKind::Function(self), edges);
        let (fails, subtree) = (self.builds_errors(), &mut node.subtree);
        subtree.asks_scopes |= self.is_asker;
        subtree.checks_scopes |= self.is_asker;
        subtree.extracts |= self.is_extractor;
        subtree.refuses |= fails || self.is_broken;
        subtree.verifies |= self.is_unverified || fails && subtree.has_scheme;
        subtree.needs_credential |= self.decides || self.is_broken;
        subtree.is_broken |= self.is_broken;
        node
    }

    const fn builds_errors(&self) -> bool {
        matches!(self.failure, Failure::Error)
    }
}

impl Node {
    const fn as_function(&self) -> Option<&Function> {
        match &self.kind {
            NodeKind::Function(function) => Some(function),
            _ => None,
        }
    }

    /// Returns the arguments that this function takes, if it takes any.
    pub(in crate::plan) const fn parameters(&self) -> Option<&Parameters> {
        match self.as_function() {
            Some(function) => function.parameters.as_ref(),
            None => None,
        }
    }

    /// Returns the kind of the value.
    pub(in crate::plan) const fn output(&self) -> OutputKind {
        match self.as_function() {
            Some(function) => function.output,
            None => OutputKind::Value,
        }
    }

    /// Returns `true` if this node itself can refuse a request, with an error that it builds.
    pub(in crate::plan) const fn builds_errors(&self) -> bool {
        matches!(self.as_function(), Some(function) if function.builds_errors())
    }

    /// Returns `true` if this node itself refuses requests, although each scheme below it may be
    /// absent.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(crate) const fn decides(&self) -> bool {
        matches!(self.as_function(), Some(function) if function.decides)
    }

    /// Returns `true` if this node itself returns a `Result` whose error has no values.
    pub(in crate::plan) const fn is_infallible(&self) -> bool {
        matches!(self.as_function(), Some(Function { failure: Failure::Impossible, .. }))
    }

    /// Returns the status with which this function or scheme refuses a token that does not grant
    /// the scopes.
    #[cfg(feature = "openapi")]
    pub(crate) fn insufficient_scope(&self) -> Option<u16> {
        let status = self.as_function().map_or(403, |function| function.insufficient_scope);
        self.is_asker().then_some(status)
    }

    /// Returns the status with which this function refuses what its arguments do not allow, if it
    /// refuses.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(in crate::plan) fn refuses_with(&self) -> Option<u16> {
        let function = self.as_function().filter(|function| function.builds_errors());
        function.map(|function| function.insufficient_scope)
    }

    /// Returns `true` if this function itself can refuse a request whose credential was checked
    /// below it.
    #[cfg(any(feature = "axum08", feature = "openapi"))]
    pub(in crate::plan) fn refuses_what_is_checked(&self) -> bool {
        self.builds_errors() && self.edges.iter().any(|edge| edge.node.subtree.verifies)
    }

    /// Returns `true` if this node or one below it is a function that takes an extractor of the
    /// framework.
    #[cfg(feature = "openapi")]
    pub(crate) fn has_extractor(&self) -> bool {
        self.as_function().is_some_and(|function| function.is_extractor)
            || self.edges.iter().any(|edge| edge.node.has_extractor())
    }
}
