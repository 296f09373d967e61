//! Guesses the argument behind an unknown name, or behind a value without a name: FastAPI's
//! spellings, and URLs outside of their flow.

use darling::ast::NestedMeta;
use quote::ToTokens;
use syn::{Expr, Lit, Meta};

use super::value::ungrouped;

/// The names of FastAPI that are others here, in lower case and without `_`.
const OF_FASTAPI: [(&str, &[&str]); 3] =
    [("bearerformat", &["format"]), ("openidconnecturl", &["url"]), ("name", KEY)];

/// The arguments of a scheme that a bare string may set, by attribute. FastAPI takes them
/// without a name.
const WITHOUT_A_NAME: [&[&str]; 6] =
    [&["authorization_url"], &["token_url"], &["url"], &["scheme"], KEY, &["format"]];

const KEY: &[&str] = &["header", "query", "cookie"];

/// Returns the arguments that an unknown name may be a spelling of.
pub(super) fn meant(found: &str) -> Vec<String> {
    let plain = found.replace('_', "").to_ascii_lowercase();
    let of_fastapi = OF_FASTAPI.iter().filter(|(name, _)| *name == plain);
    let mut names: Vec<_> =
        of_fastapi.flat_map(|(_, names)| names.iter().map(ToString::to_string)).collect();
    names.push(in_snake_case(found));
    if found.ends_with("_url") {
        names.push("flows".to_owned());
    }
    names
}

/// Returns the error message about an unknown argument, if it is clear what to write.
pub(super) fn of_name(
    found: &str,
    item: &NestedMeta,
    is_known: &mut dyn FnMut(&str) -> bool,
) -> Option<String> {
    let written = match item {
        NestedMeta::Meta(Meta::NameValue(pair)) => string(&pair.value),
        _ => None,
    };
    let value = written.unwrap_or_else(|| "…".to_owned());
    let mut names = meant(found);
    names.retain(|name| is_known(name));
    if names.iter().any(|name| name == "flows") {
        let flow = if found == "authorization_url" { "implicit" } else { "password" };
        return Some(format!(
            "`{found}` belongs in a flow; write `flows({flow}({found} = {value}))`"
        ));
    }
    if found == "verified" || found == "by" {
        let sentence = "only the tokens of a bearer scheme are verified; write `#[http_bearer(verified = Claims)]`, or a `#[dependency]` that checks the credential";
        return Some(sentence.to_owned());
    }
    let names = names.iter().map(String::as_str);
    Some(format!("unknown argument `{found}`; write {}", choice(names, &value)?))
}

/// Returns the error message about a value without a name.
pub(super) fn of_value(literal: &Lit, is_known: &mut dyn FnMut(&str) -> bool) -> String {
    if is_known("as_written") {
        return "an argument has its value where the dependency is named; write `#[argument] least: Role`".to_owned();
    }
    let expected = "expected `name = value`";
    let Lit::Str(value) = literal else {
        return expected.to_owned();
    };
    let value = value.to_token_stream().to_string();
    let mut arguments = WITHOUT_A_NAME.into_iter();
    let names = arguments.find(|names| names.iter().any(|name| is_known(name)));
    // Every scheme with a `Bearer` challenge has a realm, but only `#[http_basic]` is about it.
    let names = names.or((is_known("realm") && !is_known("resource")).then_some(&["realm"]));
    match names.and_then(|names| choice(names.iter().copied(), &value)) {
        Some(choice) => format!("{expected}; write {choice}"),
        None => expected.to_owned(),
    }
}

/// Lists the arguments with a value: `` `a = "x"` ``, `` `b = "x"` or `c = "x"` ``.
fn choice<'n>(names: impl Iterator<Item = &'n str>, value: &str) -> Option<String> {
    let mut written: Vec<_> = names.map(|name| format!("`{name} = {value}`")).collect();
    let last = written.pop()?;
    Some(match written[..] {
        [] => last,
        _ => format!("{} or {last}", written.join(", ")),
    })
}

/// Returns a string literal as it is written.
fn string(value: &Expr) -> Option<String> {
    match ungrouped(value) {
        Expr::Lit(literal) => match &literal.lit {
            Lit::Str(text) => Some(text.to_token_stream().to_string()),
            _ => None,
        },
        _ => None,
    }
}

/// Converts `tokenUrl` to `token_url`.
fn in_snake_case(name: &str) -> String {
    let mut converted = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            converted.push('_');
        }
        converted.push(letter.to_ascii_lowercase());
    }
    converted
}
