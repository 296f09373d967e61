//! The identifier of a protected resource
//! ([RFC 9728, 1.2](https://www.rfc-editor.org/rfc/rfc9728#section-1.2)).

use core::fmt;
use std::sync::OnceLock;

use super::resource_url::fault;

/// The identifier of a protected resource, an absolute URL: known at compile time, or set once when
/// the service starts.
#[derive(Clone, Copy, Debug)]
pub struct Resource(Identifier);

#[derive(Clone, Copy, Debug)]
enum Identifier {
    Known(&'static str),
    Late(&'static LateResource),
}

impl Resource {
    /// Creates the identifier of a resource that is known at compile time.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not the identifier of a resource. It is an `https` URL
    /// without a fragment and without a user name, or an `http` URL of this machine, such as
    /// `http://localhost:8000`.
    pub const fn new(url: &'static str) -> Result<Self, InvalidResource> {
        match fault(url) {
            None => Ok(Self::unchecked(url)),
            Some(fault) => Err(InvalidResource(fault)),
        }
    }

    /// Creates an identifier whose mistakes are reported where it is written.
    #[doc(hidden)]
    #[must_use]
    pub const fn unchecked(url: &'static str) -> Self {
        Self(Identifier::Known(url))
    }

    /// Creates an identifier that the service sets when it starts.
    #[must_use]
    pub const fn late(resource: &'static LateResource) -> Self {
        Self(Identifier::Late(resource))
    }

    /// Returns the URL. Returns `None` if it has to be set, and is not.
    #[must_use]
    pub fn url(self) -> Option<&'static str> {
        match self.0 {
            // One with a mistake must not get into a challenge.
            Identifier::Known(url) => fault(url).is_none().then_some(url),
            Identifier::Late(resource) => resource.url(),
        }
    }

    pub(crate) const fn is_late(self) -> bool {
        matches!(self.0, Identifier::Late(_))
    }

    /// Returns the URL that is known at compile time.
    pub(crate) const fn known(self) -> Option<&'static str> {
        match self.0 {
            Identifier::Known(url) => Some(url),
            Identifier::Late(_) => None,
        }
    }
}

impl PartialEq for Resource {
    fn eq(&self, other: &Self) -> bool {
        match (self.0, other.0) {
            (Identifier::Known(url), Identifier::Known(other)) => url == other,
            (Identifier::Late(resource), Identifier::Late(other)) => core::ptr::eq(resource, other),
            _ => false,
        }
    }
}

impl Eq for Resource {}

/// The identifier of a resource that a service learns when it starts, in a `static`.
///
/// Until it is set, every request to a scheme with this resource is answered with a `500`, and the
/// log says so (feature `tracing`).
///
/// ```
/// use tollgate::scheme::LateResource;
/// use tollgate::{Scheme, oauth2_bearer};
///
/// static RESOURCE: LateResource = LateResource::new();
///
/// #[oauth2_bearer(
///     flows(client_credentials(token_url = "https://id.example.com/token")),
///     resource = &RESOURCE,
/// )]
/// struct Api;
///
/// # fn main() -> Result<(), tollgate::scheme::InvalidResource> {
/// let refused = Api::authenticate(&http::HeaderMap::new()).unwrap_err();
/// assert_eq!(refused.status(), 500);
///
/// RESOURCE.set("https://api.example.com")?; // from the service's configuration
/// let refused = Api::authenticate(&http::HeaderMap::new()).unwrap_err();
/// assert_eq!(refused.status(), 401);
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct LateResource(OnceLock<String>);

impl LateResource {
    /// Creates an identifier that is not set yet.
    #[must_use]
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    /// Sets the URL. To set the same URL again changes nothing.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is not the identifier of a resource, as for [`Resource::new`],
    /// or if another one is set already.
    pub fn set(&self, url: impl Into<String>) -> Result<(), InvalidResource> {
        let url = url.into();
        if let Some(fault) = fault(&url) {
            return Err(InvalidResource(fault));
        }
        let set = self.0.get_or_init(|| url.clone());
        if *set == url {
            Ok(())
        } else {
            Err(InvalidResource("is set already, to another URL"))
        }
    }

    fn url(&self) -> Option<&str> {
        self.0.get().map(String::as_str)
    }
}

/// The error for a text that is not the identifier of a protected resource
/// ([RFC 9728, 1.2](https://www.rfc-editor.org/rfc/rfc9728#section-1.2)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidResource(&'static str);

impl fmt::Display for InvalidResource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a resource {}", self.0)
    }
}

impl core::error::Error for InvalidResource {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_set_once() {
        let resource = LateResource::new();
        assert_eq!(resource.url(), None);
        assert!(resource.set("nowhere").is_err());
        assert_eq!(resource.url(), None);
        assert_eq!(resource.set("https://a.example"), Ok(()));
        assert_eq!(resource.set("https://a.example"), Ok(()));
        assert!(resource.set("https://b.example").is_err());
        assert_eq!(resource.url(), Some("https://a.example"));
    }
}
