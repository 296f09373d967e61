//! The links of the guide and the README. They lead to files on a code host, and to items in
//! rustdoc.
//!
//! A link names its target by the path that the item or page has in the crate, such as
//! `Plan::resolve`, or by `file::` and a file of the repository. Each page ends with the files that
//! the names stand for. rustdoc sees `links.md` first, which has the items, and the files at the
//! address of the repository. `UPDATE_COPIES=1 cargo test -p tollgate-tests copies` writes both.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::repository::{hold, of_the_owner, root, visit};

/// The pages, relative to the root of the repository.
fn pages() -> Vec<PathBuf> {
    let mut pages = vec![PathBuf::from("README.md")];
    for folder in ["runtime/docs", "runtime/docs/macros"] {
        let files = fs::read_dir(root().join(folder)).unwrap();
        let files = files.map(|file| Path::new(folder).join(file.unwrap().file_name()));
        let pages_of_folder =
            files.filter(|file| file.extension().is_some_and(|name| name == "md"));
        pages.extend(pages_of_folder.filter(|file| !file.ends_with("links.md")));
    }
    pages.sort();
    pages
}

/// Splits a page into its text and the definitions at its end.
fn split(page: &str) -> (&str, &str) {
    let is_definition = |line: &&str| line.starts_with('[') && line.contains("]: ");
    let definitions: usize = page
        .split_inclusive('\n')
        .rev()
        .take_while(is_definition)
        .map(str::len)
        .sum();
    page.split_at(page.len() - definitions)
}

/// Returns the names of the targets that a text links to.
fn targets(text: &str) -> BTreeSet<&str> {
    let outside_of_code = text.split("```").step_by(2);
    let links = outside_of_code.flat_map(|text| text.split("][").skip(1));
    links
        .filter_map(|rest| Some(rest.split_once(']')?.0))
        .collect()
}

/// Returns what a target is called in rustdoc.
fn in_rustdoc(target: &str, repository: &str) -> String {
    if let Some(file) = target.strip_prefix("file::") {
        let is_picture = [".svg", ".png"].iter().any(|end| file.ends_with(end));
        let raw = if is_picture { "?raw=true" } else { "" };
        return format!("{repository}/blob/HEAD/{file}{raw}");
    }
    match target.strip_prefix("macro@") {
        Some(name) => format!("macro@crate::{name}"),
        None if target.starts_with("guide") => format!("mod@crate::{target}"),
        None => format!("crate::{target}"),
    }
}

/// Returns the file that a target stands for, relative to the root of the repository.
fn file(target: &str) -> String {
    if let Some(file) = target.strip_prefix("file::") {
        return file.to_owned();
    }
    if let Some(name) = target.strip_prefix("macro@") {
        return format!("runtime/docs/macros/{}.md", snake_case(name));
    }
    if target == "guide" {
        return "runtime/docs".to_owned();
    }
    if let Some(page) = target.strip_prefix("guide::") {
        let (page, anchor) = page.split_at(page.find('#').unwrap_or(page.len()));
        return format!("runtime/docs/{page}.md{anchor}");
    }
    if let Some(name) = target.strip_prefix("secrecy::") {
        return format!("https://docs.rs/secrecy/0.10/secrecy/type.{name}.html");
    }
    // A type that is an argument of a macro, whose impl does not name it.
    let (owner, method) = target.split_once("::").unwrap_or((target, ""));
    let name = if owner.starts_with(char::is_uppercase) {
        owner
    } else {
        target
    };
    let mut definition = None;
    let mut argument = None;
    visit(&root().join("runtime/src"), &mut |path, text| {
        let path = path.strip_prefix(root()).unwrap().to_str().unwrap();
        if definition.is_none() && defines(text, target) {
            definition = Some(path.to_owned());
        }
        // An argument of a macro that defines items, below its documentation.
        let pairs = text.lines().zip(text.lines().skip(1));
        let mut arguments = pairs.filter(|(docs, _)| docs.trim_start().starts_with("///"));
        let is_target = |line: &str| {
            let rest = line.trim_start().strip_prefix(name);
            rest.is_some_and(|rest| rest.starts_with(','))
        };
        let has_method = method.is_empty() || text.contains(&format!("fn {method}"));
        if text.contains("macro_rules!") && has_method && arguments.any(|(_, line)| is_target(line))
        {
            argument = Some(path.to_owned());
        }
    });
    let found = definition.or(argument);
    found.unwrap_or_else(|| panic!("nothing defines `{target}`"))
}

/// Returns `true` if a source file defines the item.
fn defines(text: &str, item: &str) -> bool {
    let segments = Vec::from_iter(item.rsplit("::"));
    let name = segments[0];
    let owner = segments
        .get(1)
        .filter(|owner| owner.starts_with(char::is_uppercase));
    if let Some(owner) = owner {
        let has_impl = text.lines().any(|line| {
            let line = line.trim_start();
            line.starts_with("impl") && line.contains(owner) && !line.contains(" for ")
        });
        return has_impl && text.contains(&format!("fn {name}("));
    }
    if text.contains(&format!("macro_rules! {name} ")) {
        return true;
    }
    text.lines().any(|line| {
        let words = line.strip_prefix("pub ").map(str::split_whitespace);
        let mut words = words.into_iter().flatten();
        words.any(|word| matches!(word, "struct" | "enum" | "trait" | "type" | "mod" | "fn"))
            && words.next().is_some_and(|word| {
                let end = word.find(|c: char| !c.is_alphanumeric() && c != '_');
                word[..end.unwrap_or(word.len())] == *name
            })
    })
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for character in name.chars() {
        if character.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(character.to_lowercase());
    }
    snake
}

/// Returns the way from a page to a file.
fn relative(page: &Path, file: &str) -> String {
    if file.contains("://") {
        return file.to_owned();
    }
    let mut folder = page.parent().unwrap();
    let mut way = String::new();
    loop {
        if let Ok(rest) = Path::new(file).strip_prefix(folder) {
            return way + rest.to_str().unwrap();
        }
        way.push_str("../");
        folder = folder.parent().unwrap();
    }
}

#[test]
fn links_and_their_copies() {
    let mut all = BTreeSet::new();
    for page in pages() {
        let whole = fs::read_to_string(root().join(&page)).unwrap();
        let (text, _) = split(&whole);
        let mut expected = text.trim_end().to_owned() + "\n";
        for (index, target) in targets(text).into_iter().enumerate() {
            let separator = if index == 0 { "\n" } else { "" };
            let file = relative(&page, &file(target));
            expected += &format!("{separator}[{target}]: {file}\n");
            all.insert(target.to_owned());
        }
        hold(&page, &expected);
    }
    let repository = of_the_owner("repository");
    let line = |target: &String| format!("[{target}]: {}\n", in_rustdoc(target, &repository));
    let lines = all.iter().map(line);
    hold(
        Path::new("runtime/docs/links.md"),
        &lines.collect::<String>(),
    );
}

/// Every relative link of a page leads to a file, and its anchor to a heading.
#[test]
fn relative_links_lead_to_files() {
    let mut lost = Vec::new();
    for page in pages() {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        let definitions = split(&text)
            .1
            .lines()
            .filter_map(|line| line.split_once("]: "));
        let inline = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split_once(')'));
        let links = definitions
            .map(|(_, link)| link)
            .chain(inline.map(|(link, _)| link));
        for link in links.filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = match file {
                "" => root().join(&page),
                file => root().join(page.parent().unwrap()).join(file),
            };
            let has_anchor = || {
                let text = fs::read_to_string(&path).unwrap();
                text.lines().any(|line| heading(line) == anchor)
            };
            let found = path.exists() && (anchor.is_empty() || has_anchor());
            if !found {
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
    let title = title
        .trim_start_matches('#')
        .trim()
        .to_lowercase()
        .replace(' ', "-");
    title.replace(|c: char| !c.is_alphanumeric() && c != '-' && c != '_', "")
}
