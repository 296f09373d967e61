//! Rules of the repository that no tool checks.

use std::path::{Path, PathBuf};
use std::{env, fs};

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A package contains only files from the folder of its crate, so each crate has copies of a few
/// shared files. `UPDATE_COPIES=1 cargo test -p doorward-tests copies` updates them.
#[test]
fn copies_are_like_their_originals() {
    let mut copies = vec![("README.md".into(), "runtime/README.md".into())];
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        for krate in ["runtime", "macros"] {
            copies.push((PathBuf::from(licence), Path::new(krate).join(licence)));
        }
    }
    for (original, copy) in copies {
        let expected = fs::read_to_string(root().join(original)).unwrap();
        hold(&copy, &expected);
    }
}

/// The guide shows the lines of clippy that a program is held to.
#[test]
fn the_guide_has_the_lines_of_clippy() {
    let lines = fs::read_to_string(root().join("tests/doors/clippy.toml")).unwrap();
    let page = fs::read_to_string(root().join("runtime/docs/doors.md")).unwrap();
    assert!(page.contains(&format!("```toml\n{lines}```\n")));
}

/// Holds a file to a text. With `UPDATE_COPIES`, writes it.
pub(crate) fn hold(path: &Path, expected: &str) {
    let path = root().join(path);
    let text = fs::read_to_string(&path).unwrap_or_default();
    if text == expected {
        return;
    }
    if env::var_os("UPDATE_COPIES").is_some() {
        return fs::write(&path, expected).unwrap();
    }
    let lines = text.lines().map(Some).chain([None]).zip(expected.lines().map(Some).chain([None]));
    let differ = lines.enumerate().find(|(_, (line, expected))| line != expected);
    panic!(
        "{} is not up to date; run `UPDATE_COPIES=1 cargo test -p doorward-tests copies`. The first \
         line that differs, its text, and what is expected: {differ:?}",
        path.display(),
    );
}

/// Returns the pages of the guide and of the macros, by their paths in the repository.
pub(crate) fn pages() -> Vec<(PathBuf, String)> {
    let mut pages = Vec::new();
    for folder in ["runtime/docs", "runtime/docs/macros"] {
        for file in fs::read_dir(root().join(folder)).unwrap() {
            let path = Path::new(folder).join(file.unwrap().file_name());
            if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(root().join(&path)).unwrap();
                pages.push((path, text));
            }
        }
    }
    pages
}

/// Returns what the owner has written into the workspace's manifest.
pub(crate) fn of_the_owner(key: &str) -> String {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let value = manifest.split_once(&format!("\n{key} = \"")).unwrap().1;
    value.split_once('"').unwrap().0.to_owned()
}

/// The owner writes the contact into the workspace's manifest alone.
#[test]
fn copies_of_the_security_contact() {
    let contact = match &*of_the_owner("security-contact") {
        "" => "the maintainers of the repository".to_owned(),
        contact => contact.to_owned(),
    };
    let policy = fs::read_to_string(root().join("SECURITY.md")).unwrap();
    let (before, rest) = policy.split_once("vulnerability privately to ").unwrap();
    let (_, after) = rest.split_once(", with a request").unwrap();
    let expected = format!("{before}vulnerability privately to {contact}, with a request{after}");
    hold(Path::new("SECURITY.md"), &expected);
}

/// Every relative link of a page leads to a file, and its anchor to a heading. rustdoc checks
/// whether the file is one that it shows.
#[test]
fn relative_links_lead_to_files() {
    let mut pages = pages();
    let readme = PathBuf::from("README.md");
    pages.push((readme.clone(), fs::read_to_string(root().join(readme)).unwrap()));
    let mut lost = Vec::new();
    for (page, text) in &pages {
        let page = root().join(page);
        let outside_of_code = text.split("```").step_by(2);
        let links = outside_of_code
            .flat_map(|text| text.split("](").skip(1))
            .filter_map(|rest| Some(rest.split_once(')')?.0));
        for link in links.filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            let has_anchor = || {
                let text = fs::read_to_string(&target).unwrap();
                text.lines().any(|line| heading(line) == anchor)
            };
            if !target.exists() || !anchor.is_empty() && !has_anchor() {
                lost.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

/// Returns the anchor of a heading, or nothing.
fn heading(line: &str) -> String {
    let Some(title) = line.strip_prefix('#') else {
        return String::new();
    };
    let title = title.trim_start_matches('#').trim().to_lowercase().replace(' ', "-");
    title.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "")
}
