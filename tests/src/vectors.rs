//! The vectors: the contract as test cases. `vectors/README.md` describes their format.

use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value, json};

/// A test case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vector {
    /// The name of the case.
    pub id: String,
    /// The headers of the request, as bytes.
    #[serde(deserialize_with = "headers")]
    pub headers: Vec<(String, Vec<u8>)>,
    /// The method of the request.
    #[serde(default = "get")]
    pub method: String,
    /// The path and query of the request.
    #[serde(default = "root")]
    pub target: String,
    /// The body of the request, as bytes.
    #[serde(default, deserialize_with = "bytes")]
    pub body: Vec<u8>,
    /// The expected outcome.
    pub expect: Expect,
    /// Texts that may appear nowhere in the answer.
    #[serde(default)]
    pub must_not_contain: Vec<String>,
    /// `Some("none")` if a scheme with `auto_error = false` yields nothing.
    pub optional: Option<String>,
    #[serde(rename = "area")]
    _area: String,
    #[serde(rename = "source")]
    _source: String,
    #[serde(rename = "why")]
    _why: Option<String>,
}

/// The expected outcome of a request.
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
        www_authenticate: Option<String>,
    },
    Basic {
        username: String,
        password: String,
    },
    Fields {
        fields: Value,
    },
    Grant {
        grant: String,
        fields: Value,
        client: Value,
    },
    Form {
        fields: Value,
        client: Value,
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

fn get() -> String {
    "GET".to_owned()
}

fn root() -> String {
    "/".to_owned()
}

impl Vector {
    /// Returns the query of the target, with its question mark.
    #[must_use]
    pub fn query(&self) -> &str {
        let start = self.target.find('?').unwrap_or(self.target.len());
        &self.target[start..]
    }

    /// Checks that a text has nothing that must stay hidden.
    ///
    /// # Panics
    ///
    /// Panics if it has.
    pub fn assert_hidden(&self, text: &str) {
        let shown = self.must_not_contain.iter().find(|hidden| text.contains(&***hidden));
        assert_eq!(shown, None, "{}: {text}", self.id);
    }
}

impl Expect {
    /// Returns what a scheme is expected to yield, or `None` if it refuses the request.
    #[must_use]
    pub fn credential(&self) -> Option<Value> {
        match self {
            Self::Value { value: found } | Self::Token { token: found } => Some(json!(found)),
            Self::Basic { username, password } => {
                Some(json!({ "username": username, "password": password }))
            }
            _ => None,
        }
    }

    /// Returns what a form with the credentials of its client is expected to yield, or `None` if
    /// the request is refused.
    #[must_use]
    pub fn form_and_client(&self) -> Option<Value> {
        match self {
            Self::Grant { grant, fields, client } => {
                Some(json!({ "grant": grant, "fields": fields, "client": client }))
            }
            Self::Form { fields, client } => Some(json!({ "fields": fields, "client": client })),
            _ => None,
        }
    }
}

/// Reads a file of vectors for requests.
///
/// # Panics
///
/// Panics if the file does not exist or does not have the format that its README describes.
#[must_use]
pub fn load(file: &str) -> Vec<Vector> {
    let vectors: Vec<Vector> =
        serde_json::from_value(load_json(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert!(!vectors.is_empty(), "{file} has no cases");
    vectors
}

/// Checks faults, as `[kind, field]`, against the expected ones: `errors` has all of them in order,
/// `contains` some of them.
///
/// # Panics
///
/// Panics if the faults differ.
pub fn assert_faults(
    id: &str,
    found: &Value,
    errors: Option<&[Value]>,
    contains: Option<&[Value]>,
) {
    let found = found.as_array().unwrap_or_else(|| panic!("{id}: no faults"));
    match (errors, contains) {
        (Some(errors), _) => assert_eq!(found, errors, "{id}"),
        (None, Some(contains)) => {
            assert!(contains.iter().all(|fault| found.contains(fault)), "{id}: {found:?}");
        }
        (None, None) => panic!("{id}: nothing is expected"),
    }
}

/// Reads any file of vectors.
///
/// # Panics
///
/// Panics if the file does not exist or is not JSON.
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

/// Replaces every `{"gen": [[piece, times], …]}` with the string that it describes.
fn whole(value: Value) -> Value {
    match value {
        Value::Object(mut object) => match object
            .remove("gen")
            .map(serde_json::from_value::<Vec<(String, usize)>>)
        {
            Some(Ok(pieces)) => {
                pieces.iter().map(|(piece, times)| piece.repeat(*times)).collect::<String>().into()
            }
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
    headers.into_iter().map(|(name, value)| Ok((name, from_latin1(&value)?))).collect()
}

/// Converts each character to one byte.
fn from_latin1<E: serde::de::Error>(text: &str) -> Result<Vec<u8>, E> {
    text.chars().map(u8::try_from).collect::<Result<_, _>>().map_err(E::custom)
}
