//! The types of custom fields: those made from text, collections of them for a parameter that may
//! repeat, and all types that `serde_urlencoded` can read from one value.

use core::fmt;
use core::marker::PhantomData;

use serde::de::value::Error;
use serde::de::{DeserializeOwned, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};

use crate::form::decode::Fields;
use crate::form::text::FromText;

/// A type of a custom field: one that is made from text, a collection of one for a parameter that
/// may repeat, or any `Deserialize` type that owns its data.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a parameter of a form",
    label = "not read from a parameter",
    note = "write a type that implements `FromText`, such as `String`, or a collection of one for a parameter that may repeat",
    note = "or write a type that owns its data and implements serde's `Deserialize`, or an `Option` of one"
)]
pub trait FromValue<'a, Way>: Sized {
    /// Takes a custom field by its index.
    fn take(_: Way, fields: &mut Fields<'_, 'a>, index: usize) -> Option<Self>;
}

/// The marker of a type that is made from text.
#[derive(Debug, Default)]
pub struct AsText;

/// The marker of a collection for a parameter that may repeat.
#[derive(Debug, Default)]
pub struct AsList;

/// The marker of an `Option` of such a collection.
#[derive(Debug, Default)]
pub struct AsOptionalList;

/// The marker of such a collection whose items are read by serde.
#[derive(Debug, Default)]
pub struct AsValueList;

/// The marker of a type that is read by serde.
#[derive(Debug, Default)]
pub struct AsValue;

/// Selects the marker of a field's type: `(&&&&&CustomField::<T>::NEW).way()`. The compiler takes
/// the first impl of [`FieldWay`] whose bounds hold, because each needs one reference less than the
/// one before.
#[derive(Debug)]
pub struct CustomField<'a, T>(PhantomData<(&'a (), T)>);

impl<T> CustomField<'_, T> {
    /// The selector.
    pub const NEW: Self = Self(PhantomData);
}

/// The way in which a field is read.
pub trait FieldWay<Way: Default> {
    /// Returns the marker.
    fn way(&self) -> Way {
        Way::default()
    }
}

impl<'a, T: FromText<'a>> FieldWay<AsText> for &&&&CustomField<'a, T> {}

impl<'a, C> FieldWay<AsList> for &&&CustomField<'a, C>
where
    C: IntoIterator + FromIterator<C::Item>,
    C::Item: FromText<'a>,
{
}

impl<'a, C> FieldWay<AsOptionalList> for &&CustomField<'a, Option<C>>
where
    C: IntoIterator + FromIterator<C::Item>,
    C::Item: FromText<'a>,
{
}

impl<C> FieldWay<AsValueList> for &CustomField<'_, C>
where
    C: IntoIterator + FromIterator<C::Item>,
    C::Item: DeserializeOwned,
{
}

impl<T> FieldWay<AsValue> for CustomField<'_, T> {}

#[diagnostic::do_not_recommend]
impl<'a, T: FromText<'a>> FromValue<'a, AsText> for T {
    #[inline]
    fn take(_: AsText, fields: &mut Fields<'_, 'a>, index: usize) -> Option<Self> {
        fields.own_text(index)
    }
}

#[diagnostic::do_not_recommend]
impl<'a, C> FromValue<'a, AsList> for C
where
    C: IntoIterator + FromIterator<C::Item>,
    C::Item: FromText<'a>,
{
    fn take(_: AsList, fields: &mut Fields<'_, 'a>, index: usize) -> Option<Self> {
        fields.own_list(index, |parameters, place| {
            C::Item::from_text(parameters.decode(place).ok()?).ok()
        })
    }
}

#[diagnostic::do_not_recommend]
impl<'a, C> FromValue<'a, AsOptionalList> for Option<C>
where
    C: IntoIterator + FromIterator<C::Item>,
    C::Item: FromText<'a>,
{
    fn take(_: AsOptionalList, fields: &mut Fields<'_, 'a>, index: usize) -> Option<Self> {
        let is_sent = fields.is_sent(index);
        let list: C = FromValue::take(AsList, fields, index)?;
        Some(is_sent.then_some(list))
    }
}

#[diagnostic::do_not_recommend]
impl<'a, C> FromValue<'a, AsValueList> for C
where
    C: IntoIterator + FromIterator<C::Item>,
    C::Item: DeserializeOwned,
{
    fn take(_: AsValueList, fields: &mut Fields<'_, 'a>, index: usize) -> Option<Self> {
        fields.own_list(index, |parameters, place| from_pair(parameters.pair(place)))
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: DeserializeOwned> FromValue<'a, AsValue> for T {
    #[inline]
    fn take(_: AsValue, fields: &mut Fields<'_, 'a>, index: usize) -> Option<Self> {
        fields.own_value(index)
    }
}

/// Reads a value from the bytes of its pair, `name=value`.
pub(super) fn from_pair<T: DeserializeOwned>(pair: &[u8]) -> Option<T> {
    serde_urlencoded::from_bytes(pair).ok().map(|Lone(value)| value)
}

/// Returns the value for a parameter that was not sent. As in serde, a missing `Option` is `None`,
/// and most types have no such value.
pub(super) fn absent<T: DeserializeOwned>() -> Option<T> {
    T::deserialize(NoValue).ok()
}

/// The value of a single pair, regardless of its name.
struct Lone<T>(T);

impl<'de, T: DeserializeOwned> serde::Deserialize<'de> for Lone<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(LonePair(PhantomData)).map(Self)
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

struct NoValue;

impl<'de> Deserializer<'de> for NoValue {
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
        assert_eq!(from_pair(b"tenant=42"), Some(42_u32));
        assert_eq!(from_pair(b"%74enant=%342"), Some(42_u32));
        assert_eq!(from_pair(b"otp=1+2"), Some(Some("1 2".to_owned())));
        assert_eq!(from_pair::<u32>(b"tenant=-1"), None);
        assert_eq!(from_pair::<Vec<u32>>(b"tenant=1"), None);
    }

    #[test]
    fn only_an_option_has_a_value_for_absence() {
        assert_eq!(absent::<Option<u32>>(), Some(None));
        assert_eq!(absent::<u32>(), None);
        assert_eq!(absent::<String>(), None);
        assert_eq!(absent::<()>(), None);
    }
}
