//! Lists the public interface from a file of rustdoc JSON, one item per line. The functions of
//! another crate's traits are left out, since the line of the `impl` says that they are there.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let json = std::env::args_os().nth(1).ok_or("usage: interface FILE")?;
    let interface = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .build()?;
    let mut is_of_another = false;
    // The compiler's own mark of a derived `PartialEq` is nobody's interface.
    let is_mark = |line: &&str| !line.contains("core::marker::StructuralPartialEq");
    for line in interface.to_string().lines().filter(is_mark) {
        let is_function = line.starts_with("pub fn ") || line.starts_with("pub async fn ");
        if line.starts_with("impl") {
            is_of_another = is_impl_of_another(line);
        } else if !is_function && !line.starts_with("pub type ") && !line.starts_with("pub const ")
        {
            is_of_another = false;
        } else if is_function && is_of_another && is_method(line) {
            continue;
        }
        println!("{line}");
    }
    Ok(())
}

/// Returns `true` for an `impl` of a trait of another crate.
fn is_impl_of_another(line: &str) -> bool {
    let (head, _) = line.split_once(" for ").unwrap_or_default();
    // Behind the generics, whose bounds may name our traits.
    let of_trait = head
        .rsplit_once("> ")
        .map_or(head, |(_, of_trait)| of_trait);
    let of_trait = of_trait.strip_prefix("impl ").unwrap_or(of_trait);
    !of_trait.is_empty() && !of_trait.starts_with("tollgate::")
}

/// Returns `true` for a function of a type: a free one is in a module, whose name is in lower case.
fn is_method(line: &str) -> bool {
    let path = line.split_once('(').map_or(line, |(path, _)| path);
    let mut segments = path.rsplit("::").skip(1);
    segments.next().is_some_and(|owner| {
        let owner = owner.trim_start_matches(|c: char| !c.is_alphabetic());
        owner.ends_with('>') || owner.starts_with(char::is_uppercase)
    })
}
