//! Tokens that a service signs itself.

mod random;
pub(crate) mod signer;
pub(crate) mod signing_key;
#[cfg(feature = "testing")]
pub(crate) mod test_authority;
#[cfg(feature = "testing")]
pub(crate) mod test_key;
mod token_authority;
mod unsigned_token;

pub use self::signing_key::SigningKey;
pub use self::token_authority::{TokenAuthority, TokenAuthorityBuilder};
pub use self::unsigned_token::UnsignedToken;
