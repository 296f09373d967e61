//! Random numbers.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use crate::build_error::BuildError;

/// Fills bytes with random numbers of the operating system.
pub(crate) fn fill(bytes: &mut [u8]) -> Result<(), BuildError> {
    getrandom::fill(bytes)
        .map_err(|error| BuildError::new(format!("there are no random numbers: {error}")))
}

/// Returns 128 random bits, as text.
pub(crate) fn id() -> Result<String, BuildError> {
    let mut bytes = [0; 16];
    fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}
