//! A page of the runtime crate's documentation. Its links lead to files, as on a code host; in
//! rustdoc they have to lead to the modules and macros that show these files.

use std::path::Path;
use std::{env, fs};

use proc_macro2::{Literal, Span, TokenStream, TokenTree};
use syn::Error;

/// Reads a page, such as `macros / plan`, as a string literal.
pub(crate) fn expand(page: &TokenStream) -> TokenStream {
    let page = page.to_string().replace(' ', "");
    let folder = env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let path = Path::new(&folder).join(format!("docs/{page}.md"));
    match fs::read_to_string(path) {
        Ok(text) => {
            let text = linked(&text, page.starts_with("macros/"));
            TokenTree::from(Literal::string(&text)).into()
        }
        Err(error) => Error::new(Span::call_site(), error).into_compile_error(),
    }
}

/// Replaces the links to files.
fn linked(text: &str, is_of_a_macro: bool) -> String {
    let mut parts = text.split("](");
    let mut linked = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        linked.push_str("](");
        let end = part.find([')', '#']).unwrap_or(part.len());
        let (file, rest) = part.split_at(end);
        match file.strip_suffix(".md") {
            Some(name) if !name.contains(':') => linked.push_str(&item(name, is_of_a_macro)),
            _ => linked.push_str(file),
        }
        linked.push_str(rest);
    }
    linked
}

/// Returns the path of the item that shows a page.
fn item(page: &str, is_from_a_macro: bool) -> String {
    let (is_macro, name) = match page.strip_prefix(if is_from_a_macro { "../" } else { "macros/" })
    {
        Some(name) => (!is_from_a_macro, name),
        None => (is_from_a_macro, page),
    };
    match name {
        "README" => "mod@crate".to_owned(),
        name if is_macro => format!("macro@crate::{name}"),
        name => format!("mod@crate::guide::{name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_items() {
        let page = "[a](b.md), [c](macros/d.md#e), [f](README.md), [g](https://h.md), [i](#j)";
        assert_eq!(
            linked(page, false),
            "[a](mod@crate::guide::b), [c](macro@crate::d#e), [f](mod@crate), [g](https://h.md), [i](#j)"
        );
        let page = "[a](b.md), [c](../d.md#e), [f](../README.md)";
        assert_eq!(
            linked(page, true),
            "[a](macro@crate::b), [c](mod@crate::guide::d#e), [f](mod@crate)"
        );
    }
}
