//! The error about an argument that does not belong to a requirement.

use darling::Error;
use darling::ast::NestedMeta;
use quote::ToTokens;
use syn::Meta;
use syn::spanned::Spanned;

use super::Site;
use super::flag::Flag;
use crate::attribute::{duplicate, error_at, is_near, name, unknown};

/// The error about a `layer` without a path.
pub(super) const LAYER: &str = "`layer` names the dependency of the layer around the handler; write `#[secured(layer = current_user, scopes(\"items\"))]`";

/// Returns the error about an argument that does not belong here.
pub(super) fn mistake(item: &NestedMeta, has_path: bool, site: Site) -> Error {
    let found = name(item).unwrap_or_default();
    if let NestedMeta::Meta(Meta::Path(path)) = item
        && let Some(flag) = Flag::named(path)
    {
        return error_at(path.span(), flag.mistake);
    }
    let (sentence, at) = match item {
        NestedMeta::Meta(Meta::List(list)) if list.path.is_ident("scopes") => {
            return duplicate("scopes", &list.path);
        }
        NestedMeta::Meta(meta) if meta.path().is_ident("scopes") && has_path => {
            ("`scopes` is a list; write `scopes(\"items\")`".to_owned(), meta.path().span())
        }
        NestedMeta::Meta(Meta::Path(path))
            if site == Site::Variant
                && (is_near(&found, "unscoped") || is_near(&found, "lenient")) =>
        {
            return unknown("argument", &found, &["unscoped", "lenient"], path);
        }
        NestedMeta::Meta(Meta::Path(path)) if is_near(&found, "scopes") => {
            return unknown("argument", &found, &["scopes"], path);
        }
        NestedMeta::Meta(Meta::Path(path)) => (site.second(&found), path.span()),
        NestedMeta::Meta(Meta::List(list)) if has_path && site != Site::Operation => {
            return unknown("argument", &found, &["scopes"], &list.path);
        }
        NestedMeta::Meta(Meta::List(list))
            if site == Site::Guard && list.path.is_ident("layer") =>
        {
            (LAYER.to_owned(), list.path.span())
        }
        NestedMeta::Meta(Meta::List(list)) => (
            "a scheme or a dependency is named, not called; write its path without `()`".to_owned(),
            list.path.span(),
        ),
        NestedMeta::Lit(lit) if has_path => {
            let example = site.written(&format!("…, scopes({})", lit.to_token_stream()));
            (format!("scopes must be in a list; write `{example}`"), lit.span())
        }
        NestedMeta::Lit(lit) => (
            "a scheme or a dependency is a path, not a string; write its name without quotes"
                .to_owned(),
            lit.span(),
        ),
        NestedMeta::Meta(Meta::NameValue(pair)) => (unknown_pair(&found, site), pair.path.span()),
        NestedMeta::NameValueInvalidExpr(pair) => (unknown_pair(&found, site), pair.path.span()),
    };
    error_at(at, sentence)
}

fn unknown_pair(name: &str, site: Site) -> String {
    if name == "use_cache" && matches!(site, Site::Parameter | Site::Variant) {
        return "unknown argument `use_cache`; write `#[security(current_user, fresh)]`".to_owned();
    }
    let example = site.written("current_user, scopes(\"admin\")");
    format!("unknown argument `{name}`; write a dependency and its scopes: `{example}`")
}
