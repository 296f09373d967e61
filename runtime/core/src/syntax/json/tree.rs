//! JSON whose objects keep the order of their members. `serde_json` sorts them, unless a program
//! switches on its feature `preserve_order`, which changes every other object of that program.

use core::fmt;

use serde::de::{self, DeserializeOwned, IgnoredAny};
use serde::ser::{Serialize, Serializer};
use serde_json::{Deserializer, Error, Number, Value};

/// A description as JSON. Its objects keep the order of their members.
///
/// It serializes into the description: `axum::Json(document.into_json())`. `to_string` returns the
/// text, and `serde_json::Value::from` a [`Value`]. The objects of a `Value` are sorted, unless the
/// program switches on `serde_json/preserve_order`.
#[derive(Clone, Debug, PartialEq)]
pub struct Json(pub(crate) Tree);

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&serde_json::to_string(&self.0).map_err(|_| fmt::Error)?)
    }
}

impl From<Json> for Value {
    fn from(json: Json) -> Self {
        json.0.into()
    }
}

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Tree {
    Null,
    Bool(bool),
    Number(Number),
    Text(String),
    Array(Vec<Self>),
    Object(Object),
}

/// The members of an object, in their order. A name may occur more than once, as in JSON text.
#[derive(Clone, Debug, Default)]
pub(crate) struct Object(Vec<(String, Tree)>);

/// How deep arrays and objects may be nested, as in `serde_json`.
const DEPTH: usize = 128;

impl Tree {
    /// Reads a text.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        // What follows needs to find the parts of a text that is JSON.
        serde_json::from_str::<IgnoredAny>(text)?;
        Self::read(&mut &*text, DEPTH)
    }

    /// Reads a value of any type, by the text that it serializes into.
    pub(crate) fn of(value: &(impl Serialize + ?Sized)) -> Result<Self, Error> {
        Self::parse(&serde_json::to_string(value)?)
    }

    /// Reads the first value of a text, and leaves the rest.
    fn read(rest: &mut &str, depth: usize) -> Result<Self, Error> {
        *rest = rest.trim_ascii_start();
        let inner = || {
            let deeper = depth.checked_sub(1);
            deeper.ok_or_else(|| de::Error::custom("recursion limit exceeded"))
        };
        Ok(match rest.as_bytes().first() {
            Some(b'{') => {
                let (depth, mut members) = (inner()?, Vec::new());
                while another(rest) {
                    let name = scalar(rest)?;
                    // The colon.
                    another(rest);
                    members.push((name, Self::read(rest, depth)?));
                }
                Self::Object(Object(members))
            }
            Some(b'[') => {
                let (depth, mut items) = (inner()?, Vec::new());
                while another(rest) {
                    items.push(Self::read(rest, depth)?);
                }
                Self::Array(items)
            }
            Some(b'"') => Self::Text(scalar(rest)?),
            Some(b't' | b'f') => Self::Bool(scalar(rest)?),
            Some(b'n') => {
                scalar::<()>(rest)?;
                Self::Null
            }
            _ => {
                let text = *rest;
                let number: Number = scalar(rest)?;
                // `serde_json` reads some fractions as the number next to theirs.
                let written = text.strip_suffix(*rest).filter(|_| number.is_f64());
                let exact = written.and_then(|text| Number::from_f64(text.parse().ok()?));
                Self::Number(exact.unwrap_or(number))
            }
        })
    }

    pub(crate) fn object<const N: usize>(members: [(&str, Self); N]) -> Self {
        Self::Object(Object::of(members))
    }

    pub(crate) fn as_object(&self) -> Option<&Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the members, which are none if the value is not an object.
    pub(crate) fn into_object(self) -> Object {
        match self {
            Self::Object(object) => object,
            _ => Object::default(),
        }
    }

    pub(crate) fn as_object_mut(&mut self) -> Option<&mut Object> {
        match self {
            Self::Object(object) => Some(object),
            _ => None,
        }
    }

    /// Returns the texts of a list, without its other values.
    pub(crate) fn texts(&self) -> Vec<String> {
        let list = self.as_array().unwrap_or_default();
        list.iter().filter_map(Self::as_str).map(str::to_owned).collect()
    }

    pub(crate) fn as_array(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns a member, if the value is an object that has it.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// Returns the value as an object. Replaces any other value with an empty object.
    pub(crate) fn make_object(&mut self) -> &mut Object {
        match self {
            Self::Object(object) => object,
            other => {
                *other = Self::Object(Object::default());
                other.make_object()
            }
        }
    }
}

impl Object {
    pub(crate) fn of<const N: usize>(members: [(&str, Tree); N]) -> Self {
        let members = members.into_iter();
        members.map(|(name, value)| (name.to_owned(), value)).collect()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &Tree)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = (&str, &mut Tree)> {
        self.0.iter_mut().map(|(name, value)| (&**name, value))
    }

    /// Returns the member with this name. Of several, the last counts, as for most readers
    /// ([RFC 8259, 4](https://www.rfc-editor.org/rfc/rfc8259#section-4)).
    pub(crate) fn get(&self, name: &str) -> Option<&Tree> {
        let mut members = self.0.iter().rev();
        members.find_map(|(other, value)| (other == name).then_some(value))
    }

    /// Returns the member at this position.
    pub(crate) fn at_mut(&mut self, position: usize) -> Option<&mut Tree> {
        self.0.get_mut(position).map(|(_, value)| value)
    }

    /// Adds a member at the end, even if there is one with this name.
    pub(crate) fn push(&mut self, name: &str, value: Tree) {
        self.0.push((name.to_owned(), value));
    }

    /// Adds a member, unless the object has one with this name.
    pub(crate) fn add(&mut self, name: &str, value: Tree) {
        if self.get(name).is_none() {
            self.push(name, value);
        }
    }

    /// Changes the member with this name. If it is missing, adds what `change` makes of `null`.
    pub(crate) fn update<R>(&mut self, name: &str, change: impl FnOnce(&mut Tree) -> R) -> R {
        let mut members = self.0.iter_mut().rev();
        if let Some((_, value)) = members.find(|(other, _)| other == name) {
            return change(value);
        }
        let mut value = Tree::Null;
        let changed = change(&mut value);
        self.push(name, value);
        changed
    }

    /// Changes the member with this name as an object.
    pub(crate) fn update_object<R>(
        &mut self,
        name: &str,
        change: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.update(name, |value| change(value.make_object()))
    }

    /// Removes every member with this name, and returns the last.
    pub(crate) fn remove(&mut self, name: &str) -> Option<Tree> {
        let removed = self.0.extract_if(.., |(other, _)| other == name);
        removed.last().map(|(_, value)| value)
    }
}

impl FromIterator<(String, Tree)> for Object {
    fn from_iter<I: IntoIterator<Item = (String, Tree)>>(members: I) -> Self {
        Self(Vec::from_iter(members))
    }
}

impl FromIterator<Self> for Tree {
    fn from_iter<I: IntoIterator<Item = Self>>(items: I) -> Self {
        Self::Array(Vec::from_iter(items))
    }
}

impl From<bool> for Tree {
    fn from(flag: bool) -> Self {
        Self::Bool(flag)
    }
}

impl From<&str> for Tree {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Tree {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

/// The order of members does not count
/// ([RFC 8259, 1](https://www.rfc-editor.org/rfc/rfc8259#section-1)).
impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        let has_all =
            |one: &Self, other: &Self| one.0.iter().all(|member| other.0.contains(member));
        self.0.len() == other.0.len() && has_all(self, other) && has_all(other, self)
    }
}

impl Serialize for Tree {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Bool(flag) => serializer.serialize_bool(*flag),
            Self::Number(number) => number.serialize(serializer),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Array(items) => serializer.collect_seq(items),
            Self::Object(object) => serializer.collect_map(object.iter()),
        }
    }
}

impl From<Tree> for Value {
    fn from(tree: Tree) -> Self {
        match tree {
            Tree::Null => Self::Null,
            Tree::Bool(flag) => Self::Bool(flag),
            Tree::Number(number) => Self::Number(number),
            Tree::Text(text) => Self::String(text),
            Tree::Array(items) => items.into_iter().collect(),
            Tree::Object(Object(members)) => members.into_iter().collect(),
        }
    }
}

/// Takes what is between two parts of an array or an object from a text: its start, a comma, a colon
/// or its end. Returns `true` unless it is the end.
fn another(rest: &mut &str) -> bool {
    let text = rest.trim_ascii_start();
    let after = text.strip_prefix(['{', '[', ',', ':']).unwrap_or(text).trim_ascii_start();
    let end = after.strip_prefix([']', '}']);
    *rest = end.unwrap_or(after);
    end.is_none() && !after.is_empty()
}

/// Takes a value that has no parts from a text.
fn scalar<T: DeserializeOwned>(rest: &mut &str) -> Result<T, Error> {
    let mut values = Deserializer::from_str(rest).into_iter();
    let value = values.next().unwrap_or_else(|| Err(de::Error::custom("a value is missing")))?;
    *rest = rest.get(values.byte_offset()..).unwrap_or_default();
    Ok(value)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{Json, Tree};

    /// Members out of order and repeated, and a fraction that `serde_json` reads as another one.
    const TEXT: &str = concat!(
        r#"{"z":1,"a":[true,null,{"y":"\u0000é\"\\]}","b":{}}],"z":[],"m":31.245270191439438,"#,
        r#""q":-12,"r":0.5,"s":18446744073709551615,"t":false}"#
    );

    fn tree(text: &str) -> Tree {
        Tree::parse(text).unwrap()
    }

    #[test]
    fn a_text_comes_out_as_it_was() {
        assert_eq!(Json(tree(TEXT)).to_string(), TEXT);
        assert_eq!(serde_json::to_string(&Json(tree(TEXT))).unwrap(), TEXT);
        let spaced = " { \"b\" : [ 1.10 , [ ] , 2 ] , \"a\" : { } , \"c\" : 1E2 } ";
        assert_eq!(Json(tree(spaced)).to_string(), r#"{"b":[1.1,[],2],"a":{},"c":100.0}"#);
    }

    #[test]
    fn it_becomes_a_value() {
        let text = r#"{"b":[1,-2,0.5,"t",true,null],"a":{"x":{}}}"#;
        let expected = json!({ "a": { "x": {} }, "b": [1, -2, 0.5, "t", true, null] });
        assert_eq!(Value::from(Json(tree(text))), expected);
        let number = serde_json::to_value(Json(tree(r#"{"a":[1.5,1.50]}"#))).unwrap();
        assert_eq!(number, json!({ "a": [1.5, 1.5] }));
    }

    #[test]
    fn what_is_not_json_or_too_deep_is_an_error() {
        for text in ["", "{", "[1,]", "nul", "01", r#""\ud800""#, "{} {}", r#"{"a":}"#, "1e400"] {
            assert!(Tree::parse(text).is_err(), "{text}");
        }
        let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        assert!(Tree::parse(&nested(128)).is_ok());
        assert!(Tree::parse(&nested(129)).is_err());
        assert!(Tree::parse(&nested(100_000)).is_err());
    }

    #[test]
    fn the_order_of_members_does_not_count() {
        assert_eq!(tree(r#"{"a":1,"b":[2]}"#), tree(r#"{"b":[2],"a":1}"#));
        for (one, other) in [
            (r#"{"a":1}"#, r#"{"a":2}"#),
            (r#"{"a":1}"#, r#"{"a":1,"b":1}"#),
            (r#"{"a":1,"a":2}"#, r#"{"a":1,"a":1}"#),
            ("[1,2]", "[2,1]"),
            ("null", "false"),
        ] {
            assert_ne!(tree(one), tree(other));
            assert_ne!(tree(other), tree(one));
        }
    }
}
