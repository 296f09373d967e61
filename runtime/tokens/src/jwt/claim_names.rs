//! The names of the claims that a type declares. Only they may be in a log: any other name in a token,
//! such as the key of a map, may be data of a user.

use serde::de::value::Error;
use serde::de::{Deserializer, Error as _, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};

/// Returns the fields of a struct, or nothing for a type that takes any names.
pub(crate) fn of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut names: &[&str] = &[];
    // It fails as soon as the type has said what it reads.
    drop(T::deserialize(Asks(&mut names)));
    names
}

/// A deserializer that has no value, and asks a type for its fields.
struct Asks<'n>(&'n mut &'static [&'static str]);

impl<'de> Deserializer<'de> for Asks<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("no value"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::of;

    #[derive(serde::Deserialize)]
    #[allow(dead_code, reason = "only their names are read")]
    struct Claims {
        sub: String,
        #[serde(rename = "accountsOf")]
        accounts: HashMap<String, u32>,
    }

    #[derive(serde::Deserialize)]
    #[allow(dead_code, reason = "only the names of its field are read")]
    struct Wrapped(Claims);

    #[test]
    fn only_declared_names_are_known() {
        assert_eq!(of::<Claims>(), ["sub", "accountsOf"]);
        assert_eq!(of::<Wrapped>(), ["sub", "accountsOf"]);
        assert_eq!(of::<HashMap<String, u32>>(), [""; 0]);
        assert_eq!(of::<serde_json::Value>(), [""; 0]);
    }
}
