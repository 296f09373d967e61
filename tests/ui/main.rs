//! Compile errors. Each file under `cases` has the mistakes of one kind, in items that are named after
//! them, next to a `.stderr` file with the compiler's output: programs cost more than items. A mistake
//! that hides others is in a file of its own.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn mistakes_are_reported_at_the_users_token() {
    trybuild::TestCases::new().compile_fail("cases/*.rs");
}

/// Checks the first cell of each row in the tables of errors, which quotes the compiler.
#[test]
fn the_documentation_quotes_what_the_compiler_prints() {
    let printed = printed().concat();
    let mut quotes = 0;
    for page in
        files("../../runtime/docs/macros").chain(["../../runtime/docs/compile_errors.md".into()])
    {
        let text = fs::read_to_string(&page).expect("a file of the repository");
        for row in text.lines().filter_map(|line| line.strip_prefix("| ``")) {
            let (quote, _) = row.split_once("`` |").expect("the end of the quote");
            assert!(
                printed.contains(quote.trim()),
                "{}: {quote}",
                page.display()
            );
            quotes += 1;
        }
    }
    assert!(quotes > 70, "{quotes}");
}

/// Checks the code on the page about holes, and what it quotes: each paragraph is in one of the cases,
/// or in the behaviour tests of the holes that compile.
#[test]
fn the_page_about_holes_shows_the_cases() {
    let shown = files("cases")
        .chain(files("frameworks/cases"))
        .chain(["../tests/behaviour/holes.rs".into()])
        .map(|path| {
            let text = fs::read_to_string(path).expect("a file of the repository");
            without_indentation(&text)
        });
    let shown = Vec::from_iter(shown);
    let page = fs::read_to_string("../../runtime/docs/holes.md").expect("the page");
    let mut paragraphs = 0;
    for block in page.split("```").skip(1).step_by(2) {
        let (_language, block) = block.split_once('\n').expect("a block of lines");
        for paragraph in block.trim_end().split("\n\n") {
            let paragraph = without_indentation(paragraph);
            let is_shown = shown.iter().any(|text| text.contains(&paragraph));
            assert!(is_shown, "{paragraph}");
            paragraphs += 1;
        }
    }
    assert!(paragraphs > 10, "{paragraphs}");
}

fn without_indentation(text: &str) -> String {
    let lines = text.trim_end().lines().map(str::trim);
    Vec::from_iter(lines).join("\n")
}

/// Returns the compiler's output for each mistake.
fn printed() -> Vec<String> {
    let mistakes = files("cases").chain(files("frameworks/cases"));
    let printed = mistakes.filter(|path| path.extension().is_some_and(|it| it == "stderr"));
    let read = |path| fs::read_to_string(path).expect("a file of the repository");
    printed.map(read).collect()
}

fn files(folder: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(folder).expect("a folder of the repository");
    files.map(|file| file.expect("a file").path())
}
