//! The doc comment of a struct, which is the default description of its scheme.

use syn::spanned::Spanned;
use syn::{Attribute, Meta, parse_quote};

use crate::attribute::Text;

/// Returns the doc comment of a struct as one text, as rustdoc shows it.
pub(crate) fn doc_comment(attrs: &[Attribute]) -> Option<Text> {
    let docs: Vec<Text> = attrs.iter().filter_map(doc).collect();
    let literals: Option<Vec<String>> = docs
        .iter()
        .map(|doc| match doc {
            Text::Literal(literal) => Some(literal.value()),
            Text::Constant(_) => None,
        })
        .collect();
    match literals {
        Some(literals) => {
            let text = unindented(
                &literals.iter().map(|text| without_gutter(text)).collect::<Vec<_>>().join("\n"),
            );
            docs.first()
                .filter(|_| !text.is_empty())
                .map(|first| Text::literal(&text, first.span()))
        }
        // Only the compiler knows the text that a macro such as `include_str!` yields.
        None => Some(Text::Constant(Box::new(parse_quote!(::core::concat!(#(#docs, "\n"),*))))),
    }
}

fn doc(attribute: &Attribute) -> Option<Text> {
    match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => Text::from_expression(&pair.value),
        _ => None,
    }
}

/// Strips the ` * ` from the start of each line after the first in a `/** … */` comment.
fn without_gutter(text: &str) -> String {
    let further = || text.lines().skip(1).filter(|line| !line.trim().is_empty());
    if further().next().is_none() || further().any(|line| !line.trim_start().starts_with('*')) {
        return text.to_owned();
    }
    let lines =
        text.lines().enumerate().map(|(number, line)| match line.trim_start().strip_prefix('*') {
            Some(line) if number > 0 => line,
            _ => line,
        });
    lines.collect::<Vec<_>>().join("\n")
}

/// Strips the indentation that all lines share, and blank lines at both ends.
fn unindented(text: &str) -> String {
    let lines = || text.lines().map(str::trim_end);
    let indent = lines()
        .filter(|line| !line.is_empty())
        .map(|line| line.len() - line.trim_start().len())
        .min();
    let lines = lines().map(|line| line.get(indent.unwrap_or(0)..).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use syn::{ItemStruct, parse_quote};

    use super::{Text, doc_comment};

    fn described(item: &ItemStruct) -> Option<String> {
        match doc_comment(&item.attrs)? {
            Text::Literal(literal) => Some(literal.value()),
            Text::Constant(_) => None,
        }
    }

    #[test]
    fn a_doc_comment_is_read_as_rustdoc_shows_it() {
        let cases: [(ItemStruct, Option<&str>); 9] = [
            (
                parse_quote!(
                    struct S;
                ),
                None,
            ),
            (
                parse_quote!(
                    #[doc = ""]
                    struct S;
                ),
                None,
            ),
            (
                parse_quote!(
                    #[doc = " a"]
                    #[doc = ""]
                    #[doc = "  * b"]
                    struct S;
                ),
                Some("a\n\n * b"),
            ),
            (
                parse_quote!(
                    #[doc = "     code"]
                    #[doc = "       more"]
                    struct S;
                ),
                Some("code\n  more"),
            ),
            (
                parse_quote!(
                    #[doc = " one\n * two\n *\n * three\n "]
                    struct S;
                ),
                Some("one\ntwo\n\nthree"),
            ),
            (
                parse_quote!(
                    #[doc = " one\n * two\n three"]
                    struct S;
                ),
                Some("one\n* two\nthree"),
            ),
            (
                parse_quote!(
                    #[doc = "* one\n * two"]
                    struct S;
                ),
                Some("* one\n two"),
            ),
            (
                parse_quote!(
                    #[deprecated = "old"]
                    struct S;
                ),
                None,
            ),
            (
                parse_quote!(
                    #[doc = " one\n two "]
                    struct S;
                ),
                Some("one\ntwo"),
            ),
        ];
        for (item, description) in &cases {
            assert_eq!(described(item).as_deref(), *description);
        }
    }
}
