//! Lists the public interface from files of rustdoc JSON, one item per line, under the path of the crate
//! that exports all of them. A type is in one line
//! with its fields or its variants, and an `impl` with its associated types. The functions and the
//! constants of a trait are listed at the trait, and not at its types. The traits of one type that
//! follow each other are in one line.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut listing: Vec<String> = Vec::new();
    for json in std::env::args_os().skip(1) {
        let interface = public_api::Builder::from_rustdoc_json(json)
            .omit_blanket_impls(true)
            .omit_auto_trait_impls(true)
            .build()?;
        let interface = interface.to_string().replace("doorward_core::", "doorward::");
        let interface = interface.replace("doorward_tokens::", "doorward::");
        let interface = with_public_paths(&interface, &listing);
        list(&interface, &mut listing);
    }
    println!("{}", listing.join("\n"));
    Ok(())
}

/// Replaces the paths of types where the crate that has listed them keeps them by those where it exports
/// them. A name that it exports at several places stays as it is.
fn with_public_paths(interface: &str, listing: &[String]) -> String {
    let mut exported = BTreeMap::<&str, BTreeSet<&str>>::new();
    for line in listing {
        let Some((start, path)) = line.split_once("doorward::") else { continue };
        if ["struct ", "enum ", "trait "].iter().any(|kind| start.ends_with(kind)) {
            let path = path.split(|c: char| !is_of_path(c)).next().unwrap_or(path);
            let path = path.trim_end_matches(':');
            exported.entry(path.rsplit("::").next().unwrap_or(path)).or_default().insert(path);
        }
    }
    let public = |path: &str| {
        let (before, name) = path.strip_prefix("doorward::")?.rsplit_once("::")?;
        let paths = exported.get(name)?;
        // A type of the crate itself may have the same name.
        let is_hidden = !listing.iter().any(|line| line == &format!("pub mod doorward::{before}"));
        (paths.len() == 1 && is_hidden)
            .then(|| format!("doorward::{}", paths.first().unwrap_or(&name)))
    };
    let mut replaced = String::new();
    for part in interface.split_inclusive(|c: char| !is_of_path(c)) {
        let end = part.trim_end_matches(|c: char| !is_of_path(c)).len();
        let (path, rest) = part.split_at(end);
        replaced.push_str(&public(path).unwrap_or_else(|| path.to_owned()));
        replaced.push_str(rest);
    }
    replaced
}

fn is_of_path(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == ':'
}

/// Adds the items of a crate.
fn list(interface: &str, listing: &mut Vec<String>) {
    let mut is_of_trait = false;
    // The compiler marks a derived `PartialEq`, and the first crate exports the others as a whole.
    let is_left_out = |line: &str| {
        let is_crate = ["pub mod doorward", "pub mod doorward_core", "pub mod doorward_tokens"];
        is_crate.contains(&line)
            || line.contains("core::marker::StructuralPartialEq")
            || line.starts_with("pub use ") && line.contains("<<")
    };
    for line in interface.lines().filter(|line| !is_left_out(line)) {
        // A module that several crates have a part of.
        if line.starts_with("pub mod ") && listing.iter().any(|listed| listed == line) {
            continue;
        }
        let of_impl = ["pub fn ", "pub async fn ", "pub const "];
        let is_of_impl = of_impl.iter().any(|start| line.starts_with(start));
        let is_impl = line.starts_with("impl");
        if is_impl {
            is_of_trait = line.contains(" for ");
        } else if is_of_impl && is_of_trait && is_of_type(line) {
            continue;
        } else if !is_of_impl && !line.starts_with("pub type ") {
            is_of_trait = false;
        }
        // Its functions name the type.
        if is_impl && !is_of_trait && line.starts_with("impl ") && !line.contains(" where ") {
            continue;
        }
        let joined = listing.last().and_then(|last| {
            with_trait(last, line)
                .or_else(|| is_of_trait.then(|| with_type(last, line)).flatten())
                .or_else(|| with_member(last, line))
        });
        match joined {
            Some(joined) => {
                listing.pop();
                listing.push(joined);
            }
            None => listing.push(line.to_owned()),
        }
    }
}

/// Adds the trait of an `impl` to that of the line before it, if both are of one type.
fn with_trait(last: &str, line: &str) -> Option<String> {
    let (traits, of) = last.strip_prefix("impl")?.split_once(" for ")?;
    let (another, for_type) = line.strip_prefix("impl")?.split_once(" for ")?;
    let (generics, another) = another.split_at(generics(another));
    (of == for_type && traits.starts_with(&format!("{generics} ")))
        .then(|| format!("impl{traits} +{another} for {of}"))
}

/// Returns the length of the generics at the start of a text.
fn generics(text: &str) -> usize {
    let mut depth = 0_usize;
    for (index, c) in text.char_indices() {
        match c {
            '<' => depth += 1,
            '>' if !text[..index].ends_with('-') => depth -= 1,
            _ => (),
        }
        if depth == 0 {
            return if c == '>' { index + 1 } else { 0 };
        }
    }
    0
}

/// Adds an associated type to the trait of the line before it.
fn with_type(last: &str, line: &str) -> Option<String> {
    let (path, value) = line.strip_prefix("pub type ")?.split_once(" = ")?;
    let (_, name) = path.rsplit_once("::")?;
    let (traits, of) = last.split_once(" for ")?;
    let traits =
        traits.strip_suffix(" }").map_or(format!("{traits} {{ "), |more| format!("{more}, "));
    is_of_type(line).then(|| format!("{traits}{name} = {value} }} for {of}"))
}

/// Adds a variant or a field to its type.
fn with_member(last: &str, line: &str) -> Option<String> {
    let is_type = |start: &str| last.contains(&format!("pub {start} doorward::"));
    if !["enum", "struct"].into_iter().any(is_type) {
        return None;
    }
    let (attribute, path) = line.split_once("pub doorward::")?;
    let owner = last.split("doorward::").nth(1)?.split(['<', ' ', '(']).next()?;
    let member = path.strip_prefix(owner)?.strip_prefix("::")?;
    let start = last.strip_suffix(" }").map_or(format!("{last} {{ "), |more| format!("{more}, "));
    Some(format!("{start}{attribute}{member} }}"))
}

/// Returns `true` for an item of a type: a free one is in a module, whose name is in lower case.
fn is_of_type(line: &str) -> bool {
    // One among the arguments of a type begins no parameters.
    let line = &*line.replace(" ()", "");
    let path = line.split(['(', '=']).next().unwrap_or(line);
    let path = path.split_once(": ").map_or(path, |(path, _)| path);
    let mut segments = path.rsplit("::").skip(1);
    segments.next().is_some_and(|owner| {
        let owner = owner.trim_start_matches(|c: char| !c.is_alphabetic());
        owner.ends_with('>') || owner.starts_with(char::is_uppercase)
    })
}
