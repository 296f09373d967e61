//! Compile errors. Each program in `cases/examples` has the mistakes of one kind, in items that are named
//! after them: programs cost more than items. A mistake that hides others is in a program of its own.
//! Beside it is what the compiler prints. The programs in `frameworks/examples` need the frameworks.

mod handlers;
mod printed;
#[path = "../build/random.rs"]
mod random;
#[path = "../build/handlers.rs"]
mod random_handlers;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use printed::{Printed, printed};

static CASES: LazyLock<BTreeMap<String, Printed>> = LazyLock::new(|| printed("cases"));

#[test]
fn mistakes_are_reported_at_the_users_token() {
    assert_printed("cases/examples", &CASES);
}

#[test]
fn mistakes_with_frameworks_are_reported_at_the_users_token() {
    assert_printed("frameworks/examples", &printed("frameworks"));
}

/// The whole text of an error, as a user's terminal shows it.
#[test]
fn a_misspelt_scope_is_underlined() {
    trybuild::TestCases::new().compile_fail("misspelt_scope.rs");
}

fn assert_printed(programs: &str, printed: &BTreeMap<String, Printed>) {
    for program in files(programs).filter(|path| has_extension(path, "rs")) {
        let name = program.file_stem().unwrap().to_str().unwrap();
        let expected = Path::new(env!("CARGO_MANIFEST_DIR")).join(program.with_extension("txt"));
        expect_test::expect_file![expected].assert_eq(&printed[name].short);
    }
}

/// Checks the first cell of each row in the tables of errors, which quotes the compiler.
#[test]
fn the_documentation_quotes_what_the_compiler_prints() {
    let printed = files("cases/examples")
        .chain(files("frameworks/examples"))
        .filter(|path| has_extension(path, "txt"))
        .map(read);
    let printed = String::from_iter(printed);
    let mut quotes = 0;
    for page in
        files("../../runtime/docs/macros").chain(["../../runtime/docs/compile_errors.md".into()])
    {
        for row in read(page.clone()).lines().filter_map(|line| line.strip_prefix("| ``")) {
            let (quote, _) = row.split_once("`` |").expect("the end of the quote");
            assert!(printed.contains(quote.trim()), "{}: {quote}", page.display());
            quotes += 1;
        }
    }
    assert!(quotes > 70, "{quotes}");
}

/// Checks the code on the page about holes, and what it quotes: each paragraph is in one of the cases,
/// or in the behaviour tests of the holes that compile.
#[test]
fn the_page_about_holes_shows_the_cases() {
    let sources = files("cases/examples")
        .chain(files("frameworks/examples"))
        .chain(["../tests/behaviour/holes.rs".into()])
        .map(read);
    let rendered = CASES.values().map(|printed| printed.rendered.clone());
    let shown = sources.chain(rendered);
    let shown = Vec::from_iter(shown.map(|text| without_indentation(&text)));
    let page = read("../../runtime/docs/holes.md".into());
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

fn files(folder: &str) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(folder).expect("a folder of the repository");
    files.map(|file| file.expect("a file").path())
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

fn read(path: PathBuf) -> String {
    fs::read_to_string(path).expect("a file of the repository")
}
