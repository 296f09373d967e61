//! The checks of the protection spaces below a function that takes `SecurityScopes`: it refuses
//! tokens with the challenge of one of them, and verifies tokens for the resource of one of them.

use crate::plan::branch::scheme_with_space;
use crate::plan::node::Node;
use crate::scheme::config::SchemeConfig;
use crate::scheme::setting::text_or_setting::TextOrSetting;
use crate::syntax::const_str::{self, fail};

/// Checks that the schemes below a function with `Bearer` challenges have the same resource, and
/// the same realm if the function builds errors.
#[track_caller]
pub(super) const fn check_spaces(node: &Node) {
    if let Some(scheme) = scheme_with_space(node) {
        check_space(node, scheme, node.builds_errors());
    }
}

/// Compares each scheme at or below a node with `scheme`.
#[track_caller]
const fn check_space(node: &Node, scheme: &SchemeConfig, builds_errors: bool) {
    if let Some(other) = node.as_scheme()
        && other.has_bearer_challenge()
    {
        let is_one = const_str::eq(scheme.scheme_name, other.scheme_name);
        let has_same_resource = is_same(scheme.resource, other.resource, is_one);
        if builds_errors && !(has_same_resource && is_same(scheme.realm, other.realm, is_one)) {
            fail!(
                "`{}` and `{}` have different realms or resources, so the challenge of an error here would be wrong for one of them; take `SecurityScopes` in a dependency of each, which reaches only one of them",
                scheme.scheme_name,
                other.scheme_name
            );
        }
        if !has_same_resource {
            fail!(
                "`{}` and `{}` have different resources, so a token verified here would need the audience of the first one, whatever scheme found it; take `SecurityScopes` in a dependency of each, which reaches only one of them",
                scheme.scheme_name,
                other.scheme_name
            );
        }
    }
    let mut edges = node.edges;
    while let [edge, tail @ ..] = edges {
        check_space(edge.node, scheme, builds_errors);
        edges = tail;
    }
}

/// Returns `true` if two schemes declare the same value, or none. Whether two values that are set
/// later are the same is not known, unless the schemes are one in the description.
const fn is_same(value: Option<TextOrSetting>, other: Option<TextOrSetting>, is_one: bool) -> bool {
    match (value, other) {
        (Some(TextOrSetting::Text(value)), Some(TextOrSetting::Text(other))) => {
            const_str::eq(value, other)
        }
        (Some(TextOrSetting::Setting(_)), Some(TextOrSetting::Setting(_))) => is_one,
        (value, other) => value.is_none() && other.is_none(),
    }
}
