//! Compile errors, grouped by kind. Each file under `cases` contains one mistake, next to a `.stderr`
//! file with the compiler's output.

use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn mistakes_are_reported_at_the_users_token() {
    trybuild::TestCases::new().compile_fail("cases/*/*.rs");
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

/// Returns the compiler's output for each mistake.
fn printed() -> Vec<String> {
    let mistakes = files("cases")
        .flat_map(files)
        .chain(files("frameworks/cases"));
    let printed = mistakes.filter(|path| path.extension().is_some_and(|it| it == "stderr"));
    let read = |path| fs::read_to_string(path).expect("a file of the repository");
    printed.map(read).collect()
}

fn files(folder: impl AsRef<Path>) -> impl Iterator<Item = PathBuf> {
    let files = fs::read_dir(folder).expect("a folder of the repository");
    files.map(|file| file.expect("a file").path())
}
