//! The password-grant request form ([RFC 6749, 4.3.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.3.2)).
//!
//! [`find`] finds the fields of a body in one pass, by [`word`]s; [`decode`] decodes them; [`text`], [`scopes`] and [`value`] say
//! what a field can become;
//! [`error`] is what can be wrong with a body; [`body`] carries the bytes of a form that borrows, [`read`] takes them off the wire; [`password`] has the ready-made
//! forms, [`client`] reads the client's two fields alone.

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
    /// Whether `grant_type=password` has to be sent.
    pub strict: bool,
    /// The longest body that is read, in bytes.
    pub max_bytes: usize,
}

impl FormConfig {
    /// The longest body that a form reads unless it says otherwise: 64 KiB.
    pub const DEFAULT_MAX_BYTES: usize = 64 * 1024;

    /// A permissive form of at most 64 KiB.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            strict: false,
            max_bytes: Self::DEFAULT_MAX_BYTES,
        }
    }

    /// This configuration, strict or not.
    #[must_use]
    pub const fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// This configuration with another limit, in bytes.
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
/// `'a` is the lifetime of the body: a form may borrow from it.
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

    /// The form in the API description.
    #[cfg(feature = "openapi")]
    #[must_use]
    fn schema() -> FormSchema {
        FormSchema::of::<Self>(&[])
    }

    /// Reads the form from the bytes of an `application/x-www-form-urlencoded` body.
    ///
    /// # Errors
    ///
    /// Returns every fault of the body, or only that it is longer than the form's limit.
    fn decode(body: &'a [u8]) -> Result<Self, FormError>;

    /// Reads the form from a request's body, after a look at its `Content-Type`.
    ///
    /// # Errors
    ///
    /// As [`decode`](Self::decode), or only that the content type is another one.
    fn decode_request(headers: &HeaderMap, body: &'a [u8]) -> Result<Self, FormError> {
        Self::decode_typed(content_type(headers), body)
    }

    /// Reads the form from a body and the bytes of its `Content-Type`, for callers that have no [`HeaderMap`].
    ///
    /// # Errors
    ///
    /// As [`decode_request`](Self::decode_request).
    fn decode_typed(content_type: Option<&[u8]>, body: &'a [u8]) -> Result<Self, FormError> {
        check_content_type(content_type)?;
        Self::decode(body)
    }
}

/// A form that owns what it read, so that an extractor can hand it out after the body is gone.
///
/// `#[derive(PasswordRequestForm)]` implements it for a struct without a lifetime.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form that owns its fields",
    label = "not an owned form",
    note = "a form that borrows from the body is read from it: take `body: FormBody`, then `body.decode::<{Self}>()?`",
    note = "any other struct becomes a form with `#[derive(PasswordRequestForm)]`"
)]
pub trait OwnedForm: for<'a> PasswordRequestForm<'a> {}
