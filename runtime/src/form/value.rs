//! What a field of the user's own can become: any type that `serde_urlencoded` reads from one value.

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, forward_to_deserialize_any};

/// Reads a value from the bytes of its pair, `name=value`.
pub(super) fn from_pair<T: DeserializeOwned>(pair: &[u8]) -> Option<T> {
    serde_urlencoded::from_bytes(pair)
        .ok()
        .map(|Lone(value)| value)
}

/// Returns the value that a type has for a parameter that was not sent, as serde has it for a missing field: `None` for an
/// `Option`, nothing for most types.
pub(super) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(Absent).ok()
}

/// The value of a lone pair, whatever its name.
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
        assert_eq!(from_pair::<u32>(b"tenant=42"), Some(42));
        assert_eq!(from_pair::<u32>(b"%74enant=%342"), Some(42));
        assert_eq!(
            from_pair::<Option<String>>(b"otp=1+2"),
            Some(Some("1 2".into()))
        );
        assert_eq!(from_pair::<u32>(b"tenant=-1"), None);
        assert_eq!(from_pair::<Vec<String>>(b"tenant=a"), None);
    }

    #[test]
    fn only_an_option_has_a_value_for_absence() {
        assert_eq!(absent::<Option<u32>>(), Some(None));
        assert_eq!(absent::<u32>(), None);
        assert_eq!(absent::<String>(), None);
        assert_eq!(absent::<()>(), None);
    }
}
