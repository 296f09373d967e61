//! Results as JSON.

use std::collections::HashMap;

use doorward::form::{FormError, OwnedForm};
use doorward::secrecy::ExposeSecret;
use doorward::token_endpoint::Client;
use doorward::{
    ApiKey, AuthorizationValue, BasicCredentials, BearerToken, HttpCredentials,
    OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, SecurityScopes,
};
use serde_json::{Value, json};

/// A scheme's result as JSON text, or `null` if the scheme yields nothing. The bytes of a whole
/// header value are read as Latin-1.
pub trait Shown {
    /// Returns the result as JSON.
    fn shown(&self) -> Value;
}

macro_rules! shown {
    ($($ty:ty: |$found:ident| $shown:expr;)*) => {$(
        impl Shown for $ty {
            fn shown(&self) -> Value {
                let $found = self;
                json!($shown)
            }
        }
    )*};
}

shown! {
    BearerToken: |token| token.as_str();
    AuthorizationValue: |value| latin1(value.as_bytes());
    ApiKey: |key| key.as_str();
    HttpCredentials: |credentials| latin1(credentials.as_bytes());
    BasicCredentials: |user| {
        json!({ "username": user.username, "password": user.password.expose_secret() })
    };
    SecurityScopes: |scopes| {
        json!({ "scopes": scopes.scopes(), "scope_str": scopes.scope_str() })
    };
}

impl<T: Shown> Shown for Option<T> {
    fn shown(&self) -> Value {
        self.as_ref().map_or(Value::Null, Shown::shown)
    }
}

/// Decodes bytes as Latin-1: each byte is the character with the same number.
#[must_use]
pub fn latin1(bytes: &[u8]) -> String {
    bytes.iter().copied().map(char::from).collect()
}

/// A ready-made form that can be shown with all its fields.
pub trait Attributes: OwnedForm {
    /// Returns the six fields. Absent ones are `null`.
    fn attributes(&self) -> Value;
}

macro_rules! attributes {
    ($($form:ty),*) => {$(
        impl Attributes for $form {
            fn attributes(&self) -> Value {
                json!({
                    "grant_type": self.grant_type,
                    "username": self.username,
                    "password": self.password.expose_secret(),
                    "scopes": self.scopes,
                    "client_id": self.client_id,
                    "client_secret": self.client_secret.as_ref().map(ExposeSecret::expose_secret),
                })
            }
        }
    )*};
}

attributes!(OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict);

/// The kind of a fault, and its field.
pub type Pair = (&'static str, Option<&'static str>);

/// Returns the faults of a form.
#[must_use]
pub fn fault_pairs(error: &FormError) -> Vec<Pair> {
    let faults = error.faults().iter();
    faults.map(|fault| (fault.kind.as_str(), fault.field)).collect()
}

/// Returns the faults of a form as `(kind, field)`, by the book.
#[must_use]
pub fn faults_by_the_book(error: &FormError) -> Vec<(&'static str, &'static str)> {
    let pairs = fault_pairs(error).into_iter();
    pairs.map(|(kind, field)| (kind, field.unwrap_or_default())).collect()
}

/// Returns the parameters that a form was read from. Its scopes are joined with single spaces.
#[must_use]
pub fn parameters(form: &OAuth2PasswordRequestForm) -> HashMap<String, String> {
    let secret = form.client_secret.as_ref().map(ExposeSecret::expose_secret);
    let scope = form.scopes.join(" ");
    let fields = [
        ("grant_type", form.grant_type.as_deref()),
        ("username", Some(&*form.username)),
        ("password", Some(form.password.expose_secret())),
        ("scope", Some(&*scope)),
        ("client_id", form.client_id.as_deref()),
        ("client_secret", secret),
    ];
    let there = fields.into_iter().filter_map(|(name, value)| Some((name, value?)));
    there.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
}

/// Joins the scopes in `scope` with single spaces, and inserts an empty `scope` if it is missing.
#[must_use]
pub fn with_split_scope(mut form: HashMap<String, String>) -> HashMap<String, String> {
    let scope = form.remove("scope").unwrap_or_default();
    form.insert("scope".to_owned(), scope.split_whitespace().collect::<Vec<_>>().join(" "));
    form
}

/// Returns the faults of a form as `[kind, field or null]`.
#[must_use]
pub fn faults(error: &FormError) -> Value {
    json!(fault_pairs(error))
}

/// Returns the credentials of a client, or `null`.
#[must_use]
pub fn client(found: Option<&Client>) -> Value {
    found.map_or(Value::Null, |client| {
        let secret = client.client_secret().map(ExposeSecret::expose_secret);
        json!({ "client_id": client.client_id(), "client_secret": secret })
    })
}
