//! Rules of the repository that no tool checks.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A package contains only files from the folder of its crate, so each crate has copies of a few
/// shared files. `UPDATE_COPIES=1 cargo test -p doorward-tests copies` updates them.
#[test]
fn copies_are_like_their_originals() {
    hold(Path::new("runtime/README.md"), &page_on_the_registry());
    let mut copies = Vec::new();
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        for krate in ["runtime", "runtime/core", "runtime/tokens", "macros"] {
            copies.push((PathBuf::from(licence), Path::new(krate).join(licence)));
        }
    }
    for (original, copy) in copies {
        let expected = fs::read_to_string(root().join(original)).unwrap();
        hold(&copy, &expected);
    }
}

/// Returns the README as a registry shows it. There, a link to a page of the guide leads to docs.rs,
/// and one to another file to the repository, or it is plain text until the repository has an address.
fn page_on_the_registry() -> String {
    let docs = "https://docs.rs/doorward/latest/doorward";
    let repository = of_the_owner("repository");
    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    let mut parts = readme.split("](");
    let mut page = parts.next().unwrap().to_owned();
    for part in parts {
        let (link, rest) = part.split_once(')').unwrap();
        let (file, anchor) = link.find('#').map_or((link, ""), |at| link.split_at(at));
        let start = page.rfind('[').unwrap();
        let is_image = page[..start].ends_with('!');
        let of_the_guide = file.strip_prefix("runtime/docs/").map(|file| file.replace(".md", ""));
        let target = match of_the_guide.as_deref() {
            _ if link.contains("://") || file.is_empty() => link.to_owned(),
            Some("README") => format!("{docs}/index.html{anchor}"),
            Some(name) => format!("{docs}/guide/{name}/index.html{anchor}"),
            None if repository.is_empty() => String::new(),
            None if is_image => format!("{repository}/raw/HEAD/{file}"),
            None => format!("{repository}/blob/HEAD/{link}"),
        };
        if target.is_empty() {
            page.replace_range(start - usize::from(is_image)..=start, "");
        } else {
            page.push_str(&format!("]({target})"));
        }
        page.push_str(rest);
    }
    page
}

#[test]
fn every_link_works_on_the_registry() {
    let page = fs::read_to_string(root().join("runtime/README.md")).unwrap();
    let links = page.split("](").skip(1).filter_map(|rest| Some(rest.split_once(')')?.0));
    let links = Vec::from_iter(links);
    let relative = links.iter().filter(|link| !link.starts_with("https://"));
    assert_eq!(Vec::from_iter(relative), Vec::<&&str>::new());
    let pages = Vec::from_iter(pages().into_iter().map(|(path, _)| path));
    let of_the_guide = links.iter().filter_map(|link| link.split_once("/doorward/guide/"));
    let names =
        Vec::from_iter(of_the_guide.map(|(_, page)| page.split_once("/index.html").unwrap().0));
    assert!(!names.is_empty());
    for name in names {
        assert!(pages.contains(&Path::new("runtime/docs").join(format!("{name}.md"))), "{name}");
    }
}

/// A script that the README or a page of the guide names is one that `.ci/run` starts, so that it
/// runs wherever a reader starts it.
#[test]
fn published_commands_are_run() {
    let steps = fs::read_to_string(root().join(".ci/run")).unwrap();
    let mut pages = pages();
    pages.push(("README.md".into(), fs::read_to_string(root().join("README.md")).unwrap()));
    let mut published = 0;
    for (page, text) in pages {
        for command in text.split("bash tests/").skip(1) {
            let end = command.find(|c: char| !c.is_alphanumeric() && !"/-_".contains(c));
            let script = format!("bash tests/{}", &command[..end.unwrap_or(command.len())]);
            assert!(steps.contains(&script), "{}: no step runs `{script}`", page.display());
            published += 1;
        }
    }
    assert!(published > 0);
}

/// Licences that allow to use and to ship the crate, with a notice at most.
const LICENCES: [&str; 8] =
    ["Apache-2.0", "BSD-3-Clause", "BSL-1.0", "ISC", "MIT", "MIT-0", "Unicode-3.0", "Zlib"];

/// Packages with another licence: the roots of the web, a list that the TLS of a client brings; and
/// for tests alone, what poem-openapi brings, the driver of a browser, and libFuzzer.
const OTHER_LICENCES: [(&str, &str); 4] = [
    ("webpki-root-certs", "CDLA-Permissive-2.0"),
    ("sse-codec", "MPL-2.0"),
    ("webdriver", "MPL-2.0"),
    ("libfuzzer-sys", "NCSA"),
];

#[test]
fn dependencies_have_permissive_licences_and_come_from_one_registry() {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["metadata", "--locked", "--format-version", "1"]).current_dir(root());
    let output = cargo.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 100);
    let mut found = Vec::new();
    for package in packages {
        let text = |member: &str| package[member].as_str();
        let name = text("name").unwrap();
        if let Some(source) = text("source")
            && source != "registry+https://github.com/rust-lang/crates.io-index"
        {
            found.push(format!("{name} comes from {source}"));
        }
        let allowed = |licence: &str| {
            LICENCES.contains(&licence) || OTHER_LICENCES.contains(&(name, licence))
        };
        let licence = text("license").unwrap_or_default();
        if !is_allowed(licence, &allowed) {
            found.push(format!("{name} has the licence {licence:?}"));
        }
    }
    assert!(found.is_empty(), "{found:#?}");
}

/// Reads an SPDX expression, in which `AND` binds closer than `OR`, and `/` is an old `OR`. What is in
/// parentheses counts as one licence, which is allowed or not.
fn is_allowed(expression: &str, allowed: &dyn Fn(&str) -> bool) -> bool {
    let mut flat = expression.replace('/', " OR ");
    while let Some(start) = flat.rfind('(') {
        let end = start + flat[start..].find(')').unwrap();
        let inner = if is_allowed(&flat[start + 1..end], allowed) { "MIT" } else { "none" };
        flat.replace_range(start..=end, inner);
    }
    flat.split(" OR ").any(|all| all.split(" AND ").all(|licence| allowed(licence.trim())))
}

#[test]
fn licences_are_read_as_spdx_has_them() {
    let allowed = |licence: &str| ["MIT", "ISC"].contains(&licence);
    for expression in ["MIT", "GPL-3.0/MIT", "GPL-3.0 OR MIT AND ISC", "(GPL-3.0 OR MIT) AND ISC"] {
        assert!(is_allowed(expression, &allowed), "{expression}");
    }
    for expression in
        ["", "GPL-3.0", "MIT AND GPL-3.0", "(MIT OR GPL-3.0) AND GPL-3.0", "(GPL-3.0)"]
    {
        assert!(!is_allowed(expression, &allowed), "{expression}");
    }
}

/// The guide shows the lines of clippy that a program is held to.
#[test]
fn the_guide_has_the_lines_of_clippy() {
    let lines = fs::read_to_string(root().join("tests/package/doors/clippy.toml")).unwrap();
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
