//! The schema of a form, as FastAPI describes its own forms.

use std::borrow::Cow;

use serde::{Serialize, Serializer};

use crate::form::purpose::{FormAlone, Unrecorded};
use crate::form::standard::Standard;
use crate::form::{FaultKind, FormError, RequestForm};
use crate::syntax::json::tree::Tree;

/// The schema of a form, which serializes into a
/// [Schema Object](https://spec.openapis.org/oas/v3.1.1.html#schema-object).
///
/// ```
/// use serde_json::json;
/// use doorward::form::RequestForm;
/// use doorward::PasswordRequestForm;
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
pub struct FormSchema(Shape);

#[derive(Clone, Debug, PartialEq)]
enum Shape {
    /// The form of one grant, or of another endpoint.
    Form(Vec<Property>),
    /// The forms of several grants.
    OneOf(Vec<Grant>),
}

#[derive(Clone, Debug, PartialEq)]
struct Property {
    name: &'static str,
    is_required: bool,
    value: Tree,
}

#[derive(Clone, Debug, PartialEq)]
struct Grant {
    grant_type: &'static str,
    /// The name of the form among the document's schemas.
    name: &'static str,
    form: FormSchema,
}

impl FormSchema {
    /// The content type of every form.
    pub const CONTENT_TYPE: &'static str = "application/x-www-form-urlencoded";

    /// Returns the schema of a form: the standard fields that it knows or has, then its own fields,
    /// by wire name and type.
    ///
    /// A field is required if the form reports it as missing from an empty body.
    #[doc(hidden)]
    #[must_use]
    pub fn of<'a, F: RequestForm<'a>>(
        taken: &[Standard],
        own: &[(&'static str, ValueType)],
    ) -> Self {
        let faults = F::from_body::<Unrecorded<FormAlone>>(b"", F::CONFIG).err();
        let is_required = |name: &str| {
            let mut faults = faults.iter().flat_map(FormError::faults);
            faults.any(|fault| fault.field == Some(name) && fault.kind == FaultKind::Missing)
        };
        let keeps_empty = |field: usize| F::CONFIG.keep_empty().contains(&field);
        // The permissive password form, as FastAPI describes it.
        let may_omit_its_grant = F::CONFIG.grant_type().is_some() && !F::CONFIG.is_strict();
        let standard = Standard::ALL
            .into_iter()
            .filter(|field| field.is_known(&F::CONFIG) || taken.contains(field))
            .map(|field| {
                let is_secret = matches!(field, Standard::Password | Standard::ClientSecret);
                let mut value = match (field, F::CONFIG.grant_type()) {
                    (Standard::GrantType, Some("password")) => {
                        Tree::object([("type", "string".into()), ("pattern", "^password$".into())])
                    }
                    (Standard::GrantType, Some(grant_type)) => only(grant_type),
                    _ => ValueType::TEXT.schema(),
                };
                // FastAPI's own fields are described as FastAPI does.
                let is_of_fastapi = F::CONFIG.grant_type() == Some("password")
                    && matches!(field, Standard::Username | Standard::Password);
                let outside = match field {
                    Standard::Scope => Some(("default", "")),
                    _ if is_secret && may_omit_its_grant => Some(("format", "password")),
                    _ => None,
                };
                if !is_required(field.wire_name()) {
                    if !matches!(field, Standard::Scope) {
                        value = nullable(value);
                    }
                } else if !is_of_fastapi && !keeps_empty(field as usize) {
                    require_text(&mut value);
                }
                if let Some((keyword, outside)) = outside {
                    value.make_object().push(keyword, outside.into());
                }
                (field.wire_name(), value)
            });
        let own = own.iter().zip(Standard::ALL.len()..).map(|((name, ty), number)| {
            let mut value = ty.schema();
            if is_required(name) {
                if !keeps_empty(number) {
                    require_text(&mut value);
                }
            } else if !is_type(&value, "array") {
                value = nullable(value);
            }
            (*name, value)
        });
        let properties = standard.chain(own).map(|(name, value)| Property {
            name,
            is_required: is_required(name),
            value,
        });
        Self(Shape::Form(properties.collect()))
    }

    /// Returns the schema of an enum of grants: the type, the schema's name and the form of each.
    #[doc(hidden)]
    #[must_use]
    pub fn one_of<const N: usize>(grants: [(&'static str, &'static str, Self); N]) -> Self {
        let grants = grants.into_iter().map(|(grant_type, name, form)| Grant {
            grant_type,
            name,
            form: form.of_grant(grant_type),
        });
        Self(Shape::OneOf(grants.collect()))
    }

    /// Returns the schema of a form that must name this grant.
    fn of_grant(self, grant_type: &'static str) -> Self {
        let Shape::Form(mut properties) = self.0 else {
            return self;
        };
        properties.retain(|property| property.name != Standard::GrantType.wire_name());
        let grant_type = Property {
            name: Standard::GrantType.wire_name(),
            is_required: true,
            value: only(grant_type),
        };
        properties.insert(0, grant_type);
        Self(Shape::Form(properties))
    }

    /// Returns the schemas that this one refers to, with their names among the document's
    /// `components.schemas`: those of the forms of several grants. There are none for one form.
    pub fn components(&self) -> impl Iterator<Item = (&'static str, &Self)> {
        let grants = match &self.0 {
            Shape::Form(_) => &[][..],
            Shape::OneOf(grants) => grants,
        };
        grants.iter().map(|grant| (grant.name, &grant.form))
    }
}

impl Grant {
    fn reference(&self) -> String {
        format!("#/components/schemas/{}", self.name)
    }
}

fn nullable(value: Tree) -> Tree {
    let null = Tree::object([("type", "null".into())]);
    Tree::object([("anyOf", [value, null].into_iter().collect())])
}

/// Adds that a required text is not empty, unless its schema excludes that already. A parameter
/// without a value is missing ([RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)).
fn require_text(value: &mut Tree) {
    let excludes_empty = ["minLength", "enum", "pattern"].map(|name| value.get(name).is_some());
    if is_type(value, "string") && excludes_empty == [false; 3] {
        value.make_object().push("minLength", Tree::Number(1.into()));
    }
}

fn is_type(schema: &Tree, ty: &str) -> bool {
    schema.get("type").and_then(Tree::as_str) == Some(ty)
}

/// Returns the schema of a text with only one value.
fn only(text: &str) -> Tree {
    Tree::object([("type", "string".into()), ("enum", [text.into()].into_iter().collect())])
}

impl Serialize for FormSchema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.tree().serialize(serializer)
    }
}

impl FormSchema {
    /// Returns the Schema Object.
    pub(crate) fn tree(&self) -> Tree {
        match &self.0 {
            Shape::Form(properties) => form(properties),
            Shape::OneOf(grants) => one_of(grants),
        }
    }
}

fn form(properties: &[Property]) -> Tree {
    let required = properties
        .iter()
        .filter(|property| property.is_required)
        .map(|property| property.name.into());
    let properties =
        properties.iter().map(|property| (property.name.to_owned(), property.value.clone()));
    Tree::object([
        ("type", "object".into()),
        ("properties", Tree::Object(properties.collect())),
        ("required", required.collect()),
    ])
}

/// Returns the [discriminated](https://spec.openapis.org/oas/v3.1.1.html#discriminator-object)
/// forms of the grants. A discriminator needs references.
fn one_of(grants: &[Grant]) -> Tree {
    let references = grants.iter().map(|grant| Tree::object([("$ref", grant.reference().into())]));
    let mapping =
        grants.iter().map(|grant| (grant.grant_type.to_owned(), grant.reference().into()));
    let discriminator = Tree::object([
        ("propertyName", "grant_type".into()),
        ("mapping", Tree::Object(mapping.collect())),
    ]);
    Tree::object([("oneOf", references.collect()), ("discriminator", discriminator)])
}

/// The type of a custom field's value, as far as its Rust type tells. It serializes into a Schema
/// Object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType(&'static str);

impl ValueType {
    const TEXT: Self = Self(r#"{"type":"string"}"#);
    const ANY: Self = Self("{}");
}

impl ValueType {
    fn schema(self) -> Tree {
        Tree::parse(self.0).unwrap_or_else(|_| Tree::object([]))
    }
}

impl Serialize for ValueType {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.schema().serialize(serializer)
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

        impl ValueOf<Option<Vec<$ty>>> {
            /// The type of the value.
            pub const KIND: ValueType = <ValueOf<Vec<$ty>>>::KIND;
        }

        impl ValueOf<Vec<$ty>> {
            /// The type of the value.
            pub const KIND: ValueType = ValueType(concat!(r#"{"type":"array","items":"#, $schema, "}"));
        }
    )+)*};
}

value_types! {
    String, Box<str>, Cow<'_, str>, secrecy::SecretString => r#"{"type":"string"}"#;
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

#[cfg(feature = "pkce")]
value_types! {
    crate::form::code_verifier::CodeVerifier => r#"{"type":"string","minLength":43,"maxLength":128}"#;
}
