//! The vectors: the contract as test cases. `vectors/README.md` describes their format.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

/// One case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// Its name.
    pub id: String,
    /// The headers of the request, as bytes.
    #[serde(deserialize_with = "headers")]
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body of the request, as bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub body: Vec<u8>,
    /// What comes of it.
    pub expect: Expect,
    /// `Some("none")` when a scheme with `auto_error = false` yields nothing.
    pub optional: Option<String>,
    #[serde(rename = "area")]
    _area: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "why")]
    _why: Option<String>,
}

/// What comes of a request.
#[derive(Debug, Deserialize)]
#[serde(tag = "outcome", rename_all = "snake_case", deny_unknown_fields)]
#[allow(missing_docs, reason = "the vectors' README says what each is")]
pub enum Expect {
    Value {
        value: String,
    },
    Token {
        token: String,
    },
    Reject {
        status: u16,
        detail: String,
        www_authenticate: String,
    },
    Fields {
        fields: Value,
    },
    Error {
        errors: Option<Vec<Value>>,
        contains: Option<Vec<Value>>,
        status: Option<u16>,
        error: Option<String>,
    },
    Client {
        client_id: String,
        client_secret: Option<String>,
    },
    None {},
}

/// Reads a file of vectors for requests.
///
/// # Panics
///
/// When there is no such file, or it is not as its README says.
#[must_use]
pub fn load(file: &str) -> Vec<Vector> {
    let vectors: Vec<Vector> =
        serde_json::from_value(load_json(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(!vectors.is_empty(), "{file} has no cases");
    vectors
}

/// Holds faults, as `[kind, field]`, to those that a case expects: all in order, or some that are among them.
///
/// # Panics
///
/// When they are others.
pub fn assert_faults(
    id: &str,
    found: &Value,
    errors: Option<&[Value]>,
    contains: Option<&[Value]>,
) {
    let found = found
        .as_array()
        .unwrap_or_else(|| panic!("{id}: no faults"));
    match (errors, contains) {
        (Some(errors), _) => assert_eq!(found, errors, "{id}"),
        (None, Some(contains)) => assert!(
            contains.iter().all(|fault| found.contains(fault)),
            "{id}: {found:?}"
        ),
        (None, None) => panic!("{id}: nothing is expected"),
    }
}

/// Reads any file of vectors.
///
/// # Panics
///
/// When there is no such file, or it is no JSON.
#[must_use]
pub fn load_json(file: &str) -> Value {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let path = folders
        .map(|folder| folder.join("vectors").join(file))
        .find(|path| path.exists())
        .unwrap_or_else(|| panic!("{file} is not among the vectors"));
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{file}: {error}"));
    whole(serde_json::from_str(&text).unwrap_or_else(|error| panic!("{file}: {error}")))
}

/// Writes out every `{"gen": [[piece, times], …]}` as the string that it stands for.
fn whole(value: Value) -> Value {
    match value {
        Value::Object(mut object) => match object
            .remove("gen")
            .map(serde_json::from_value::<Vec<(String, usize)>>)
        {
            Some(Ok(pieces)) => pieces
                .iter()
                .map(|(piece, times)| piece.repeat(*times))
                .collect::<String>()
                .into(),
            _ => object
                .into_iter()
                .map(|(key, value)| (key, whole(value)))
                .collect::<Map<_, _>>()
                .into(),
        },
        Value::Array(items) => items.into_iter().map(whole).collect(),
        value => value,
    }
}

fn bytes<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    from_latin1(&String::deserialize(deserializer)?)
}

fn headers<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, Vec<u8>)>, D::Error> {
    let headers = Vec::<(String, String)>::deserialize(deserializer)?;
    headers
        .into_iter()
        .map(|(name, value)| Ok((name, from_latin1(&value)?)))
        .collect()
}

/// One character is one byte.
fn from_latin1<E: serde::de::Error>(text: &str) -> Result<Vec<u8>, E> {
    text.chars()
        .map(u8::try_from)
        .collect::<Result<_, _>>()
        .map_err(E::custom)
}
