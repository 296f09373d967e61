//! The code of the guide's pages is that of files, which are compiled and run, and not doctests of the
//! pages: these need lines that rustdoc hides, and a reader of the Markdown sees them.
//!
//! - A block below `<!-- examples/guide/03_dependencies.rs -->` is an excerpt of that file: whole
//!   lines in its order, with `// …` where lines are left out.
//! - The other blocks of a page with a file of its name in `tests/guide` are those of that file,
//!   without the lines that rustdoc hides.
//! - Those of the macros' pages are doctests, and hide nothing.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::repository::{hold, pages, root};

/// What stands for lines that are left out.
const LEFT_OUT: &str = "// …";

/// A page, cut where its blocks of code begin and end: every other part is such a block.
fn parts(page: &str) -> Vec<String> {
    page.split("```").map(str::to_owned).collect()
}

/// Returns the file that a block is an excerpt of, from what is written before it.
fn source_of(before: &str) -> Option<&str> {
    before.trim_end().lines().last()?.strip_prefix("<!-- ")?.strip_suffix(" -->")
}

/// Returns the file in `tests/guide` that has the other blocks of a page.
fn guide_code(page: &Path) -> PathBuf {
    root().join("tests/guide").join(page.file_name().unwrap())
}

/// The blocks of a page, each with what is written before it, and the page around them.
fn blocks(parts: &mut [String]) -> impl Iterator<Item = (&str, &mut String)> {
    parts.chunks_exact_mut(2).filter_map(|pair| match pair {
        [before, block] if block.starts_with("rust") => Some((&**before, block)),
        _ => None,
    })
}

#[test]
fn copies_in_the_guide_are_excerpts() {
    let mut excerpts = 0;
    for (path, text) in pages().into_iter().filter(|(_, text)| text.contains(".rs -->\n```rust")) {
        let mut parts = parts(&text);
        for (before, block) in blocks(&mut parts) {
            let Some(source) = source_of(before) else {
                assert!(guide_code(&path).exists(), "{}: whose code is\n{block}", path.display());
                continue;
            };
            let file = fs::read_to_string(root().join(source)).unwrap();
            let code = block.strip_prefix("rust\n").unwrap();
            let excerpt = excerpt(code, &file).unwrap_or_else(|line| {
                panic!("{}: {source} does not have this line, or not here:\n{line}", path.display())
            });
            *block = format!("rust\n{excerpt}");
            excerpts += 1;
        }
        hold(&path, &parts.join("```"));
    }
    assert!(excerpts > 0);
}

/// Returns an excerpt as the file has it: each piece from its first line to its last.
///
/// # Errors
///
/// Returns a line that the file does not have after those before it.
fn excerpt(block: &str, file: &str) -> Result<String, String> {
    let file = Vec::from_iter(file.lines());
    let (mut excerpt, mut piece, mut next) = (String::new(), Vec::new(), 0);
    for line in block.lines().map(Some).chain([None]) {
        if let Some(line) = line.filter(|line| line.trim() != LEFT_OUT) {
            piece.push(line);
            continue;
        }
        if let Some(first) = piece.iter().position(|line| !line.is_empty()) {
            let last = piece.iter().rposition(|line| !line.is_empty()).unwrap_or(first);
            let (begin, end) = place(&piece[first..=last], &file, next)?;
            piece.splice(first..=last, file[begin..=end].iter().copied());
            next = end + 1;
        }
        for line in piece.drain(..).chain(line) {
            excerpt.push_str(line);
            excerpt.push('\n');
        }
    }
    Ok(excerpt)
}

/// Returns the first and the last line of a piece in the file: where most of its beginning is, and
/// then most of its end.
fn place(piece: &[&str], file: &[&str], from: usize) -> Result<(usize, usize), String> {
    let run = |begin: usize| same(piece.iter(), file[begin..].iter());
    let begins = (from..file.len()).rev().filter(|&begin| run(begin) > 0);
    let begin = begins.max_by_key(|&begin| run(begin)).ok_or(piece[0])?;
    let read = run(begin);
    let Some(differs) = piece.get(read) else {
        return Ok((begin, begin + read - 1));
    };
    let run = |end: usize| same(piece[read..].iter().rev(), file[begin + read..=end].iter().rev());
    let ends = (begin + read..file.len()).rev().filter(|&end| run(end) > 0);
    let end = ends.max_by_key(|&end| run(end)).ok_or_else(|| differs.to_string())?;
    Ok((begin, end))
}

/// Returns how many lines are the same before the first that differs.
fn same<'a>(
    lines: impl Iterator<Item = &'a &'a str>,
    of_file: impl Iterator<Item = &'a &'a str>,
) -> usize {
    lines.zip(of_file).take_while(|(line, of_file)| line == of_file).count()
}

/// The page of a file in `tests/guide` shows what rustdoc shows of the file.
#[test]
fn copies_in_the_guide_are_doctests_of_a_file() {
    for (path, text) in pages() {
        let source = guide_code(&path);
        if !source.exists() {
            continue;
        }
        let mut sources = parts(&fs::read_to_string(source).unwrap());
        let shown = blocks(&mut sources).map(|(_, block)| {
            let (fence, code) = block.split_once('\n').unwrap();
            let shown = code.lines().filter(|line| !is_hidden(line));
            let shown = Vec::from_iter(shown).join("\n");
            format!("{fence}\n{}\n", shown.trim_matches('\n'))
        });
        let mut parts = parts(&text);
        let shown = Vec::from_iter(shown);
        let own = blocks(&mut parts).filter(|(before, _)| source_of(before).is_none());
        let own = Vec::from_iter(own);
        assert_eq!(own.len(), shown.len(), "{}", path.display());
        for ((_, block), shown) in own.into_iter().zip(shown) {
            *block = shown;
        }
        hold(&path, &parts.join("```"));
    }
}

/// Returns `true` if rustdoc hides a line of code.
fn is_hidden(line: &str) -> bool {
    let line = line.trim_start();
    line == "#" || line.starts_with("# ")
}

/// What is shown as Rust is compiled.
#[test]
fn no_code_is_left_to_nothing() {
    for (path, text) in pages() {
        assert!(!text.contains("```rust,ignore"), "{}", path.display());
    }
}

#[test]
fn a_reader_sees_no_line_that_is_for_the_compiler_only() {
    for (path, text) in pages() {
        for (_, block) in blocks(&mut parts(&text)) {
            let hidden = Vec::from_iter(block.lines().filter(|line| is_hidden(line)));
            assert!(hidden.is_empty(), "{}: {hidden:#?}", path.display());
        }
    }
}

/// The program of each page is that of the page before, but for the lines that say that they are
/// new. Comments, and lines without a word, need not say so.
#[test]
fn what_is_new_in_a_program_says_so() {
    const NEW: &str = " // new";
    let programs = fs::read_dir(root().join("examples/guide")).unwrap();
    let programs = programs.map(|file| file.unwrap().path());
    let is_numbered = |path: &PathBuf| {
        path.file_name()
            .unwrap()
            .to_str()
            .unwrap()
            .starts_with(|first: char| first.is_ascii_digit())
    };
    let mut programs = Vec::from_iter(programs.filter(is_numbered));
    programs.sort();
    assert_eq!(programs.len(), 10);
    for pair in programs.windows(2) {
        let read = |path: &PathBuf| fs::read_to_string(path).unwrap();
        let (before, now) = (read(&pair[0]).replace(NEW, ""), read(&pair[1]));
        let before = HashSet::<&str>::from_iter(before.lines());
        for line in now.lines() {
            let code = line.trim_start();
            if code.starts_with("//") || !code.contains(char::is_alphanumeric) {
                continue;
            }
            let is_new = line.ends_with(NEW);
            let is_old = before.contains(line.trim_end_matches(NEW));
            assert!(is_new || is_old, "{}: is not said to be new: {line}", pair[1].display());
        }
    }
}

#[test]
fn an_excerpt_is_mended() {
    let file = "use a;\nuse b;\n\nfn c() {\n    d();\n    e();\n}\n\nfn f() {\n    g();\n}\n";
    let of = |block| excerpt(block, file);
    let right = "use b;\n// …\n\nfn f() {\n    // …\n}\n";
    assert_eq!(of(right).unwrap(), right);
    assert_eq!(of("fn c() {\n    x();\n}\n").unwrap(), "fn c() {\n    d();\n    e();\n}\n");
    // The end is that of the last function, and not the first line that is like it.
    assert_eq!(
        of("fn c() {\n    x();\n}\n\nfn f() {\n    g();\n}\n").unwrap(),
        &file[file.find("fn c").unwrap()..]
    );
    assert_eq!(of("fn f() {\n// …\nuse a;\n").unwrap_err(), "use a;");
    assert_eq!(of("fn c() {\n    x();\n").unwrap_err(), "    x();");
}
