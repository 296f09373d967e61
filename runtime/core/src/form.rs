//! The forms of the token endpoint
//! ([RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)) and of the endpoints
//! next to it.
//!
//! `#[derive(RequestForm)]` and `#[derive(PasswordRequestForm)]` implement [`RequestForm`] for a
//! struct, and [`FormBody`] reads the body of a form that borrows. The ready-made forms of grants
//! are in [`token_endpoint`](crate::token_endpoint).
// `find` finds the fields of a body in one pass, using `word`s. `decode` decodes them. `text`,
// `scopes` and `value` define the types that a field can have. `error` has the faults of a body.
// `grant` chooses between the forms of several grants, `client` reads the client's two fields, and
// `purpose` says whether a caller wants them.

pub(crate) mod body;
#[cfg(any(feature = "http-body", feature = "rocket05"))]
pub(crate) mod buffer;
pub(crate) mod client;
#[cfg(feature = "pkce")]
pub(crate) mod code_verifier;
mod config;
pub(crate) mod decode;
pub(crate) mod error;
pub(crate) mod find;
pub(crate) mod grant;
pub(crate) mod password;
pub(crate) mod purpose;
#[cfg(feature = "http-body")]
pub(crate) mod read;
pub(crate) mod ready_made;
#[cfg(feature = "openapi")]
pub(crate) mod schema;
pub(crate) mod scopes;
pub(crate) mod standard;
pub(crate) mod text;
pub(crate) mod value;

use http::HeaderMap;

pub use self::body::FormBody;
pub use self::config::FormConfig;
pub use self::error::{Fault, FaultKind, FormError};
#[cfg(feature = "http-body")]
pub use self::read::read_form;
pub use self::scopes::{FromScopes, RequestedScopes};
pub use self::text::{FromText, InvalidText};

use self::body::{check_content_type, content_type};
use self::grant::GrantName;
use self::purpose::{FormAlone, Purpose};
#[cfg(feature = "openapi")]
use crate::form::schema::FormSchema;

/// A form that a client sends: of a grant, of one of several grants, or of another endpoint, such
/// as the one for revocation.
///
/// Three derives implement it: `RequestForm` for the form of any
/// grant, `PasswordRequestForm` for the password form, and
/// `Grant` for an enum of grants.
///
/// `'a` is the lifetime of the body. The form may borrow from the body.
///
/// ```
/// use doorward::form::RequestForm;
/// use doorward::secrecy::{ExposeSecret, SecretString};
/// use doorward::PasswordRequestForm;
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
/// # Ok::<(), doorward::form::FormError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form",
    label = "not a form",
    note = "derive it: `PasswordRequestForm` for a login, `RequestForm` for another form, `Grant` for an enum of grants"
)]
pub trait RequestForm<'a>: Sized {
    /// The form's configuration.
    const CONFIG: FormConfig;

    /// The names of the grants of an enum, which `Grant` sets.
    #[doc(hidden)]
    const GRANTS: &'static [GrantName] = &[];

    /// Returns the form's schema for the API description.
    #[cfg(feature = "openapi")]
    #[must_use]
    fn schema() -> FormSchema;

    /// Reads the form by another configuration than its own, with what the caller wants to know
    /// about the client. The derives implement it.
    #[doc(hidden)]
    fn from_body<P: Purpose>(
        body: &'a [u8],
        config: FormConfig,
    ) -> Result<P::Output<Self>, FormError>;

    /// Reads the form from the bytes of an `application/x-www-form-urlencoded` body.
    ///
    /// # Errors
    ///
    /// Returns all faults of the body. If the body is longer than the form's limit, that is the
    /// only fault.
    #[inline]
    fn decode(body: &'a [u8]) -> Result<Self, FormError> {
        Self::from_body::<FormAlone>(body, Self::CONFIG)
    }

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
/// The derives implement it for types without a lifetime.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a form that owns its fields",
    label = "not an owned form",
    note = "to read a form that borrows from the body, take `body: FormBody` and write `body.decode::<{Self}>()?`",
    note = "to make a form of any other struct, write `#[derive(PasswordRequestForm)]` for a login, or `#[derive(RequestForm)]`",
    note = "to choose between the forms of several grants, write `#[derive(Grant)]` on an enum"
)]
pub trait OwnedForm: for<'a> RequestForm<'a> {}
