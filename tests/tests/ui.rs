//! Every mistake that the macros report, by its kind: each file under `ui` holds one, and beside it what the compiler prints.

use std::fs;
use std::path::Path;

#[test]
fn mistakes_are_reported_at_the_users_token() {
    trybuild::TestCases::new().compile_fail("ui/*/*.rs");
}

/// The first cells of the tables of errors, which quote them.
#[test]
fn the_documentation_quotes_what_the_compiler_prints() {
    let read = |path: &Path| fs::read_to_string(path).expect("a file of the repository");
    let files = |folder: &str, extension: &'static str| {
        let files = fs::read_dir(folder).expect("a folder of the repository");
        let paths = files.map(|file| file.expect("a file").path());
        paths
            .filter(move |path| path.is_dir() || path.extension().is_some_and(|it| it == extension))
    };
    let mut printed = String::new();
    for kind in files("ui", "") {
        for file in files(kind.to_str().expect("UTF-8"), "stderr") {
            printed += &read(&file);
        }
    }
    let mut quotes = 0;
    for page in
        files("../runtime/docs/macros", "md").chain(["../runtime/docs/compile_errors.md".into()])
    {
        for row in read(&page)
            .lines()
            .filter_map(|line| line.strip_prefix("| ``"))
        {
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
