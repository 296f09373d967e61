//! Lists the public interface from a file of rustdoc JSON, one item per line. The functions and the
//! constants of a trait are listed at the trait, and not at its types. The traits of one type that
//! follow each other are in one line.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let json = std::env::args_os().nth(1).ok_or("usage: interface FILE")?;
    let interface = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    let mut is_of_trait = false;
    let mut listing: Vec<String> = Vec::new();
    // The compiler's own mark of a derived `PartialEq` is nobody's interface.
    let is_mark = |line: &&str| !line.contains("core::marker::StructuralPartialEq");
    for line in interface.to_string().lines().filter(is_mark) {
        let of_impl = ["pub fn ", "pub async fn ", "pub const "];
        let is_of_impl = of_impl.iter().any(|start| line.starts_with(start));
        if line.starts_with("impl") {
            is_of_trait = line.contains(" for ");
        } else if is_of_impl && is_of_trait && is_of_type(line) {
            continue;
        } else if !is_of_impl && !line.starts_with("pub type ") {
            is_of_trait = false;
        }
        if let Some(traits) = listing.last().and_then(|last| with_trait(last, line)) {
            listing.pop();
            listing.push(traits);
        } else {
            listing.push(line.to_owned());
        }
    }
    println!("{}", listing.join("\n"));
    Ok(())
}

/// Adds the trait of an `impl` to that of the line before it, if both are of one type.
fn with_trait(last: &str, line: &str) -> Option<String> {
    let (traits, of) = last.strip_prefix("impl ")?.split_once(" for ")?;
    let (another, for_type) = line.strip_prefix("impl ")?.split_once(" for ")?;
    (of == for_type).then(|| format!("impl {traits} + {another} for {of}"))
}

/// Returns `true` for an item of a type: a free one is in a module, whose name is in lower case.
fn is_of_type(line: &str) -> bool {
    let path = line.split(['(', '=']).next().unwrap_or(line);
    let path = path.split_once(": ").map_or(path, |(path, _)| path);
    let mut segments = path.rsplit("::").skip(1);
    segments.next().is_some_and(|owner| {
        let owner = owner.trim_start_matches(|c: char| !c.is_alphabetic());
        owner.ends_with('>') || owner.starts_with(char::is_uppercase)
    })
}
