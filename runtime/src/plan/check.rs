//! The checks that `cargo check` evaluates for every item that names dependencies.

#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "evaluated at compile time, where a panic is a compile error"
)]

use super::check_hierarchy::{check_implied, check_schemes};
use super::check_space::check_spaces;
use super::extent::Extent;
use super::node::{Edge, Node, OutputKind};
use crate::const_str;
use crate::scheme::bearer_error::is_scope_token;
use crate::scheme::config::{SchemeConfig, SchemeKind};

/// Checks that a plan with these edges is small enough to compile. `cargo check` does not need the
/// plan itself.
#[track_caller]
pub const fn check_edges(edges: &[Edge]) {
    check_size(Extent::above(edges));
}

/// Checks that a tree is small enough to compile.
#[track_caller]
const fn check_size(extent: Extent) {
    let Extent {
        nodes,
        depth,
        scopes,
        is_known,
        ..
    } = extent;
    if is_known || !extent.is_too_large() {
        return;
    }
    let max = Extent::MAX;
    let mut text = const_str::Message::<512>::new();
    if nodes > max.nodes || depth > max.depth {
        text.push("this has ");
        text.push_number(nodes - 1);
        text.push(" dependencies, counted once per path, in chains of up to ");
        text.push_number(depth - 1);
        text.push("; at most ");
        text.push_number(max.nodes - 1);
        text.push(" compile, in chains of ");
        text.push_number(max.depth - 1);
        text.push("; depend on a function once, and pass its value on");
    } else {
        text.push("the dependencies of this require ");
        text.push_number(scopes);
        text.push(" scopes, including inherited ones; at most ");
        text.push_number(max.scopes);
        text.push(" compile, in ");
        text.push_number(max.bytes);
        text.push(" bytes; require fewer");
    }
    panic!("{}", text.as_str());
}

/// Checks a scope that is required of a dependency: its grammar, that each scheme below the
/// dependency declares it, that the dependency or one below it asks for it, and that no scope
/// implies it in one scheme alone.
#[track_caller]
pub const fn check_scope(node: &Node, scope: &str) {
    check_scope_token(scope);
    check_declared_below(node, scope);
    if !node.checks_scopes && !node.is_broken {
        panic!("{}", unchecked(node, scope).as_str());
    }
    if node.mixes_hierarchies {
        check_implied(node, scope);
    }
}

/// Returns the error message for a scope that no function would check.
const fn unchecked(node: &Node, scope: &str) -> const_str::Message<512> {
    let mut text = const_str::Message::new();
    text.push("scope `");
    text.push(scope);
    text.push("` is required, but ");
    match (unchecked_list(node), node.scheme) {
        (Some((list, Some(alternative))), _) => push_unscoped(&mut text, list, alternative),
        (Some((list, None)), _) => {
            text.push("every alternative of `");
            text.push(list.name);
            text.push("` is `unscoped`; remove `unscoped` from one that takes `SecurityScopes`");
        }
        (None, Some(scheme)) => {
            text.push("`");
            text.push(node.name);
            text.push("` is a scheme, and a scheme checks no scopes; require it of a `#[dependency]` that takes `#[security(");
            text.push(node.name);
            text.push(")] ");
            text.push(credential_of(scheme));
            text.push("` and `scopes: SecurityScopes`, and calls `scopes.check(…)?`");
        }
        (None, None) => {
            text.push("`");
            text.push(node.name);
            text.push("` and the dependencies below it take no `SecurityScopes` to check it; take `scopes: SecurityScopes` there and call `scopes.check(…)?`, or take `_scopes: SecurityScopes` to only document it");
        }
    }
    text
}

/// Adds that one alternative of a list would not check a scope.
const fn push_unscoped(text: &mut const_str::Message<512>, list: &Node, alternative: &Node) {
    text.push("the alternative `");
    text.push(alternative.name);
    text.push("` of `");
    text.push(list.name);
    if alternative.scheme.is_some() {
        text.push("` is a scheme, and a scheme checks no scopes; write a `#[dependency]` that takes `scopes: SecurityScopes` in its place, or `#[security(");
    } else {
        text.push("` takes no `SecurityScopes` to check it; take `scopes: SecurityScopes` there, or write `#[security(");
    }
    text.push(alternative.name);
    text.push(", unscoped)]` in `");
    text.push(list.name);
    text.push("`");
}

/// Returns the list of alternatives because of which a scope is not checked, although a function
/// below takes [`SecurityScopes`](crate::SecurityScopes). Its first alternative that does not check
/// them is returned with it, or `None` if all are `unscoped`.
const fn unchecked_list(node: &Node) -> Option<(&Node, Option<&Node>)> {
    if !node.asks_scopes || node.checks_scopes {
        return None;
    }
    let mut is_unscoped = node.is_one_of;
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        if !edge.is_unscoped {
            is_unscoped = false;
            if node.is_one_of && !edge.node.asks_scopes {
                return Some((node, Some(edge.node)));
            }
            if let Some(found) = unchecked_list(edge.node) {
                return Some(found);
            }
        }
        edges = tail;
    }
    if is_unscoped {
        Some((node, None))
    } else {
        None
    }
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
const fn check_declared_below(mut node: &Node, scope: &str) {
    // A chain without branches is walked without calls, which cost the const evaluator the most.
    while let [edge] = node.edges
        && !edge.is_unscoped
    {
        node = edge.node;
    }
    if let Some(scheme) = node.scheme
        && !scheme.declared_scopes().declares(scope)
        && scheme.holds_scopes()
    {
        panic!("{}", undeclared(scheme, scope).as_str());
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
    if node.is_one_of && !node.has_empty {
        let mut edges = node.edges;
        while let [edge, tail @ ..] = edges {
            check_guard_in(edge.node, Some(node));
            edges = tail;
        }
        return;
    }
    let mut text = const_str::Message::<512>::new();
    text.push("`");
    text.push(node.name);
    if let Some(list) = list {
        text.push("` in `");
        text.push(list.name);
    }
    if let Some(scheme) = node.scheme {
        let credential = credential_of(scheme);
        text.push("` cannot be a guard, because a scheme takes any ");
        text.push(credential);
        text.push("; require a dependency that checks ");
        text.push(if const_str::eq(credential, "credentials") {
            "them"
        } else {
            "it"
        });
        text.push(": `#[dependency] async fn user(#[security(");
        text.push(node.name);
        text.push(")] ");
        text.push(credential);
        text.push(": …) -> Result<User, Error> { … }`");
    } else if node.has_empty {
        text.push("` cannot be a guard, because one of its variants lets every request in; take the value as a parameter: `#[security(");
        text.push(node.name);
        text.push(")] value: …`");
    } else if let OutputKind::Result = node.output {
        text.push("` yields a `Result` inside its own, and a guard would ignore the inner one; return a single `Result`");
    } else if let OutputKind::Verdict = node.output {
        text.push("` cannot be a guard, because nobody would look at the value that it yields; return a `Result`, or take the value as a parameter: `#[security(");
        text.push(node.name);
        text.push(")] value: …`");
    } else if let OutputKind::Future = node.output {
        text.push("` cannot be a guard, because nobody would poll the future that it yields; make it an `async fn` that returns a `Result`");
    } else if let OutputKind::Function = node.output {
        text.push("` cannot be a guard, because nobody would call the function that it yields; call it in the dependency, and return its `Result`");
    } else if node.refuses {
        return;
    } else if node.is_infallible {
        text.push("` cannot be a guard, because its error has no values, so it refuses no request; return an error that has some, such as `BearerError`, or run it for its effect as a parameter: `#[security(");
        text.push(node.name);
        text.push(")] _value: …`");
    } else {
        text.push("` cannot be a guard, because it returns no `Result`; return one, or run it for its effect as a parameter: `#[security(");
        text.push(node.name);
        text.push(")] _value: …`");
    }
    panic!("{}", text.as_str());
}

/// Checks a dependency: that it is small enough to compile, and, if it takes `SecurityScopes`, that
/// the schemes below it agree on what each scope implies, and on the resource.
#[track_caller]
pub const fn check_dependency(node: &Node) {
    check_size(node.extent);
    if node.is_asker {
        if node.has_hierarchy {
            check_schemes(node, node);
        }
        check_spaces(node);
    }
}

/// Returns the error message for a scope that a scheme does not declare.
const fn undeclared(scheme: &SchemeConfig, scope: &str) -> const_str::Message<512> {
    let mut text = const_str::Message::new();
    text.push("scope `");
    text.push(scope);
    text.push("` is not declared by `");
    text.push(scheme.scheme_name);
    match scheme.declared_scopes().nearest(scope) {
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

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::plan::layout::measure;
    use crate::scheme::{Flow, Flows, Scope};
    use crate::{AuthorizationValue, BearerToken};

    const CONFIG: SchemeConfig = SchemeConfig::new::<BearerToken>("OAuth2").with_flows(
        Flows::new().with_password(Flow::new().with_scopes(&[Scope::new("items", "Items.")])),
    );
    const OPTIONAL: SchemeConfig = SchemeConfig::new::<Option<AuthorizationValue>>("Optional");
    static REQUIRED_SCHEME: Node = Node::scheme::<BearerToken>(&CONFIG);
    static OPTIONAL_SCHEME: Node = Node::scheme::<Option<AuthorizationValue>>(&OPTIONAL);
    static ABOVE: Node = Node::function(
        "",
        &[
            Edge::new(&OPTIONAL_SCHEME, &[]),
            Edge::new(&REQUIRED_SCHEME, &[]),
        ],
    );
    static ASKS: Node = Node::function("user", &[Edge::new(&ABOVE, &[])]).asks_scopes();
    static ABOVE_ASKS: Node = Node::function("", &[Edge::new(&ASKS, &[])]);
    static NEVER_REFUSES: Node =
        Node::function("", &[Edge::new(&OPTIONAL_SCHEME, &["x"])]).asks_scopes();

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
        assert_eq!(message(|| check_guard(&ABOVE)), None);
        assert_eq!(
            message(|| check_guard(&Node::function("", &[]).fails())),
            None
        );
        let function = || Node::function("", const { &[Edge::new(&ABOVE, &[])] }).fails();
        let verdict = function().yields(OutputKind::Verdict);
        let (result, future) = (
            function().yields(OutputKind::Result),
            function().yields(OutputKind::Future),
        );
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
            assert!(message(|| _ = measure(&above)).is_some());
        }
    }
}
