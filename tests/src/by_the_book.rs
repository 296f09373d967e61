//! The contract in as few lines as possible, with no regard for speed. Tests check the crate
//! against it.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

/// Returns the token that a lenient bearer scheme accepts.
///
/// # Errors
///
/// Returns an error if the scheme accepts no token.
#[allow(clippy::result_unit_err, reason = "which refusal it is, the vectors say")]
pub fn bearer(lines: &[Vec<u8>]) -> Result<Vec<u8>, ()> {
    let [line] = lines else { return Err(()) };
    let (name, rest) = match line.iter().position(|byte| *byte == b' ') {
        Some(space) => (&line[..space], &line[space + 1..]),
        None => (&line[..], &[][..]),
    };
    if !name.eq_ignore_ascii_case(b"bearer") {
        return Err(());
    }
    let token = without_blanks(rest);
    let is_text = token.iter().all(|byte| (0x20..0x7f).contains(byte) || *byte == b'\t');
    is_text.then(|| token.to_vec()).ok_or(())
}

/// Returns the token that a strict bearer scheme accepts.
///
/// # Errors
///
/// Returns an error if the scheme accepts no token.
#[allow(clippy::result_unit_err, reason = "which refusal it is, the vectors say")]
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

/// Returns every name in a body that is UTF-8, with its decoded value, in their order.
fn pairs(body: &[u8]) -> Vec<(String, Result<String, &'static str>)> {
    let mut pairs = Vec::new();
    for pair in body.split(|byte| *byte == b'&') {
        let equals = pair.iter().position(|byte| *byte == b'=').unwrap_or(pair.len());
        let value = pair.get(equals + 1..).unwrap_or_default();
        let Ok(name) = String::from_utf8(unescaped(&pair[..equals])) else {
            continue;
        };
        if !pair.is_empty() {
            let value = String::from_utf8(unescaped(value)).map_err(|_| "not_utf8");
            pairs.push((name, value));
        }
    }
    pairs
}

/// Returns the parameters of a form that have these names.
#[must_use]
pub fn parameters(body: &[u8], known: &[&str]) -> Parameters {
    let mut found = Parameters::new();
    for (name, value) in pairs(body) {
        if !known.contains(&&*name) {
            continue;
        }
        let value = if found.contains_key(&name) { Err("duplicate") } else { value };
        found.insert(name, value);
    }
    // A parameter without a value counts as omitted.
    found.retain(|_, value| value.as_deref() != Ok(""));
    found
}

/// The standard parameters, in the order of their faults.
const STANDARD_NAMES: [&str; 6] =
    ["grant_type", "username", "password", "scope", "client_id", "client_secret"];

/// Returns the standard parameters of a password form.
///
/// # Errors
///
/// Returns the faults of the form as `(kind, field)`.
pub fn password_form(
    body: &[u8],
    strict: bool,
) -> Result<HashMap<String, String>, Vec<(&'static str, &'static str)>> {
    let found = parameters(body, &STANDARD_NAMES);
    let mut faults = Vec::new();
    for name in STANDARD_NAMES {
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
        Ok(found.into_iter().filter_map(|(name, value)| Some((name, value.ok()?))).collect())
    } else {
        Err(faults)
    }
}

/// How a form reads a parameter.
#[derive(Clone, Copy)]
enum Reads {
    /// A required text.
    Text,
    /// A text that may be absent.
    Optional,
    /// A required number of 32 bits.
    Number,
    /// Every value of a parameter that may repeat.
    List,
    /// The words of a text that may be absent.
    Scopes,
    /// A code verifier, which may be absent. It is shown as the methods by which it proves that
    /// `code` is its challenge.
    Verifier,
}

/// The parameters of a form, its own ones as declared.
type Form = [(&'static str, Reads)];

const GRANTS: [(&str, &Form); 7] = [
    (
        "password",
        &[
            ("grant_type", Reads::Text),
            ("username", Reads::Text),
            ("password", Reads::Text),
            ("scope", Reads::Scopes),
            ("client_id", Reads::Optional),
            ("client_secret", Reads::Optional),
        ],
    ),
    (
        "refresh_token",
        &[("scope", Reads::Scopes), ("refresh_token", Reads::Text), ("resource", Reads::List)],
    ),
    ("client_credentials", &[("scope", Reads::Scopes), ("resource", Reads::List)]),
    (
        "authorization_code",
        &[
            ("code", Reads::Text),
            ("redirect_uri", Reads::Optional),
            ("code_verifier", Reads::Verifier),
            ("resource", Reads::List),
        ],
    ),
    ("urn:ietf:params:oauth:grant-type:device_code", &[("device_code", Reads::Text)]),
    (
        "urn:ietf:params:oauth:grant-type:token-exchange",
        &[
            ("scope", Reads::Scopes),
            ("resource", Reads::List),
            ("audience", Reads::List),
            ("requested_token_type", Reads::Optional),
            ("subject_token", Reads::Text),
            ("subject_token_type", Reads::Text),
            ("actor_token", Reads::Optional),
            ("actor_token_type", Reads::Optional),
        ],
    ),
    (
        "urn:example:otp",
        &[("username", Reads::Text), ("scope", Reads::Scopes), ("code", Reads::Number)],
    ),
];

const REVOCATION: &Form = &[("token", Reads::Text), ("token_type_hint", Reads::Optional)];

/// Why a form with the credentials of its client is refused.
#[derive(Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The faults of the form, as `(kind, field)`.
    Form(Vec<(&'static str, &'static str)>),
    /// The credentials are malformed or contradict each other.
    Client,
}

/// Returns what a token endpoint with all of the grants reads from a request with these
/// `Authorization` lines: the grant, the fields of its form, and the client.
///
/// # Errors
///
/// Returns an error if the request is refused.
pub fn grant(lines: &[&[u8]], body: &[u8]) -> Result<Value, Refusal> {
    let sent = parameter(body, "grant_type").and_then(|sent| sent.ok_or("missing"));
    let known = sent.and_then(|sent| {
        let grant = GRANTS.into_iter().find(|(name, _)| *name == sent);
        grant.ok_or("grant_type")
    });
    let (name, form) = known.map_err(|kind| {
        let mut faults = vec![(kind, "grant_type")];
        // Every grant has the fields of the client. If the grant is clearly another one, they
        // belong to it.
        if kind != "grant_type"
            && let Err(others) = fields(body, &[])
        {
            faults.extend(others);
        }
        Refusal::Form(faults)
    })?;
    let mut shown = with_client(lines, body, form)?;
    shown["grant"] = name.into();
    Ok(shown)
}

/// Returns what a revocation endpoint reads from a request.
///
/// # Errors
///
/// Same as [`grant`].
pub fn revocation(lines: &[&[u8]], body: &[u8]) -> Result<Value, Refusal> {
    with_client(lines, body, REVOCATION)
}

fn with_client(lines: &[&[u8]], body: &[u8], form: &Form) -> Result<Value, Refusal> {
    let fields = fields(body, form).map_err(Refusal::Form)?;
    let in_form = ["client_id", "client_secret"].map(|name| parameter(body, name).ok().flatten());
    let client = client(lines, in_form).map_err(|()| Refusal::Client)?;
    let client = client.map(|(id, secret)| json!({ "client_id": id, "client_secret": secret }));
    Ok(json!({ "fields": fields, "client": client }))
}

/// Returns the fields of a form, or its faults. The fields of the client are checked in any form.
fn fields(
    body: &[u8],
    form: &Form,
) -> Result<Map<String, Value>, Vec<(&'static str, &'static str)>> {
    let has = |name: &str| form.iter().any(|(field, _)| *field == name);
    let client = ["client_id", "client_secret"].map(|name| (name, Reads::Optional));
    let client = client.into_iter().filter(|(name, _)| !has(name));
    let mut known: Vec<_> = form.iter().copied().chain(client).collect();
    known.sort_by_key(|(name, _)| {
        let place = STANDARD_NAMES.iter().position(|standard| standard == name);
        place.unwrap_or(STANDARD_NAMES.len())
    });
    let (mut fields, mut faults) = (Map::new(), Vec::new());
    for (name, reads) in known {
        match value(body, name, reads) {
            Ok(value) if has(name) => {
                let field = if name == "scope" { "scopes" } else { name };
                fields.insert(field.to_owned(), value);
            }
            Ok(_) => {}
            Err(kind) => faults.push((kind, name)),
        }
    }
    if faults.is_empty() { Ok(fields) } else { Err(faults) }
}

fn value(body: &[u8], name: &str, reads: Reads) -> Result<Value, &'static str> {
    if let Reads::List = reads {
        let values = pairs(body).into_iter().filter(|(other, _)| other == name);
        let values = values.map(|(_, value)| value);
        let values = values.filter(|value| value.as_deref() != Ok(""));
        return values.collect::<Result<Vec<_>, _>>().map(|list| json!(list));
    }
    let text = parameter(body, name)?;
    Ok(match reads {
        Reads::Text => json!(text.ok_or("missing")?),
        Reads::Number => {
            let number = text.ok_or("missing")?.parse::<u32>();
            json!(number.map_err(|_| "invalid")?)
        }
        Reads::Scopes => text.unwrap_or_default().split_whitespace().collect(),
        Reads::Verifier => match text {
            Some(verifier) => verified(&verifier, parameter(body, "code"))?,
            None => Value::Null,
        },
        Reads::Optional | Reads::List => json!(text),
    })
}

/// Returns the methods by which a code verifier proves that a code is its challenge.
fn verified(
    verifier: &str,
    code: Result<Option<String>, &'static str>,
) -> Result<Value, &'static str> {
    let is_unreserved =
        |character: char| character.is_ascii_alphanumeric() || "-._~".contains(character);
    if !(43..=128).contains(&verifier.len()) || !verifier.chars().all(is_unreserved) {
        return Err("invalid");
    }
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier));
    let methods = [("S256", challenge), ("plain", verifier.to_owned())];
    let proven = methods.into_iter().filter(|(_, challenge)| code == Ok(Some(challenge.clone())));
    Ok(proven.map(|(method, _)| method).collect())
}

/// Returns a parameter of a form that may not repeat, if it has a value.
fn parameter(body: &[u8], name: &str) -> Result<Option<String>, &'static str> {
    parameters(body, &[name]).remove(name).transpose()
}

/// The identifier of a client, and its secret unless the client is public.
pub type Client = (String, Option<String>);

/// Returns the credentials of a client, from the `Authorization` lines of a request and from its
/// form.
///
/// # Errors
///
/// Returns an error if the credentials are malformed or contradict each other.
#[allow(clippy::result_unit_err, reason = "which refusal it is, the vectors say")]
pub fn client(lines: &[&[u8]], in_form: [Option<String>; 2]) -> Result<Option<Client>, ()> {
    let in_header = match lines {
        [] | [b""] => None,
        [line] => basic(line)?,
        _ => return Err(()),
    };
    let is_visible = |text: &String| text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    if !in_form.iter().flatten().all(is_visible) {
        return Err(());
    }
    let [id, secret] = in_form;
    let (header_id, header_secret) = in_header.unzip();
    let header_secret = header_secret.flatten();
    if header_secret.is_some() && secret.is_some() {
        return Err(());
    }
    if header_id.is_some() && id.is_some() && header_id != id {
        return Err(());
    }
    match (header_id.or(id), header_secret.or(secret)) {
        (Some(id), secret) => Ok(Some((id, secret))),
        (None, Some(_)) => Err(()),
        (None, None) => Ok(None),
    }
}

/// Returns the client's credentials in an `Authorization` line, if there are any.
///
/// # Errors
///
/// Returns an error if the line is malformed.
#[allow(clippy::result_unit_err, reason = "which refusal it is, the vectors say")]
pub fn basic(line: &[u8]) -> Result<Option<Client>, ()> {
    let space = line.iter().position(|byte| *byte == b' ').unwrap_or(line.len());
    if !line[..space].eq_ignore_ascii_case(b"basic") {
        return Ok(None);
    }
    let encoded = without_blanks(&line[space..]);
    let decoded = STANDARD.decode(encoded).map_err(drop)?;
    // The encoding must be canonical: encoding the bytes again gives the same text.
    if STANDARD.encode(&decoded).as_bytes() != encoded {
        return Err(());
    }
    let colon = decoded.iter().position(|byte| *byte == b':').ok_or(())?;
    let (id, secret) = (&decoded[..colon], &decoded[colon + 1..]);
    if id.is_empty() {
        return if secret.is_empty() { Ok(None) } else { Err(()) };
    }
    let text = |half: &[u8]| {
        let percents = half.iter().filter(|byte| **byte == b'%').count();
        let decoded = unescaped(half);
        // Decoding makes every well-formed escape two bytes shorter.
        let is_well_formed = half.len() - decoded.len() == 2 * percents;
        let is_visible = decoded.iter().all(|byte| (0x20..0x7f).contains(byte));
        (is_well_formed && is_visible)
            .then(|| decoded.into_iter().map(char::from).collect::<String>())
            .ok_or(())
    };
    let secret = text(secret)?;
    Ok(Some((text(id)?, Some(secret).filter(|secret| !secret.is_empty()))))
}

/// Removes the spaces and tabs at both ends, one after the other.
#[must_use]
pub fn without_blanks(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = text.iter().take_while(|byte| is_blank(byte)).count();
    let end = text.iter().rev().take_while(|byte| is_blank(byte)).count();
    text.get(start..text.len() - end).unwrap_or_default()
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
