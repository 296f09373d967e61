//! The checks that `cargo check` evaluates for every item that names dependencies.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "evaluated at compile time, where a panic is a compile error"
)]

pub(crate) mod alternative;
mod hierarchy;
mod space;

use self::hierarchy::check_hierarchies;
use self::space::check_spaces;
use crate::credential::kind::SchemeKind;
use crate::plan::extent::Extent;
use crate::plan::node::{Edge, Node, extent_above};
use crate::plan::output_kind::OutputKind;
use crate::plan::subtree::Subtree;
use crate::scheme::config::SchemeConfig;
use crate::syntax::const_str::{Message, fail};
use crate::syntax::grammar::is_scope_token;

/// Checks that a plan with these edges is small enough to compile. `cargo check` does not need the
/// plan itself.
#[track_caller]
pub const fn check_edges(edges: &[Edge]) {
    let extent = extent_above(edges);
    if extent.is_too_large() {
        check_size(extent);
    }
}

/// Checks that a tree is small enough to compile.
#[track_caller]
const fn check_size(extent: Extent) {
    let Extent { nodes, depth, scopes, is_known, .. } = extent;
    if is_known || !extent.is_too_large() {
        return;
    }
    let max = Extent::MAX;
    if nodes > max.nodes || depth > max.depth {
        fail!(
            "this has {} dependencies, counted once per path, in chains of up to {}; at most {} compile, in chains of {}; depend on a function once, and pass its value on",
            decimal(nodes - 1).as_str(),
            decimal(depth - 1).as_str(),
            decimal(max.nodes - 1).as_str(),
            decimal(max.depth - 1).as_str(),
        );
    }
    fail!(
        "the dependencies of this require {} scopes, including inherited ones; at most {} compile, in {} bytes; require fewer",
        decimal(scopes).as_str(),
        decimal(max.scopes).as_str(),
        decimal(max.bytes).as_str(),
    );
}

const fn decimal(number: usize) -> Message<20> {
    Message::of_number(number)
}

/// Checks that a dependency takes no arguments, because it is named without any.
#[track_caller]
pub const fn check_named(node: &Node) {
    if let Some(parameters) = node.parameters() {
        fail!(
            "`{}` takes arguments; write them where it is named: `{}({})`",
            node.name(),
            node.name(),
            parameters.names
        );
    }
}

/// Checks a scope that is required of a dependency: its grammar, that each scheme below the
/// dependency declares it, and that the dependency or one below it asks for it.
#[track_caller]
pub const fn check_scope(node: &Node, scope: &str) {
    if !node.plainly_declares(scope) {
        check_scope_token(scope);
        check_declared_below(node, scope);
    }
    if !node.subtree.checks_scopes && !node.subtree.is_broken {
        fail_unchecked(node, scope);
    }
}

/// Reports a scope that no function would check.
#[track_caller]
const fn fail_unchecked(node: &Node, scope: &str) -> ! {
    let name = node.name();
    match (unchecked_list(node), node.as_scheme()) {
        (Some((list, Some(alternative))), _) if alternative.as_scheme().is_some() => fail!(
            "scope `{}` is required, but the alternative `{}` of `{}` is a scheme, and a scheme checks no scopes; write a `#[dependency]` that takes `scopes: SecurityScopes` in its place, or `#[security({}, unscoped)]` in `{}`",
            scope,
            alternative.name(),
            list.name(),
            alternative.name(),
            list.name()
        ),
        (Some((list, Some(alternative))), _) => fail!(
            "scope `{}` is required, but the alternative `{}` of `{}` takes no `SecurityScopes` to check it; take `scopes: SecurityScopes` there, or write `#[security({}, unscoped)]` in `{}`",
            scope,
            alternative.name(),
            list.name(),
            alternative.name(),
            list.name()
        ),
        (Some((list, None)), _) => fail!(
            "scope `{}` is required, but every alternative of `{}` is `unscoped`; remove `unscoped` from one that takes `SecurityScopes`",
            scope,
            list.name()
        ),
        (None, Some(scheme)) if yields_token(scheme) => fail!(
            "scope `{}` is required, but `{}` is a scheme, and a scheme checks no scopes; write `verified = Claims` in its attribute, or require it of a `#[dependency]` that takes `#[security({})] token` and `scopes: SecurityScopes`, and calls `scopes.check(…)?`",
            scope,
            name,
            name
        ),
        (None, Some(scheme)) => fail!(
            "scope `{}` is required, but `{}` is a scheme, and a scheme checks no scopes; require it of a `#[dependency]` that takes `#[security({})] {}` and `scopes: SecurityScopes`, and calls `scopes.check(…)?`",
            scope,
            name,
            name,
            credential_of(scheme)
        ),
        (None, None) => fail!(
            "scope `{}` is required, but `{}` and the dependencies below it take no `SecurityScopes` to check it; take `scopes: SecurityScopes` there and call `scopes.check(…)?`, or take `_scopes: SecurityScopes` to only document it",
            scope,
            name
        ),
    }
}

/// Returns the list of alternatives because of which a scope is not checked, although a function
/// below takes [`SecurityScopes`](crate::SecurityScopes). Its first alternative that does not check
/// them is returned with it, or `None` if all are `unscoped`.
const fn unchecked_list(node: &Node) -> Option<(&Node, Option<&Node>)> {
    if !node.subtree.asks_scopes || node.subtree.checks_scopes {
        return None;
    }
    let mut is_unscoped = node.is_one_of();
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if !edge.is_unscoped {
            is_unscoped = false;
            if node.is_one_of() && !edge.node.subtree.asks_scopes {
                return Some((node, Some(edge.node)));
            }
            if let Some(found) = unchecked_list(edge.node) {
                return Some(found);
            }
        }
        edges = tail;
    }
    if is_unscoped { Some((node, None)) } else { None }
}

/// Returns `true` if a scheme yields a token, which it can verify.
const fn yields_token(scheme: &SchemeConfig) -> bool {
    matches!(
        scheme.kind,
        SchemeKind::OAuth2Bearer | SchemeKind::OpenIdConnect { .. } | SchemeKind::HttpBearer { .. }
    )
}

/// Returns the word for the credential of a scheme.
const fn credential_of(scheme: &SchemeConfig) -> &'static str {
    match scheme.kind {
        SchemeKind::ApiKey(_) => "key",
        SchemeKind::HttpBasic | SchemeKind::Http { .. } => "credentials",
        _ => "token",
    }
}

#[track_caller]
const fn check_declared_below(node: &Node, scope: &str) {
    if let Some(scheme) = node.as_scheme()
        && !scheme.declared_scopes().declares(scope)
        && scheme.holds_scopes()
    {
        fail_undeclared(scheme, scope);
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if !edge.is_unscoped {
            check_declared_below(edge.node, scope);
        }
        edges = tail;
    }
}

/// Checks that a scope follows the grammar, so it can appear in a challenge.
#[track_caller]
pub const fn check_scope_token(scope: &str) {
    assert!(
        is_scope_token(scope),
        "a scope is visible ASCII without spaces, `\"` and `\\` (RFC 6749, 3.3); require each scope on its own"
    );
}

/// Checks that a dependency can be a guard. A guard exists only to refuse requests.
#[track_caller]
pub const fn check_guard(node: &Node) {
    check_guard_in(node, None);
}

/// Checks that a dependency can be a guard, or an alternative of this list, which is one.
#[track_caller]
const fn check_guard_in(node: &Node, list: Option<&Node>) {
    if node.is_one_of() && !node.has_empty() {
        let mut edges = node.edges;
        while let [edge, tail @ ..] = edges {
            check_guard_in(edge.node, Some(node));
            edges = tail;
        }
        return;
    }
    // In a list, both names are in one pair of backticks with "` in `" between them.
    let name = match list {
        Some(list) => Message::<256>::of("{}` in `{}", &[node.name(), list.name()]),
        None => Message::of("{}", &[node.name()]),
    };
    if let Some(fault) = fault_of_guard(node) {
        let credential = match node.as_scheme() {
            Some(scheme) => credential_of(scheme),
            None => "",
        };
        fail!(fault, name.as_str(), node.name(), credential);
    }
}

/// Returns why a dependency cannot be a guard, apart from its place in a list: a template that takes
/// how messages call it, its own name, and what its credential is called.
const fn fault_of_guard(node: &Node) -> Option<&'static str> {
    if let Some(scheme) = node.as_scheme() {
        return match (node.is_asker(), scheme.auto_error) {
            (true, true) => None,
            (true, false) => Some(
                "`{}` cannot be a guard, because with `auto_error = false` it lets a request without a token in; take the value as a parameter: `#[security({})] caller: …`",
            ),
            _ if yields_token(scheme) => Some(
                "`{}` cannot be a guard, because a scheme takes any credential; write `verified = Claims` in its attribute, or require a dependency that checks it: `#[dependency] async fn user(#[security({})] token: …) -> Result<User, Error> { … }`",
            ),
            _ => Some(
                "`{}` cannot be a guard, because a scheme takes any credential; require a dependency that checks it: `#[dependency] async fn user(#[security({})] {}: …) -> Result<User, Error> { … }`",
            ),
        };
    }
    if node.has_empty() {
        return Some(
            "`{}` cannot be a guard, because one of its variants lets every request in; take the value as a parameter: `#[security({})] value: …`",
        );
    }
    Some(match node.output() {
        OutputKind::Result => {
            "`{}` yields a `Result` inside its own, and a guard would ignore the inner one; return a single `Result`"
        }
        OutputKind::Verdict if node.builds_errors() => {
            "`{}` cannot be a guard, because the `Option` or `bool` in its `Result` would be discarded; return an error for what must not pass, or take the value as a parameter: `#[security({})] value: …`"
        }
        OutputKind::Verdict => {
            "`{}` cannot be a guard, because its value would be discarded; return a `Result`, or take the value as a parameter: `#[security({})] value: …`"
        }
        OutputKind::Future => {
            "`{}` cannot be a guard, because the future that it yields would never be polled; make it an `async fn` that returns a `Result`"
        }
        OutputKind::Function => {
            "`{}` cannot be a guard, because the function that it yields would never be called; call it in the dependency, and return its `Result`"
        }
        _ if node.subtree.refuses && !lets_any_credential_in(node) => return None,
        _ if node.subtree.refuses => {
            "`{}` cannot be a guard, because it lets any credential in: it returns no `Result`, nor does a dependency between it and its scheme; check the credential there, or write `#[dependency(unverified)]` if something in front of this service has checked it"
        }
        _ if node.is_infallible() => {
            "`{}` cannot be a guard, because its error has no values, so it refuses no request; return an error that has some, such as `BearerError`, or run it for its effect as a parameter: `#[security({})] _value: …`"
        }
        _ if node.subtree.has_scheme => {
            "`{}` cannot be a guard, because a request without any credential passes it; return a `Result` that refuses one, or take the value as a parameter: `#[security({})] value: …`"
        }
        _ => {
            "`{}` cannot be a guard, because it returns no `Result`; return one, or run it for its effect as a parameter: `#[security({})] _value: …`"
        }
    })
}

/// Returns `true` if a scheme finds a credential, and nothing above it can refuse one.
const fn lets_any_credential_in(node: &Node) -> bool {
    let Subtree { has_scheme, verifies, is_broken, .. } = node.subtree;
    has_scheme && !verifies && !is_broken
}

/// Checks that an extracted dependency can refuse a credential, if it needs one: it declares the
/// handlers that take its value.
#[track_caller]
pub const fn check_extracted(node: &Node) {
    if !node.needs_credential() || !lets_any_credential_in(node) {
        return;
    }
    let mut edges = if node.is_one_of() { node.edges } else { &[] };
    while let [edge, tail @ ..] = edges {
        if lets_any_credential_in(edge.node) {
            fail!(
                "`{}` secures the handlers that take its value, but its alternative `{}` lets any credential in; name a `#[dependency]` there that checks it, and returns a `Result`",
                node.name(),
                edge.node.name()
            );
        }
        edges = tail;
    }
    fail!(
        "`{}` secures the handlers that take its value, but lets any credential in: it returns no `Result`, nor does a dependency between it and its scheme; check the credential there, or write `#[dependency(extract, unverified)]` if something in front of this service has checked it",
        node.name()
    );
}

/// Checks that a dependency which says that it is `unverified` could refuse no credential.
#[track_caller]
pub const fn check_unverified(node: &Node) {
    if node.subtree.is_broken {
        return;
    }
    if !node.subtree.has_scheme {
        fail!(
            "`unverified` is about a credential, and `{}` requires no scheme; remove it",
            node.name()
        );
    }
    if node.can_verify() {
        fail!(
            "`unverified` changes nothing here, because `{}` can refuse a credential, or a dependency below it says `unverified` already; remove it",
            node.name()
        );
    }
}

/// Checks that a dependency which says that it `decides` can refuse a request, and that no scheme
/// below it does so for it.
#[track_caller]
pub const fn check_decides(node: &Node) {
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if edge.node.subtree.is_broken {
            return;
        }
        if edge.node.needs_credential() {
            fail!(
                "`decides` changes nothing here, because `{}` refuses a request without a credential before `{}` runs; remove it, or let the credential be absent: `auto_error = false` on the scheme",
                edge.node.name(),
                node.name()
            );
        }
        edges = tail;
    }
    if !node.subtree.has_scheme {
        fail!(
            "`decides` is about a credential that may be absent, and `{}` requires no scheme; remove it",
            node.name()
        );
    }
    if !node.builds_errors() {
        fail!(
            "`decides` says that `{}` refuses requests itself, and it returns no `Result` with an error that has values; return one",
            node.name()
        );
    }
}

/// Checks a dependency: that it is small enough to compile, that all refusals of alternatives are
/// in one format, and, if it takes `SecurityScopes`, that the schemes below it have the same
/// hierarchy and the same resource.
#[track_caller]
pub const fn check_dependency(node: &Node) {
    check_size(node.extent);
    if node.lacks_own_error() {
        fail!(
            "`{}` refuses a request that has no credential, and its schemes answer with an error type; name it here too: `#[one_of(error = ApiError)]`",
            node.name()
        );
    }
    if node.is_asker() {
        check_hierarchies(node);
        check_spaces(node);
    }
}

/// Reports a scope that a scheme does not declare.
#[track_caller]
const fn fail_undeclared(scheme: &SchemeConfig, scope: &str) -> ! {
    let name = scheme.scheme_name;
    match scheme.declared_scopes().nearest(scope) {
        Some(near) => {
            fail!("scope `{}` is not declared by `{}`; did you mean `{}`?", scope, name, near)
        }
        None => fail!(
            "scope `{}` is not declared by `{}`; declare it: `scopes(\"{}\" = \"…\")`",
            scope,
            name,
            scope
        ),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::credential::authorization_value::AuthorizationValue;
    use crate::credential::bearer_token::BearerToken;
    use crate::plan::layout::measure;
    use crate::plan::node::{Function, OneOf};
    use crate::scheme::flow::{Flow, Flows};
    use crate::scheme::scope::Scope;

    const CONFIG: SchemeConfig = SchemeConfig::new::<BearerToken>("OAuth2").with_flows(
        Flows::new().with_password(Flow::new().with_scopes(&[Scope::new("items", "Items.")])),
    );
    const OPTIONAL: SchemeConfig = SchemeConfig::new::<Option<AuthorizationValue>>("Optional");
    static REQUIRED_SCHEME: Node = Node::scheme::<BearerToken>(&CONFIG);
    static OPTIONAL_SCHEME: Node = Node::scheme::<Option<AuthorizationValue>>(&OPTIONAL);
    static ABOVE: Node = Function::new("")
        .node(&[Edge::new(&OPTIONAL_SCHEME, &[]), Edge::new(&REQUIRED_SCHEME, &[])]);
    static ASKS: Node = Function::new("user").asks_scopes().node(&[Edge::new(&ABOVE, &[])]);
    static ABOVE_ASKS: Node = Function::new("").node(&[Edge::new(&ASKS, &[])]);
    static NEVER_REFUSES: Node =
        Function::new("").asks_scopes().node(&[Edge::new(&OPTIONAL_SCHEME, &["x"])]);

    pub(in crate::plan) fn message(
        check: impl FnOnce() + std::panic::UnwindSafe,
    ) -> Option<String> {
        let panic = std::panic::catch_unwind(check).err()?;
        let text = panic.downcast_ref::<String>().cloned();
        text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
    }

    #[test]
    fn a_scope_is_declared_by_each_scheme_below_that_has_flows() {
        for node in [&ASKS, &ABOVE_ASKS] {
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
    fn a_scope_is_asked_for_at_or_below_the_node() {
        let at = |node| message(|| check_scope(node, "items"));
        assert!(
            at(&REQUIRED_SCHEME).is_some_and(|text| text.contains("a scheme checks no scopes"))
        );
        assert!(at(&ABOVE).is_some_and(|text| text.contains("take no `SecurityScopes`")));
        assert_eq!((at(&ASKS), at(&ABOVE_ASKS)), (None, None));
    }

    #[test]
    fn a_guard_refuses_some_requests() {
        for node in [
            Function::new("").fails().node(&[]),
            Function::new("").fails().node(const { &[Edge::new(&ABOVE, &[])] }),
        ] {
            assert_eq!(message(|| check_guard(&node)), None);
        }
        let yields = |output| {
            Function::new("").fails().yields(output).node(const { &[Edge::new(&ABOVE, &[])] })
        };
        let [verdict, result, future] =
            [OutputKind::Verdict, OutputKind::Result, OutputKind::Future].map(yields);
        for node in [&verdict, &future] {
            assert!(
                message(|| check_guard(node))
                    .is_some_and(|text| text.contains("cannot be a guard"))
            );
        }
        assert!(message(|| check_guard(&result)).is_some());
        for node in [&OPTIONAL_SCHEME, &REQUIRED_SCHEME, &NEVER_REFUSES] {
            assert!(
                message(|| check_guard(node))
                    .is_some_and(|text| text.contains("cannot be a guard"))
            );
        }
    }

    #[test]
    fn a_guard_can_refuse_the_credential_of_a_scheme() {
        const CHECKS: &Node =
            &Function::new("checks").fails().node(const { &[Edge::new(&REQUIRED_SCHEME, &[])] });
        const TRUSTS: &Node = &Function::new("trusts")
            .unverified()
            .node(const { &[Edge::new(&REQUIRED_SCHEME, &[])] });
        const BESIDE: &Node = &Function::new("beside").fails().node(&[]);
        const LIST: &[Edge] = &[Edge::new(CHECKS, &[]), Edge::new(&ABOVE, &[])];
        let lets_in = |node: &Node| {
            message(|| check_guard(node)).is_some_and(|text| text.contains("any credential"))
        };
        let above = |edges| Function::new("above").node(edges);
        assert!(lets_in(&ABOVE));
        assert!(lets_in(&above(const { &[Edge::new(&ABOVE, &[]), Edge::new(BESIDE, &[])] })));
        assert!(!lets_in(&above(const { &[Edge::new(&ABOVE, &[]), Edge::new(CHECKS, &[])] })));
        assert!(!lets_in(&above(const { &[Edge::new(TRUSTS, &[])] })));
        assert!(!lets_in(TRUSTS));
        const MIXED: &Node = &OneOf::new("mixed", false).node(LIST);
        assert!(lets_in(MIXED));
        assert!(lets_in(&above(const { &[Edge::new(MIXED, &[])] })));
        assert!(!lets_in(&Function::new("above").fails().node(const { &[Edge::new(MIXED, &[])] })));

        let misplaced = |node: &Node| message(|| check_unverified(node)).is_some();
        assert!(!misplaced(TRUSTS));
        assert!(misplaced(BESIDE));
        assert!(misplaced(CHECKS));
        let above = Function::new("above").unverified();
        assert!(misplaced(&above.node(const { &[Edge::new(TRUSTS, &[])] })));
    }

    #[test]
    fn what_is_too_large_to_compile_says_so_once() {
        const LEAF: &Node = &Function::new("").node(&[]);

        fn above(node: &'static Node, times: usize, scopes: &'static [&'static str]) -> Node {
            Function::new("").node(vec![Edge::new(node, scopes); times].leak())
        }
        fn leaked(node: Node) -> &'static Node {
            Box::leak(Box::new(node))
        }
        let many = "; depend on a function once, and pass its value on";
        let wide = leaked(above(LEAF, 1023, &[]));
        assert_eq!(message(|| check_size(wide.extent)), None);
        let wider = leaked(above(LEAF, 1024, &[]));
        assert_eq!(
            message(|| check_size(wider.extent)).unwrap(),
            format!(
                "this has 1024 dependencies, counted once per path, in chains of up to 1; at most 1023 compile, in chains of 15{many}"
            )
        );
        let mut chain = LEAF;
        for _ in 0..15 {
            assert_eq!(message(|| check_size(chain.extent)), None);
            chain = leaked(above(chain, 1, &[]));
        }
        assert_eq!(message(|| check_size(chain.extent)), None);
        let longer = leaked(above(chain, 1, &[]));
        assert_eq!(
            message(|| check_size(longer.extent)).unwrap(),
            format!(
                "this has 16 dependencies, counted once per path, in chains of up to 16; at most 1023 compile, in chains of 15{many}"
            )
        );
        let scoped = leaked(above(LEAF, 1000, &["a", "b", "c", "d", "e"]));
        assert_eq!(
            message(|| check_size(scoped.extent)).unwrap(),
            "the dependencies of this require 5000 scopes, including inherited ones; at most 4096 compile, in 65536 bytes; require fewer"
        );
        for too_large in [wider, longer, scoped] {
            let above = above(too_large, 2, &["a"]);
            assert_eq!(message(|| check_size(above.extent)), None);
            assert!(message(|| _ = measure(&[Edge::new(leaked(above), &[])])).is_some());
        }
    }
}
