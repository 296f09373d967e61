//! Random numbers.

use crate::jwt::build_error::BuildError;

/// Fills bytes with random numbers of the operating system.
pub(super) fn fill(bytes: &mut [u8]) -> Result<(), BuildError> {
    getrandom::fill(bytes)
        .map_err(|error| BuildError::new(format!("there are no random numbers: {error}")))
}
