//! How settings are read from a configuration.

use secrecy::SecretString;
use serde::de::{Error as _, IgnoredAny};
use serde::{Deserialize, Deserializer};

/// A text, or a number that a format of settings has made of one, such as of the identifier of a
/// client.
#[derive(Deserialize)]
#[serde(untagged)]
enum TextOrNumber {
    Text(String),
    Number(u64),
}

/// Reads a list, or a single text.
pub(crate) fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Texts {
        One(TextOrNumber),
        Many(Vec<TextOrNumber>),
        Other(IgnoredAny),
    }
    let texts = match Texts::deserialize(deserializer)? {
        Texts::One(text) => vec![text],
        Texts::Many(texts) => texts,
        Texts::Other(_) => return Err(D::Error::custom("neither a text nor a list of texts")),
    };
    let texts = texts.into_iter().map(|text| match text {
        TextOrNumber::Text(text) => text,
        TextOrNumber::Number(number) => number.to_string(),
    });
    Ok(texts.collect())
}

/// Like [`texts`], for secrets.
pub(crate) fn secrets<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<SecretString>, D::Error> {
    texts(deserializer).map(|secrets| secrets.into_iter().map(SecretString::from).collect())
}

/// Sets a value, if there is one.
pub(crate) fn set<B, T>(builder: B, value: Option<T>, set: impl FnOnce(B, T) -> B) -> B {
    match value {
        Some(value) => set(builder, value),
        None => builder,
    }
}
