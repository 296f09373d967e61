//! The checks of the hierarchies below a function that takes `SecurityScopes`. It checks the tokens
//! of all schemes below it by one hierarchy, so a scope must mean the same in each of them.

#![allow(
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "evaluated at compile time, where a panic is a compile error"
)]

use crate::const_str::{self, fail};
use crate::credential::source::Source;
use crate::plan::node::Node;
use crate::scheme::config::SchemeConfig;
use crate::scheme::scope::Scope;

/// Compares each scheme at or below `node` with each scheme of the whole tree.
#[track_caller]
pub(super) const fn check_schemes(node: &Node, root: &Node) {
    if let Some((scheme, hierarchy)) = node.hierarchy()
        && node.subtree.has_hierarchy
    {
        compare_with_schemes(scheme, hierarchy, root);
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        check_schemes(edge.node, root);
        edges = tail;
    }
}

#[track_caller]
const fn compare_with_schemes(scheme: &SchemeConfig, hierarchy: u64, node: &Node) {
    if let Some((other, of_other)) = node.hierarchy()
        && of_other != hierarchy
        && let Some(scope) = scheme.declared_scopes().contradicts(other.declared_scopes())
    {
        fail!(
            "scope `{}` implies other scopes in `{}` than in `{}`; declare the same `implies(…)` in both, or take `SecurityScopes` where one of them is reached",
            scope,
            scheme.scheme_name,
            other.scheme_name
        );
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        compare_with_schemes(scheme, hierarchy, edge.node);
        edges = tail;
    }
}

/// Checks that whatever implies a required scope means the same in each scheme whose tokens a
/// function at or below the node checks. Otherwise the scope of one issuer would count in the
/// hierarchy of another.
#[track_caller]
pub(super) const fn check_implied(node: &Node, scope: &str) {
    if node.is_asker() {
        check_implying(node, node, false, &Implied { scope, below: None });
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if edge.node.subtree.mixes_hierarchies && !edge.is_unscoped {
            check_implied(edge.node, scope);
        }
        edges = tail;
    }
}

/// A required scope, or one that implies it.
struct Implied<'i> {
    scope: &'i str,
    /// The scope that this one implies.
    below: Option<&'i Self>,
}

impl Implied<'_> {
    /// Returns `true` if the scope is this one, or one that this one implies.
    const fn has(&self, scope: &str) -> bool {
        let mut next = Some(self);
        while let Some(Self { scope: found, below }) = next {
            if const_str::eq(found, scope) {
                return true;
            }
            next = *below;
        }
        false
    }

    /// Returns the scope that is required.
    const fn required(&self) -> &str {
        match self.below {
            Some(below) => below.required(),
            None => self.scope,
        }
    }
}

/// Checks each scope of a scheme at or below `node` that implies `implied`, by the schemes below
/// `asker`. `is_alternative` is `true` below a list of alternatives.
#[track_caller]
const fn check_implying(asker: &Node, node: &Node, is_alternative: bool, implied: &Implied<'_>) {
    if let Some(scheme) = node.as_scheme()
        && node.subtree.has_hierarchy
    {
        let found = Found { scheme, is_alternative };
        let mut scopes = scheme.declared_scopes();
        while let Some((scope, tail)) = scopes.split_first() {
            if const_str::contains(scope.implies, implied.scope) && !implied.has(scope.name) {
                check_known(asker, found, scope, implied.required());
                let scope = Implied { scope: scope.name, below: Some(implied) };
                check_implying(asker, asker, false, &scope);
            }
            scopes = tail;
        }
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        check_implying(asker, edge.node, is_alternative || node.is_one_of(), implied);
        edges = tail;
    }
}

/// A scheme below a function that takes `SecurityScopes`.
#[derive(Clone, Copy)]
struct Found<'n> {
    scheme: &'n SchemeConfig,
    /// `true` if it is below a list of alternatives.
    is_alternative: bool,
}

impl Found<'_> {
    /// Returns `true` if another scheme yields the same credential of the same request.
    const fn is_same_credential(self, other: Found<'_>) -> bool {
        let (source, of_other) = (Source::of(self.scheme.kind), Source::of(other.scheme.kind));
        !(self.is_alternative && other.is_alternative)
            && (source.covers(of_other) || of_other.covers(source))
    }
}

/// Checks that each scheme below `asker` whose credentials it may check knows a scope of a scheme.
#[track_caller]
const fn check_known(asker: &Node, found: Found<'_>, scope: &Scope, required: &str) {
    let mut other = without(asker, false, found, scope.name);
    if other.is_none() {
        other = Ways::through(asker, false, found).unscoped;
    }
    let Some(other) = other else { return };
    let (scope, declaring) = (scope.name, found.scheme.scheme_name);
    if has_alternatives(asker) {
        fail!(
            "scope `{}` implies `{}` in `{}` and is not declared by `{}`, but `{}` checks the scopes of both; check them in each alternative, by a `#[dependency]` that takes `SecurityScopes` there, or declare the same `implies(…)` in both",
            scope,
            required,
            declaring,
            other.scheme_name,
            asker.name()
        );
    }
    fail!(
        "scope `{}` implies `{}` in `{}` and is not declared by `{}`, but `{}` checks the scopes of both; take `SecurityScopes` in a dependency of each, which reaches only one of them, or declare the same `implies(…)` in both",
        scope,
        required,
        declaring,
        other.scheme_name,
        asker.name()
    );
}

/// Returns the first scheme at or below a node that has scopes, does not declare this one, and has
/// another credential than the scheme that declares it.
const fn without<'n>(
    node: &'n Node,
    is_alternative: bool,
    declaring: Found<'_>,
    scope: &str,
) -> Option<&'n SchemeConfig> {
    if let Some(scheme) = node.as_scheme() {
        let found = Found { scheme, is_alternative };
        let is_meant = scheme.holds_scopes()
            && !scheme.declared_scopes().declares(scope)
            && !declaring.is_same_credential(found);
        return if is_meant { Some(scheme) } else { None };
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        let is_alternative = is_alternative || node.is_one_of();
        if !edge.is_unscoped
            && let Some(scheme) = without(edge.node, is_alternative, declaring, scope)
        {
            return Some(scheme);
        }
        edges = tail;
    }
    None
}

const fn has_alternatives(node: &Node) -> bool {
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if has_alternatives(edge.node) {
            return true;
        }
        edges = tail;
    }
    node.is_one_of()
}

/// The ways through a node: one for each choice of an alternative, and of the schemes that may be
/// absent.
///
/// A scheme without scopes, such as an API key, is not asked for any if a token is beside it. If it
/// is the only one on a way, its credential may have scopes, which the scheme does not declare.
#[derive(Clone, Copy)]
struct Ways<'n> {
    /// `true` if a way has no scheme.
    has_empty: bool,
    /// The first scheme of a way whose schemes have no scopes.
    unscoped: Option<&'n SchemeConfig>,
}

impl<'n> Ways<'n> {
    /// One way without a scheme.
    const EMPTY: Self = Self { has_empty: true, unscoped: None };

    /// Returns the ways through a node. `is_alternative` is `true` below a list of alternatives.
    /// Outside, a scheme without scopes that is always required takes no part, and neither does
    /// one with the credential of the scheme that declares a scope.
    const fn through(node: &'n Node, is_alternative: bool, declaring: Found<'_>) -> Self {
        if let Some(scheme) = node.as_scheme() {
            let has_scopes = scheme.holds_scopes();
            let found = Found { scheme, is_alternative };
            let is_chosen =
                (is_alternative || !scheme.auto_error) && !declaring.is_same_credential(found);
            return Self {
                has_empty: !scheme.auto_error || !has_scopes && !is_chosen,
                unscoped: if has_scopes || !is_chosen { None } else { Some(scheme) },
            };
        }
        let mut ways = if node.is_one_of() {
            Self { has_empty: node.has_empty(), unscoped: None }
        } else {
            Self::EMPTY
        };
        let mut edges = node.edges;
        while let [edge, tail @ ..] = edges {
            let below = if edge.is_unscoped {
                Self::EMPTY
            } else {
                Self::through(edge.node, is_alternative || node.is_one_of(), declaring)
            };
            ways = if node.is_one_of() { ways.or(below) } else { ways.and(below) };
            edges = tail;
        }
        ways
    }

    const fn or(self, other: Self) -> Self {
        Self {
            has_empty: self.has_empty || other.has_empty,
            unscoped: match self.unscoped {
                None => other.unscoped,
                some => some,
            },
        }
    }

    const fn and(self, other: Self) -> Self {
        Self {
            has_empty: self.has_empty && other.has_empty,
            unscoped: match (self.unscoped, other.unscoped) {
                (Some(scheme), Some(_)) => Some(scheme),
                (Some(scheme), None) if other.has_empty => Some(scheme),
                (None, Some(scheme)) if self.has_empty => Some(scheme),
                _ => None,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credential::Credential;
    use crate::credential::api_key::ApiKey;
    use crate::credential::bearer_token::BearerToken;
    use crate::plan::check::tests::message;
    use crate::plan::check::{check_dependency, check_scope};
    use crate::plan::node::Edge;
    use crate::scheme::flow::{Flow, Flows};
    use crate::scheme::scope::Scope;

    const READ: Scope = Scope::new("read", "");
    const WRITE: Scope = Scope::new("write", "").with_implied(&["read"]);
    const ADMIN: Scope = Scope::new("admin", "").with_implied(&["write"]);

    fn leaked<T>(value: T) -> &'static T {
        Box::leak(Box::new(value))
    }

    fn scheme(name: &'static str, scopes: &'static [Scope]) -> &'static Node {
        let flows = Flows::new().with_password(Flow::new().with_scopes(scopes));
        let config = SchemeConfig::new::<BearerToken>(name).with_flows(flows);
        leaked(Node::scheme::<BearerToken>(leaked(config)))
    }

    fn key<C: Credential>() -> &'static Node {
        leaked(Node::scheme::<C>(leaked(SchemeConfig::new::<C>("Key"))))
    }

    fn edges(nodes: &[&'static Node]) -> &'static [Edge] {
        let edges: Vec<_> = nodes.iter().map(|node| Edge::new(node, &[])).collect();
        edges.leak()
    }

    fn function(nodes: &[&'static Node]) -> Node {
        Node::function("caller", edges(nodes))
    }

    fn one_of(nodes: &[&'static Node]) -> &'static Node {
        leaked(Node::one_of("Caller", edges(nodes), false))
    }

    #[test]
    fn schemes_below_one_function_agree_on_what_a_scope_implies() {
        fn scheme(scopes: &'static [Scope]) -> &'static Node {
            self::scheme("Login", scopes)
        }
        fn below(schemes: &[&'static Node]) -> Option<String> {
            let node = function(schemes).asks_scopes();
            message(|| check_dependency(&node))
        }
        const MORE: Scope = Scope::new("write", "").with_implied(&["read", "list"]);
        const SAME: Scope = Scope::new("write", "").with_implied(&["list", "read"]);
        let (plain, first) = (scheme(&[READ]), scheme(&[READ, WRITE]));
        assert_eq!(below(&[plain, first, first]), None);
        assert_eq!(below(&[scheme(&[MORE]), scheme(&[SAME])]), None);
        let other = Scope::new("write", "");
        for contradicting in [scheme(&[MORE]), scheme(vec![other].leak())] {
            for schemes in [[first, contradicting], [contradicting, first]] {
                let text = below(&schemes).unwrap();
                assert!(text.starts_with(
                    "scope `write` implies other scopes in `Login` than in `Login`; "
                ));
            }
        }
        // The same scheme on many paths is compared with itself by its hash.
        assert_eq!(below(&[first; 900]), None);
    }

    #[test]
    fn the_hierarchy_of_one_scheme_does_not_count_for_another() {
        fn required(scope: &str, nodes: &[&'static Node]) -> Option<String> {
            let asker = leaked(function(nodes).asks_scopes());
            let above = function(&[asker]);
            let at_asker = message(|| check_scope(asker, scope));
            assert_eq!(at_asker, message(|| check_scope(&above, scope)));
            at_asker
        }
        let ours = scheme("Ours", &[READ, WRITE, ADMIN]);
        let partner = scheme("Partner", &[READ, WRITE]);
        let text = "scope `admin` implies `read` in `Ours` and is not declared by `Partner`, but `caller` checks the scopes of both; ";
        let refused = |text: Option<String>, expected: &str| {
            assert!(text.as_ref().is_some_and(|text| text.starts_with(expected)), "{text:?}");
        };
        for pair in [[ours, partner], [partner, ours]] {
            refused(
                required("read", &[one_of(&pair)]),
                &format!("{text}check them in each alternative"),
            );
            // Both find the same token.
            assert_eq!(required("read", &pair), None);
        }
        static SCOPES: &[Scope] = &[READ];
        let config = SchemeConfig::new::<ApiKey>("Partner").with_scopes(SCOPES);
        let key = leaked(Node::scheme::<ApiKey>(leaked(config)));
        refused(
            required("read", &[ours, key]),
            "scope `write` implies `read` in `Ours` and is not declared by `Partner`, but `caller` checks the scopes of both; take `SecurityScopes` in a dependency of each",
        );
        // Both agree on what implies the scope, or nothing implies it.
        let plain = scheme("Plain", &[READ]);
        assert_eq!(required("admin", &[one_of(&[ours, scheme("Other", &[ADMIN])])]), None);
        assert_eq!(required("read", &[one_of(&[plain, scheme("Other", &[READ])])]), None);
        assert_eq!(
            required("read", &[one_of(&[ours, scheme("Other", &[ADMIN, WRITE, READ])])]),
            None
        );
        // Each alternative checks its own.
        let [ours_asks, partner_asks] =
            [ours, partner].map(|node| leaked(function(&[node]).asks_scopes()));
        let above = function(&[one_of(&[ours_asks, partner_asks])]);
        assert_eq!(message(|| check_scope(&above, "read")), None);
    }

    #[test]
    fn a_credential_without_scopes_takes_part_where_no_token_is_beside_it() {
        fn is_refused(nodes: &[&'static Node]) -> bool {
            let asker = function(nodes).asks_scopes();
            message(|| check_scope(&asker, "read")).is_some_and(|text| text.contains("`Key`"))
        }
        let ours = scheme("Ours", &[READ, WRITE]);
        let (required, optional) = (key::<ApiKey>(), key::<Option<ApiKey>>());
        let both = leaked(function(&[required, ours]));
        let unscoped = vec![Edge::new(ours, &[]), Edge::new(required, &[]).unscoped()];
        let unscoped = leaked(Node::one_of("Caller", unscoped.leak(), false));
        for (nodes, expected) in [
            (&[one_of(&[ours, required])][..], true),
            (&[one_of(&[required, ours])], true),
            (&[one_of(&[both, required])], true),
            (&[one_of(&[ours, one_of(&[both, required])])], true),
            (&[one_of(&[ours, both])], false),
            (&[ours, one_of(&[required, optional])], false),
            (&[unscoped], false),
            (&[ours, required], false),
            (&[ours, optional], false),
        ] {
            assert_eq!(is_refused(nodes), expected, "{nodes:?}");
        }
        let config = SchemeConfig::new::<Option<BearerToken>>("Ours")
            .with_flows(Flows::new().with_password(Flow::new().with_scopes(&[READ, WRITE])));
        let may_be_absent = leaked(Node::scheme::<Option<BearerToken>>(leaked(config)));
        assert!(is_refused(&[may_be_absent, optional]));
        assert!(!is_refused(&[may_be_absent, required]));
    }
}
