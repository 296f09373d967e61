//! A scheme, which is always the leaf of its chain.

use crate::credential::Credential;
use crate::credential::kind::SchemeKind;
use crate::plan::extent::Extent;
use crate::plan::node::{Node, NodeKind};
use crate::plan::subtree::Subtree;
use crate::scheme::config::SchemeConfig;
use crate::scheme::scope::{DeclaredScopes, Scope};

/// A scheme as const data.
#[derive(Debug)]
pub(super) struct SchemeNode {
    /// A reference: the compiler looks through all fields of a value for each constant with a node.
    pub(super) config: &'static SchemeConfig,
    /// The scopes that it declares, gathered from its flows once.
    declared: DeclaredScopes,
    /// A hash of the hierarchy of its scopes.
    hierarchy: u64,
    /// `true` if it verifies its tokens, and checks the scopes that are required of it.
    pub(super) verifies: bool,
}

impl Node {
    /// Creates a scheme that yields `C`.
    #[must_use]
    pub const fn scheme<C: Credential>(config: &'static SchemeConfig) -> Self {
        Self::of_scheme::<C>(config, false)
    }

    /// Creates a scheme that yields `C`, verified by what the service has installed.
    #[must_use]
    pub const fn verified_scheme<C: Credential>(config: &'static SchemeConfig) -> Self {
        Self::of_scheme::<C>(config, true)
    }

    const fn of_scheme<C: Credential>(config: &'static SchemeConfig, verifies: bool) -> Self {
        config.assert_yields::<C>();
        let declared = config.declared_scopes();
        // A layer may change a header or a cookie that it does not know to be a credential, and the
        // verifier may be another one for a nested router.
        let extracts = verifies || matches!(config.kind, SchemeKind::ApiKey(_));
        Self {
            kind: NodeKind::Scheme(SchemeNode {
                config,
                declared,
                hierarchy: declared.hierarchy_hash(),
                verifies,
            }),
            edges: &[],
            subtree: Subtree {
                asks_scopes: verifies,
                checks_scopes: verifies,
                refuses: C::AUTO_ERROR,
                needs_credential: C::AUTO_ERROR,
                has_scheme: true,
                verifies,
                extracts,
                has_hierarchy: declared.has_hierarchy(),
                has_space: config.has_space(),
                has_own_error: config.own_error.is_some(),
                ..Subtree::NOTHING
            },
            extent: Extent::LEAF,
        }
    }

    pub(crate) const fn as_scheme(&self) -> Option<&SchemeConfig> {
        match &self.kind {
            NodeKind::Scheme(scheme) => Some(scheme.config),
            _ => None,
        }
    }

    /// Returns a scheme, with a hash of the hierarchy of its scopes.
    pub(in crate::plan) const fn hierarchy(&self) -> Option<(&SchemeConfig, u64)> {
        match &self.kind {
            NodeKind::Scheme(scheme) => Some((scheme.config, scheme.hierarchy)),
            _ => None,
        }
    }

    /// Returns `true` if the scope follows the grammar, and only one scheme is at or below this
    /// node and declares it. This is evaluated for each scope of each handler, where calls cost the
    /// compiler the most, so it has as few as possible: it compares the bytes in place.
    pub(in crate::plan) const fn plainly_declares(&self, scope: &str) -> bool {
        let mut node = self;
        while let [edge] = node.edges
            && !edge.is_unscoped
        {
            node = edge.node;
        }
        let NodeKind::Scheme(SchemeNode { declared, .. }) = &node.kind else {
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
}
