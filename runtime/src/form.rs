//! The password-grant request form ([RFC 6749, 4.3.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.3.2)).
//!
//! [`find`] finds the fields of a body in one pass, using [`word`]s. [`decode`] decodes them.
//! [`text`], [`scopes`] and [`value`] define the types that a field can have. [`error`] has the
//! faults of a body. [`body`] is the body of a form that borrows, and [`read`] reads bodies as they
//! arrive. [`password`] has the ready-made forms. [`client`] reads only the client's two fields.

pub(crate) mod body;
#[cfg(any(feature = "http-body", feature = "rocket05"))]
pub(crate) mod buffer;
pub(crate) mod client;
pub(crate) mod decode;
pub(crate) mod error;
pub(crate) mod escape;
pub(crate) mod find;
pub(crate) mod password;
#[cfg(feature = "http-body")]
pub(crate) mod read;
pub(crate) mod scopes;
pub(crate) mod standard;
pub(crate) mod text;
pub(crate) mod value;
mod word;

use http::HeaderMap;

use self::body::{check_content_type, content_type};
use self::error::FormError;
#[cfg(feature = "openapi")]
use crate::openapi::FormSchema;

/// The configuration of a form, known at compile time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FormConfig {
    /// Whether `grant_type=password` is required.
    pub strict: bool,
    /// The maximum length of a body, in bytes.
    pub max_bytes: usize,
}

impl FormConfig {
    /// The default maximum length of a body: 64 KiB.
    pub const DEFAULT_MAX_BYTES: usize = 64 * 1024;

    /// Returns the default configuration: not strict, with bodies of at most 64 KiB.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            strict: false,
            max_bytes: Self::DEFAULT_MAX_BYTES,
        }
    }

    /// Sets whether `grant_type=password` is required.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Sets the maximum length of a body, in bytes.
    #[must_use]
    pub const fn max_bytes(mut self, max_bytes: usize) -> Self {
        self.max_bytes = max_bytes;
        self
    }
}

impl Default for FormConfig {
    fn default() -> Self {
        Self::new()
    }
}

/// A password-grant request form. `#[derive(PasswordRequestForm)]` implements it.
///
/// `'a` is the lifetime of the body. The form may borrow from the body.
///
/// ```
/// use tollgate::{PasswordRequestForm, secrecy::{ExposeSecret, SecretString}};
///
/// #[derive(PasswordRequestForm)]
/// struct Login {
///     username: String,
///     password: SecretString,
///     scopes: Vec<String>,
///     otp: Option<String>,
/// }
///
/// let form = Login::decode(b"username=johndoe&password=secret&scope=me+items")?;
/// assert_eq!(form.username, "johndoe");
/// assert_eq!(form.password.expose_secret(), "secret");
/// assert_eq!(form.scopes, ["me", "items"]);
/// assert_eq!(form.otp, None);
/// # Ok::<(), tollgate::FormError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a password request form",
    label = "not a form",
    note = "derive it: `#[derive(PasswordRequestForm)] struct {Self} {{ username: String, password: SecretString }}`"
)]
pub trait PasswordRequestForm<'a>: Sized {
    /// The form's configuration.
    const CONFIG: FormConfig;

    /// Returns the form's schema for the API description.
    #[cfg(feature = "openapi")]
    #[must_use]
    fn schema() -> FormSchema {
        FormSchema::of::<Self>(&[])
    }

    /// Reads the form from the bytes of an `application/x-www-form-urlencoded` body.
    ///
    /// # Errors
    ///
    /// Returns all faults of the body. If the body is longer than the form's limit, that is the
    /// only fault.
    fn decode(body: &'a [u8]) -> Result<Self, FormError>;

    /// Checks a request's `Content-Type` and reads the form from its body.
    ///
    /// # Errors
    ///
    /// Same as [`decode`](Self::decode). If the content type is wrong, that is the only fault.
    fn decode_request(headers: &HeaderMap, body: &'a [u8]) -> Result<Self, FormError> {
        Self::decode_typed(content_type(headers), body)
    }

    /// Checks the bytes of a `Content-Type` and reads the form from a body. For callers without a
    /// [`HeaderMap`].
    ///
    /// # Errors
    ///
    /// Same as [`decode_request`](Self::decode_request).
    fn decode_typed(content_type: Option<&[u8]>, body: &'a [u8]) -> Result<Self, FormError> {
        check_content_type(content_type)?;
        Self::decode(body)
    }
}

/// A form that owns its fields, so an extractor can return it after the body is dropped.
///
/// `#[derive(PasswordRequestForm)]` implements it for structs without a lifetime.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form that owns its fields",
    label = "not an owned form",
    note = "to read a form that borrows from the body, take `body: FormBody` and write `body.decode::<{Self}>()?`",
    note = "to make a form of any other struct, write `#[derive(PasswordRequestForm)]`"
)]
pub trait OwnedForm: for<'a> PasswordRequestForm<'a> {}
