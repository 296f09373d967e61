//! Where a function is. A macro sees only the function, which looks like a free one in an `impl`
//! too, unless it takes `self`.

use std::fs;

use proc_macro::Span;

/// Returns `true` if the attribute of this call is directly inside an `impl`, as the indentation of
/// its file shows. Without the file, nothing is known, and the compiler reports what is expanded
/// there: once for each kind of item.
pub(super) fn is_in_impl() -> bool {
    let at = proc_macro::is_available().then(Span::call_site);
    let Some((at, file)) = at.and_then(|at| Some((at, at.local_file()?))) else { return false };
    // From 1.
    let (line, column) = (at.line(), at.column());
    if column == 1 {
        return false;
    }
    let source = fs::read_to_string(file).unwrap_or_default();
    let above = source.lines().take(line.saturating_sub(1));
    is_below_impl(&above.collect::<Vec<_>>(), column.saturating_sub(1))
}

/// Returns `true` if the block around a column is that of an `impl`.
fn is_below_impl(above: &[&str], column: usize) -> bool {
    let mut outer = above.iter().rev().filter(|line| !line.trim().is_empty());
    let opening = outer.find(|line| indentation(line) < column);
    // A line that opens another block inside of the `impl` says nothing about this one.
    let opens_one = |line: &&&str| line.ends_with('{') && line.matches('{').count() == 1;
    let Some(opening) = opening.filter(opens_one) else { return false };
    // The head may be on several lines.
    let is_head = |line: &&&str| {
        let is_below = indentation(line) > indentation(opening);
        !is_below && line.trim() != "{" && !line.trim().starts_with("where")
    };
    let head = core::iter::once(opening).chain(outer).find(is_head);
    let head = head.map(|line| line.trim()).unwrap_or_default();
    let head = head.strip_prefix("unsafe ").unwrap_or(head);
    head.strip_prefix("impl").is_some_and(|rest| rest.starts_with([' ', '<']))
}

fn indentation(line: &str) -> usize {
    line.chars().take_while(|letter| letter.is_whitespace()).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impl_is_known_by_the_line_above_that_is_less_indented() {
        for (source, is_in_impl) in [
            ("impl Api {\n    #", true),
            ("impl<T> Api<T> {\n    fn other() {\n    }\n\n    #", true),
            ("unsafe impl Api {\n\t#", true),
            ("impl<T> Api<T>\nwhere\n    T: Send,\n{\n    #", true),
            ("impl<T> Trait<T>\n    for Api<T>\n{\n    #", true),
            ("mod tests {\n    impl Api {\n        #", true),
            ("#", false),
            ("impl Api {\n}\n#", false),
            ("impl Api {}\n    #", false),
            ("mod tests {\n    #", false),
            ("mod tests {\n    impl Api {\n    }\n\n    #", false),
            ("impl Api {\n    fn other() {\n        #", false),
            ("implied! {\n    #", false),
            ("impl Api { fn other() {\n    #", false),
            ("trait Api {\n    #", false),
        ] {
            let mut lines = Vec::from_iter(source.lines());
            let attribute = lines.pop().map(indentation);
            assert_eq!(
                is_below_impl(&lines, attribute.unwrap_or_default()),
                is_in_impl,
                "{source}"
            );
        }
    }
}
