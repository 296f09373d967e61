//! The types of custom fields: all types that `serde_urlencoded` can read from one value.

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

use super::decode::Fields;

/// A type of a custom field: any `Deserialize` type that owns its data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a parameter of a form",
    label = "not read from a parameter",
    note = "write a type that owns its data and implements serde's `Deserialize`, or an `Option` of one"
)]
pub trait FromValue: Sized {
    /// Reads a value from the bytes of its pair, `name=value`.
    fn from_pair(pair: &[u8]) -> Option<Self>;

    /// Returns the value for a parameter that was not sent. As in serde, a missing `Option` is
    /// `None`, and most types have no such value.
    fn absent() -> Option<Self>;

    /// Takes a custom field by its index.
    #[inline]
    fn take(fields: &mut Fields<'_, '_>, index: usize) -> Option<Self> {
        fields.value(index)
    }
}

#[diagnostic::do_not_recommend]
impl<T: DeserializeOwned> FromValue for T {
    fn from_pair(pair: &[u8]) -> Option<Self> {
        serde_urlencoded::from_bytes(pair)
            .ok()
            .map(|Lone(value)| value)
    }

    fn absent() -> Option<Self> {
        T::deserialize(Absent).ok()
    }
}

/// The value of a single pair, regardless of its name.
struct Lone<T>(T);

impl<'de, T: DeserializeOwned> Deserialize<'de> for Lone<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer
            .deserialize_map(LonePair(PhantomData))
            .map(Self)
    }
}

struct LonePair<T>(PhantomData<T>);

impl<'de, T: DeserializeOwned> Visitor<'de> for LonePair<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a lone pair")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut pairs: A) -> Result<T, A::Error> {
        pairs.next_key::<IgnoredAny>()?;
        pairs.next_value()
    }
}

struct Absent;

impl<'de> Deserializer<'de> for Absent {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Error> {
        Err(Error::custom("absent"))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_none()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct newtype_struct seq
        tuple tuple_struct map struct enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_whatever_its_name() {
        assert_eq!(<u32>::from_pair(b"tenant=42"), Some(42));
        assert_eq!(<u32>::from_pair(b"%74enant=%342"), Some(42));
        assert_eq!(
            <Option<String>>::from_pair(b"otp=1+2"),
            Some(Some("1 2".into()))
        );
        assert_eq!(<u32>::from_pair(b"tenant=-1"), None);
        assert_eq!(<Vec<String>>::from_pair(b"tenant=a"), None);
    }

    #[test]
    fn only_an_option_has_a_value_for_absence() {
        assert_eq!(<Option<u32>>::absent(), Some(None));
        assert_eq!(<u32>::absent(), None);
        assert_eq!(<String>::absent(), None);
        assert_eq!(<()>::absent(), None);
    }
}
