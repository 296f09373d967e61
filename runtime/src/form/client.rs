//! The client's credentials in the form of any grant.

use secrecy::SecretString;

use super::FormConfig;
use super::decode::decode_fields;
use super::error::FormError;
use super::find::Parameters;
use super::standard::Standard;
use super::text::FromText;

/// What the caller of a decoder wants to know about the client. `()` is nothing, and costs nothing.
pub trait FromClientFields: Sized {
    /// Reads the two fields of a body without faults.
    #[doc(hidden)]
    fn found(parameters: &Parameters<'_>) -> Self;
}

impl FromClientFields for () {
    #[inline(always)]
    fn found(_: &Parameters<'_>) -> Self {}
}

/// The fields `client_id` and `client_secret`.
#[derive(Default)]
pub(crate) struct ClientFields {
    pub(crate) id: Option<String>,
    pub(crate) secret: Option<SecretString>,
}

impl FromClientFields for ClientFields {
    fn found(parameters: &Parameters<'_>) -> Self {
        Self {
            id: text(parameters, Standard::ClientId),
            secret: text(parameters, Standard::ClientSecret),
        }
    }
}

fn text<'a, T: FromText<'a>>(parameters: &Parameters<'a>, field: Standard) -> Option<T> {
    let place = parameters.place(field);
    let text = place.has_value().ok()?.then(|| parameters.decode(place));
    T::from_text(text?.ok()?).ok()
}

/// Reads the two fields. Ignores all other parameters.
pub(crate) fn decode(body: &[u8]) -> Result<ClientFields, FormError> {
    let config = FormConfig::new().max_bytes(usize::MAX);
    let ((), fields) = decode_fields(body, config, [], |_| Some(()))?;
    Ok(fields)
}
