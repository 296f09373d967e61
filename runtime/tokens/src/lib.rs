//! The tokens of [doorward](https://docs.rs/doorward): what verifies and signs them.
//!
//! Depend on `doorward`, which exports all of it. Semantic Versioning covers no path of this crate.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]
#![cfg_attr(
    not(all(feature = "jwt", feature = "introspection")),
    allow(dead_code, reason = "what the two verifiers share may be of use to one of them")
)]

/// Implements `Verify` by the method of the same name, for a verifier that reads only the token.
#[cfg(any(feature = "jwt", feature = "introspection"))]
macro_rules! verify_token {
    ([$($generics:tt)*] $verifier:ty) => {
        impl<$($generics)*> doorward_core::verify::Verify for $verifier {
            type Claims = C;

            const READS_REQUEST: bool = false;
            const CHECKS_SCOPES_LAST: bool = true;

            async fn verify(
                &self,
                token: impl Into<Presented> + Send,
                scopes: SecurityScopes,
            ) -> Result<Verified<C>, VerifyError> {
                self.verify(token, scopes).await
            }
        }

        #[cfg(feature = "jwt")]
        impl<$($generics)*> crate::bound::Bindable for $verifier {
            async fn accept(
                &self,
                token: &BearerToken,
                scopes: SecurityScopes,
            ) -> Result<Verified<C>, VerifyError> {
                self.verify_as(token, scopes, true).await
            }
        }
    };
}

#[cfg(feature = "jwt")]
mod authority;
#[cfg(feature = "jwt")]
mod bound;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod build_error;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod claims;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod clock;
mod fetch;
#[cfg(feature = "introspection")]
mod introspection;
#[cfg(feature = "jwt")]
pub mod jwt;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod memory;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod once_a_minute;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod reason;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod refuse_if;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod texts;
#[cfg(any(feature = "jwt", feature = "introspection"))]
mod trace;

/// Verifiers, and how they ask an issuer.
pub mod verify {
    #[cfg(feature = "jwt")]
    pub use crate::bound::{certificate::CertificateBound, key::KeyBound};
    pub use crate::fetch::{Fetch, FetchError, Fetched};
    #[cfg(all(feature = "introspection", feature = "testing"))]
    pub use crate::introspection::TestIssuer;
    #[cfg(feature = "introspection")]
    pub use crate::introspection::{
        ClientLogin, Introspection, IntrospectionBuilder, IntrospectionSettings,
    };
    #[cfg(any(feature = "jwt", feature = "introspection"))]
    pub use crate::{build_error::BuildError, memory::Remembered, refuse_if::IsRefused};
}

/// Tools for tests.
#[cfg(all(feature = "jwt", feature = "testing"))]
pub mod testing {
    pub use crate::authority::test_authority::{TestAuthority, TestToken};
    pub use crate::authority::test_key::TestKey;
}
