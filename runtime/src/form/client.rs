//! The client's credentials in the form of any grant.

use secrecy::SecretString;

use super::FormConfig;
use super::decode::decode_fields;
use super::error::FormError;
use super::find::Parameters;
use super::purpose::Purpose;
use super::standard::Standard;
use super::text::FromText;

/// The fields `client_id` and `client_secret`.
#[derive(Default)]
pub(crate) struct ClientFields {
    pub(crate) id: Option<String>,
    pub(crate) secret: Option<SecretString>,
}

impl Purpose for ClientFields {
    type Output<T> = (T, Self);

    fn output<T>(form: T, parameters: &Parameters<'_>) -> (T, Self) {
        let client = Self {
            id: text(parameters, Standard::ClientId),
            secret: text(parameters, Standard::ClientSecret),
        };
        (form, client)
    }

    fn map<T, U>((form, client): (T, Self), convert: impl FnOnce(T) -> U) -> (U, Self) {
        (convert(form), client)
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
    let ((), client) = decode_fields::<(), ClientFields, 0>(body, config, [], |_| Some(()))?;
    Ok(client)
}
