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
        files("../../runtime/docs/macros").chain(["../../runtime/docs/troubleshooting.md".into()])
    {
        for row in read(page.clone()).lines().filter_map(|line| line.strip_prefix("| ``")) {
            let (quote, _) = row.split_once("`` |").expect("the end of the quote");
            assert!(printed.contains(quote.trim()), "{}: {quote}", page.display());
            quotes += 1;
        }
    }
    assert!(quotes > 50, "{quotes}");
}

/// Checks the section about published holes: each row names a case, or a behaviour test of a hole
/// that compiles, and what the section quotes is there too.
#[test]
fn the_section_about_holes_shows_the_cases() {
    let sources = files("cases/examples")
        .chain(files("frameworks/examples"))
        .chain(["../tests/behaviour/holes.rs".into()])
        .map(|path| {
            let name = path.display().to_string();
            name + "\n" + &without_indentation(&read(path))
        });
    let rendered = CASES.values().map(|printed| without_indentation(&printed.rendered));
    let shown = Vec::from_iter(sources.chain(rendered));
    let is_shown = |text: &str| shown.iter().any(|shown| shown.contains(text));
    let page = read("../../runtime/docs/security.md".into());
    let (_, section) = page.split_once("\n# Published holes\n").expect("the section");
    let section = section.split("\n# ").next().unwrap_or_default();
    let mut holes = 0;
    for row in section.lines().filter(|line| line.starts_with("| [")) {
        let name = row.trim_end_matches(" |").rsplit("| ").next().unwrap_or_default();
        assert!(is_shown(name.trim_matches('`')), "{row}");
        holes += 1;
    }
    assert_eq!(holes, 8);
    let mut quotes = 0;
    for block in section.split("```").skip(1).step_by(2) {
        let (_language, block) = block.split_once('\n').expect("a block of lines");
        assert!(is_shown(&without_indentation(block)), "{block}");
        quotes += 1;
    }
    assert!(quotes > 0);
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
