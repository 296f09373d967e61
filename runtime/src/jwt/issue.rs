//! Tokens that a service signs itself.

mod authority;
mod random;
mod signer;
mod signing_key;
#[cfg(feature = "testing")]
pub(crate) mod test_authority;
mod unsigned_token;

pub use self::authority::{TokenAuthority, TokenAuthorityBuilder};
pub use self::signing_key::SigningKey;
pub use self::unsigned_token::UnsignedToken;
