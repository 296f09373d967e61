//! The check of the hierarchies below a function that takes `SecurityScopes`. It checks the tokens
//! of all schemes below it by one hierarchy, so a scope must mean the same in each of them.

use crate::plan::node::Node;
use crate::scheme::config::SchemeConfig;
use crate::syntax::const_str::fail;

/// Checks that all schemes below a function have one hierarchy, or none has one.
#[track_caller]
pub(super) const fn check_hierarchies(asker: &Node) {
    if asker.subtree.has_hierarchy {
        compare(asker, asker, true, &mut None);
    }
}

/// Compares each scheme at or below `node` with the first one. `is_required` is `false` below a
/// list of alternatives.
#[track_caller]
const fn compare<'n>(
    asker: &Node,
    node: &'n Node,
    is_required: bool,
    first: &mut Option<(&'n SchemeConfig, u64)>,
) {
    if let Some((scheme, hierarchy)) = node.hierarchy() {
        // A key next to a token has no scopes to check. Instead of a token, it may have some.
        if is_required && scheme.auto_error && scheme.declared_scopes().is_empty() {
            return;
        }
        match *first {
            None => *first = Some((scheme, hierarchy)),
            // A scheme that is reached on many paths is known by its hash.
            Some((_, of_first)) if of_first == hierarchy => {}
            Some((first, _)) => {
                check_implied(asker, first, scheme);
                check_implied(asker, scheme, first);
            }
        }
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if !edge.is_unscoped {
            compare(asker, edge.node, is_required && !node.is_one_of(), first);
        }
        edges = tail;
    }
}

/// Checks that what a scope of one scheme implies, it implies in another one too.
#[track_caller]
const fn check_implied(asker: &Node, scheme: &SchemeConfig, other: &SchemeConfig) {
    if let Some((scope, implied)) = scheme.declared_scopes().implied_beyond(other.declared_scopes())
    {
        fail!(
            "scope `{}` implies `{}` in `{}` but not in `{}`, and `{}` checks the scopes of both; check them in each alternative, by a `#[dependency]` that takes `SecurityScopes` and reaches only one of them, or declare the same `implies(…)` in both",
            scope,
            implied,
            scheme.scheme_name,
            other.scheme_name,
            asker.name()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::credential::Credential;
    use crate::credential::api_key::ApiKey;
    use crate::credential::bearer_token::BearerToken;
    use crate::plan::check::check_dependency;
    use crate::plan::check::tests::message;
    use crate::plan::node::{Edge, Function, OneOf};
    use crate::scheme::flow::{Flow, Flows};
    use crate::scheme::scope::Scope;

    const READ: Scope = Scope::new("read", "");
    const LIST: Scope = Scope::new("list", "");
    const WRITE: Scope = Scope::new("write", "").with_implied(&["read"]);
    const ADMIN: Scope = Scope::new("admin", "").with_implied(&["write"]);

    fn leaked<T>(value: T) -> &'static T {
        Box::leak(Box::new(value))
    }

    fn token<C: Credential>(name: &'static str, scopes: &'static [Scope]) -> &'static Node {
        let flows = Flows::new().with_password(Flow::new().with_scopes(scopes));
        let config = SchemeConfig::new::<C>(name).with_flows(flows);
        leaked(Node::scheme::<C>(leaked(config)))
    }

    fn scheme(name: &'static str, scopes: &'static [Scope]) -> &'static Node {
        token::<BearerToken>(name, scopes)
    }

    fn key<C: Credential>() -> &'static Node {
        leaked(Node::scheme::<C>(leaked(SchemeConfig::new::<C>("Key"))))
    }

    fn edges(nodes: &[&'static Node]) -> &'static [Edge] {
        let edges: Vec<_> = nodes.iter().map(|node| Edge::new(node, &[])).collect();
        edges.leak()
    }

    fn function(nodes: &[&'static Node]) -> Node {
        Function::new("caller").node(edges(nodes))
    }

    /// Returns a function that takes `SecurityScopes`.
    fn asker(nodes: &[&'static Node]) -> Node {
        Function::new("caller").asks_scopes().node(edges(nodes))
    }

    fn one_of(nodes: &[&'static Node]) -> &'static Node {
        leaked(OneOf::new("Caller", false).node(edges(nodes)))
    }

    /// Returns the error for a function that takes `SecurityScopes`, with these nodes below it.
    fn refused(nodes: &[&'static Node]) -> Option<String> {
        let asker = asker(nodes);
        message(|| check_dependency(&asker))
    }

    #[test]
    fn what_implies_what_is_the_same_in_all_schemes() {
        const MORE: Scope = Scope::new("write", "").with_implied(&["read", "list"]);
        const SAME: Scope = Scope::new("write", "").with_implied(&["list", "read"]);
        let ours = scheme("Ours", &[READ, WRITE, ADMIN]);
        let (more, plain) = (scheme("More", &[READ, MORE, ADMIN]), scheme("Plain", &[READ]));
        for same in [
            &[ours, scheme("Other", &[ADMIN, LIST, WRITE])][..],
            &[more, scheme("Same", &[SAME, ADMIN])],
            &[plain, scheme("Flat", &[LIST])],
            &[ours; 900],
        ] {
            assert_eq!(refused(same), None);
            assert_eq!(refused(&[one_of(same)]), None);
        }
        for (others, text) in [
            (
                [ours, more],
                "scope `write` implies `list` in `More` but not in `Ours`, and `caller` ",
            ),
            (
                [ours, plain],
                "scope `write` implies `read` in `Ours` but not in `Plain`, and `caller` ",
            ),
            (
                [scheme("Partner", &[READ, WRITE]), ours],
                "scope `admin` implies `write` in `Ours` but not in `Partner`, and `caller` ",
            ),
        ] {
            for others in [others, [others[1], others[0]]] {
                for nodes in [&others[..], &[one_of(&others)], &[leaked(function(&others))]] {
                    assert!(refused(nodes).is_some_and(|found| found.starts_with(text)));
                }
            }
        }
    }

    #[test]
    fn each_function_checks_its_own_hierarchy() {
        let [ours, partner] = [scheme("Ours", &[READ, WRITE]), scheme("Partner", &[READ])]
            .map(|node| leaked(asker(&[node])));
        let alternatives = function(&[one_of(&[ours, partner])]);
        assert_eq!(message(|| check_dependency(&alternatives)), None);
        assert!(refused(&[one_of(&[ours, partner])]).is_some());
    }

    #[test]
    fn a_credential_without_scopes_counts_unless_every_request_needs_it() {
        let ours = scheme("Ours", &[READ, WRITE]);
        let may_be_absent = token::<Option<BearerToken>>("Ours", &[READ, WRITE]);
        let (required, optional) = (key::<ApiKey>(), key::<Option<ApiKey>>());
        let both = leaked(function(&[required, ours]));
        let unscoped = vec![Edge::new(ours, &[]), Edge::new(required, &[]).unscoped()];
        let unscoped = leaked(OneOf::new("Caller", false).node(unscoped.leak()));
        for (nodes, expected) in [
            (&[one_of(&[ours, required])][..], true),
            (&[one_of(&[required, ours])], true),
            (&[one_of(&[both, required])], true),
            (&[one_of(&[ours, one_of(&[both, required])])], true),
            (&[may_be_absent, optional], true),
            (&[one_of(&[ours, both])], true),
            (&[ours, one_of(&[required, optional])], true),
            (&[ours, optional], true),
            (&[unscoped], false),
            (&[ours, required], false),
            (&[both], false),
            (&[may_be_absent, required], false),
        ] {
            let text = refused(nodes);
            assert_eq!(text.is_some_and(|text| text.contains("`Key`")), expected, "{nodes:?}");
        }
    }
}
