//! Checks that the text which an editor shows of a macro is an excerpt of the macro's page.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, ExprLit, File, Item, Lit, Meta, Token};

/// Each line of the excerpt is a line of the page, in the same order, and both begin with the same.
#[test]
fn excerpts_are_of_the_page() {
    let pages = Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime/docs/macros");
    let mut excerpts = excerpts(include_str!("../lib.rs"));
    for page in fs::read_dir(pages).unwrap() {
        let path = page.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let excerpt = excerpts.remove(name).unwrap_or_else(|| panic!("`{name}` has no excerpt"));
        let page = fs::read_to_string(&path).unwrap();
        assert_eq!(excerpt.lines().next(), page.lines().next(), "{name}");
        let mut rest = page.lines();
        for line in excerpt.lines() {
            assert!(
                rest.any(|found| found == line),
                "{name}: `{line}` is not on the page, or not there"
            );
        }
        assert!(
            excerpt.contains(&format!("{name}!(")) || excerpt.matches("```").count() == 2,
            "{name}: no example"
        );
        // The files are not there for an editor.
        assert!(!excerpt.contains(".md"), "{name}: a link to a file");
    }
    assert!(excerpts.is_empty(), "without a page: {excerpts:?}");
}

/// Returns the excerpts of the macros, by their names.
fn excerpts(source: &str) -> BTreeMap<String, String> {
    let items = syn::parse_str::<File>(source).unwrap().items;
    let excerpts = items.iter().filter_map(|item| {
        let Item::Fn(function) = item else { return None };
        let derive = function.attrs.iter().find(|attr| attr.path().is_ident("proc_macro_derive"));
        let name = match derive {
            Some(derive) => {
                derive.meta.require_list().unwrap().tokens.clone().into_iter().next()?.to_string()
            }
            None => function.sig.ident.to_string(),
        };
        Some((name, function.attrs.iter().find_map(excerpt)?))
    });
    excerpts.collect()
}

/// Returns the text in `#[cfg_attr(rust_analyzer, doc = "…")]`.
fn excerpt(attr: &Attribute) -> Option<String> {
    let list = attr.meta.require_list().ok().filter(|list| list.path.is_ident("cfg_attr"))?;
    let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens.clone());
    match parts.unwrap().into_iter().collect::<Vec<_>>().as_slice() {
        [Meta::Path(editor), Meta::NameValue(doc)] if editor.is_ident("rust_analyzer") => {
            match &doc.value {
                Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
                _ => None,
            }
        }
        _ => None,
    }
}
