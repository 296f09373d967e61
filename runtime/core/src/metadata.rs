//! The documents that a service publishes about itself at a well-known path
//! ([RFC 8615](https://www.rfc-editor.org/rfc/rfc8615)): as a protected resource
//! ([RFC 9728](https://www.rfc-editor.org/rfc/rfc9728)), and as an authorization server
//! ([RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)).

mod authorization_server;
mod members;
mod resource;

pub use self::authorization_server::AuthorizationServerMetadata;
use self::members::Members;
pub use self::resource::{ProtectedResource, ResourceMetadata};

/// A metadata document: [`ResourceMetadata`] or [`AuthorizationServerMetadata`].
pub trait Metadata: Clone + Send + Sync + 'static {
    #[doc(hidden)]
    fn members(&self) -> &Members;
}
