//! The schema of a form, as FastAPI describes its own forms.

use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::form::standard::Standard;
use crate::{FaultKind, FormError, PasswordRequestForm};

/// The schema of a form, which serializes into a
/// [Schema Object](https://spec.openapis.org/oas/v3.1.1.html#schema-object).
///
/// ```
/// use serde_json::json;
/// use tollgate::PasswordRequestForm;
///
/// #[derive(PasswordRequestForm)]
/// struct Login {
///     username: String,
///     password: String,
///     otp: Option<u32>,
/// }
///
/// let schema = json!(Login::schema());
/// assert_eq!(schema["required"], json!(["username", "password"]));
/// assert_eq!(schema["properties"]["otp"], json!({ "anyOf": [{ "type": "integer", "minimum": 0, "maximum": 4294967295_u32 }, { "type": "null" }] }));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct FormSchema {
    properties: Vec<Property>,
}

#[derive(Clone, Debug, PartialEq)]
struct Property {
    name: &'static str,
    is_required: bool,
    value: Value,
}

impl FormSchema {
    /// The content type of every form.
    pub const CONTENT_TYPE: &'static str = "application/x-www-form-urlencoded";

    /// Returns the schema of a form: the standard fields, then its own fields, by wire name and
    /// type.
    ///
    /// A field is required if the form reports it as missing from an empty body.
    #[doc(hidden)]
    #[must_use]
    pub fn of<'a, F: PasswordRequestForm<'a>>(own: &[(&'static str, ValueType)]) -> Self {
        let faults = F::decode(b"").err();
        let is_required = |name: &str| {
            let mut faults = faults.iter().flat_map(FormError::faults);
            faults.any(|fault| fault.field == Some(name) && fault.kind == FaultKind::Missing)
        };
        let standard = Standard::ALL.map(|field| {
            let pattern = matches!(field, Standard::GrantType).then_some(("pattern", "^password$"));
            let is_secret = matches!(field, Standard::Password | Standard::ClientSecret);
            let outside = match field {
                Standard::Scope => Some(("default", "")),
                _ if is_secret && !F::CONFIG.strict => Some(("format", "password")),
                _ => None,
            };
            let mut value = json!(ValueType::TEXT);
            with(&mut value, pattern);
            if !is_required(field.wire_name()) && !matches!(field, Standard::Scope) {
                value = nullable(&value);
            }
            with(&mut value, outside);
            (field.wire_name(), value)
        });
        let own = own.iter().map(|(name, ty)| {
            let value = json!(ty);
            (
                *name,
                if is_required(name) {
                    value
                } else {
                    nullable(&value)
                },
            )
        });
        let properties = standard
            .into_iter()
            .chain(own)
            .map(|(name, value)| Property {
                name,
                is_required: is_required(name),
                value,
            });
        Self {
            properties: properties.collect(),
        }
    }
}

fn nullable(value: &Value) -> Value {
    json!({ "anyOf": [value, { "type": "null" }] })
}

fn with(schema: &mut Value, keyword: Option<(&str, &str)>) {
    if let Some((keyword, value)) = keyword {
        schema[keyword] = value.into();
    }
}

impl Serialize for FormSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let properties: Map<_, _> = self
            .properties
            .iter()
            .map(|property| (property.name.to_owned(), property.value.clone()))
            .collect();
        let required = self
            .properties
            .iter()
            .filter(|property| property.is_required);
        let required: Value = required.map(|property| property.name).collect();
        json!({ "type": "object", "properties": properties, "required": required })
            .serialize(serializer)
    }
}

/// The type of a custom field's value, as far as its Rust type tells. It serializes into a Schema
/// Object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType(&'static str);

impl ValueType {
    const TEXT: Self = Self(r#"{"type":"string"}"#);
    const ANY: Self = Self("{}");
}

impl Serialize for ValueType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schema: Value = serde_json::from_str(self.0).unwrap_or_else(|_| json!({}));
        schema.serialize(serializer)
    }
}

/// The [`ValueType`] of a type: `<ValueOf<T>>::KIND`.
#[derive(Debug)]
pub struct ValueOf<T>(core::marker::PhantomData<T>);

macro_rules! value_types {
    ($($($ty:ty),+ => $schema:literal;)*) => {$($(
        impl ValueOf<$ty> {
            /// The type of the value.
            pub const KIND: ValueType = ValueType($schema);
        }

        impl ValueOf<Option<$ty>> {
            /// The type of the value.
            pub const KIND: ValueType = ValueType($schema);
        }
    )+)*};
}

value_types! {
    String, Box<str>, secrecy::SecretString => r#"{"type":"string"}"#;
    char => r#"{"type":"string","minLength":1,"maxLength":1}"#;
    i8 => r#"{"type":"integer","minimum":-128,"maximum":127}"#;
    i16 => r#"{"type":"integer","minimum":-32768,"maximum":32767}"#;
    i32 => r#"{"type":"integer","minimum":-2147483648,"maximum":2147483647}"#;
    i64, isize => r#"{"type":"integer"}"#;
    u8 => r#"{"type":"integer","minimum":0,"maximum":255}"#;
    u16 => r#"{"type":"integer","minimum":0,"maximum":65535}"#;
    u32 => r#"{"type":"integer","minimum":0,"maximum":4294967295}"#;
    u64, usize => r#"{"type":"integer","minimum":0}"#;
    f32, f64 => r#"{"type":"number"}"#;
    bool => r#"{"type":"boolean"}"#;
}

/// The fallback for any other type.
pub trait AnyValue {
    /// The type of the value.
    const KIND: ValueType = ValueType::ANY;
}

impl<T> AnyValue for ValueOf<T> {}
