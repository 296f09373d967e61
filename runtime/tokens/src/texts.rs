//! How lists of texts are read from a configuration, and passed to a builder.

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

/// Passes each value of a setting, which may be absent or a list, to a method of a builder.
pub(crate) fn set<B, T>(
    builder: B,
    values: impl IntoIterator<Item = T>,
    set: impl FnMut(B, T) -> B,
) -> B {
    values.into_iter().fold(builder, set)
}

/// Calls a method of a builder if a setting says so.
pub(crate) fn set_if<B>(builder: B, is_set: bool, set: impl FnOnce(B) -> B) -> B {
    if is_set { set(builder) } else { builder }
}
