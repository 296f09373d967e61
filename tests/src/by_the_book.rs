//! The contract in as few lines as possible, with no regard for speed. Tests check the crate
//! against it.

use std::collections::HashMap;

/// Returns the token that a lenient bearer scheme accepts.
///
/// # Errors
///
/// Returns an error if the scheme accepts no token.
#[allow(
    clippy::result_unit_err,
    reason = "which refusal it is, the vectors say"
)]
pub fn bearer(lines: &[Vec<u8>]) -> Result<Vec<u8>, ()> {
    let [line] = lines else { return Err(()) };
    let (name, rest) = match line.iter().position(|byte| *byte == b' ') {
        Some(space) => (&line[..space], &line[space + 1..]),
        None => (&line[..], &[][..]),
    };
    if !name.eq_ignore_ascii_case(b"bearer") {
        return Err(());
    }
    let is_blank = |byte: &u8| [b' ', b'\t'].contains(byte);
    let start = rest
        .iter()
        .position(|byte| !is_blank(byte))
        .unwrap_or(rest.len());
    let end = rest
        .iter()
        .rposition(|byte| !is_blank(byte))
        .map_or(start, |last| last + 1);
    let token = &rest[start..end];
    let is_text = token
        .iter()
        .all(|byte| (0x20..0x7f).contains(byte) || *byte == b'\t');
    is_text.then(|| token.to_vec()).ok_or(())
}

/// Returns the token that a strict bearer scheme accepts.
///
/// # Errors
///
/// Returns an error if the scheme accepts no token.
#[allow(
    clippy::result_unit_err,
    reason = "which refusal it is, the vectors say"
)]
pub fn strict(lines: &[Vec<u8>]) -> Result<Vec<u8>, ()> {
    let [line] = lines else { return Err(()) };
    let line = std::str::from_utf8(line).map_err(drop)?;
    let (name, rest) = line.split_once(' ').ok_or(())?;
    let token = rest.trim_start_matches(' ');
    let body = token.trim_end_matches('=');
    let is_token =
        |character: char| character.is_ascii_alphanumeric() || "-._~+/".contains(character);
    let holds =
        name.eq_ignore_ascii_case("bearer") && !body.is_empty() && body.chars().all(is_token);
    holds.then(|| token.as_bytes().to_vec()).ok_or(())
}

/// The known parameters of a form by name: the decoded value of each, or its fault.
pub type Parameters = HashMap<String, Result<String, &'static str>>;

/// Returns the parameters of a form that have these names.
#[must_use]
pub fn parameters(body: &[u8], known: &[&str]) -> Parameters {
    let mut found = Parameters::new();
    for pair in body.split(|byte| *byte == b'&') {
        let equals = pair
            .iter()
            .position(|byte| *byte == b'=')
            .unwrap_or(pair.len());
        let value = pair.get(equals + 1..).unwrap_or_default();
        let Ok(name) = String::from_utf8(unescaped(&pair[..equals])) else {
            continue;
        };
        if pair.is_empty() || !known.contains(&&*name) {
            continue;
        }
        let value = String::from_utf8(unescaped(value)).map_err(|_| "not_utf8");
        let value = if found.contains_key(&name) {
            Err("duplicate")
        } else {
            value
        };
        found.insert(name, value);
    }
    // A parameter without a value counts as omitted.
    found.retain(|_, value| value.as_deref() != Ok(""));
    found
}

/// Returns the standard parameters of a password form.
///
/// # Errors
///
/// Returns the faults of the form as `(kind, field)`.
pub fn password_form(
    body: &[u8],
    strict: bool,
) -> Result<HashMap<String, String>, Vec<(&'static str, &'static str)>> {
    let names = [
        "grant_type",
        "username",
        "password",
        "scope",
        "client_id",
        "client_secret",
    ];
    let found = parameters(body, &names);
    let mut faults = Vec::new();
    for name in names {
        let is_required = matches!(name, "username" | "password") || strict && name == "grant_type";
        match found.get(name) {
            Some(Err(kind)) => faults.push((*kind, name)),
            Some(Ok(grant)) if name == "grant_type" && grant != "password" => {
                faults.push((name, name));
            }
            None if is_required => faults.push(("missing", name)),
            _ => {}
        }
    }
    // In a form of another grant, the grant type is the only fault.
    if faults.contains(&("grant_type", "grant_type")) {
        faults = vec![("grant_type", "grant_type")];
    }
    if faults.is_empty() {
        Ok(found
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.ok()?)))
            .collect())
    } else {
        Err(faults)
    }
}

/// Decodes text from the wire.
#[must_use]
pub fn unescaped(wire: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut at = 0;
    while at < wire.len() {
        let escape = wire.get(at + 1..at + 3).filter(|_| wire[at] == b'%');
        let escape = escape.and_then(|digits| std::str::from_utf8(digits).ok());
        let escape = escape.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        if let Some(byte) = escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            bytes.push(byte);
            at += 3;
        } else {
            bytes.push(if wire[at] == b'+' { b' ' } else { wire[at] });
            at += 1;
        }
    }
    bytes
}
