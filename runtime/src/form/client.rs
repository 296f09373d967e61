//! The client's credentials in the form of any grant.

use secrecy::SecretString;

use super::FormConfig;
use super::decode::decode_fields;
use super::error::FormError;
use super::find::Parameters;
use super::standard::Standard;
use super::text::FromText;

/// What the caller of a decoder wants to know about the client.
pub trait ClientOf {
    /// A form, and what is known about its client. The form alone is not wrapped, so it is not
    /// moved once more.
    type With<T>;

    /// Adds what is known about the client, from the two fields of a body without faults.
    fn add<T>(form: T, parameters: &Parameters<'_>) -> Self::With<T>;

    /// Converts the form.
    fn map<T, U>(with: Self::With<T>, convert: impl FnOnce(T) -> U) -> Self::With<U>;
}

/// The caller wants to know nothing.
pub(crate) enum NoClient {}

impl ClientOf for NoClient {
    type With<T> = T;

    #[inline(always)]
    fn add<T>(form: T, _: &Parameters<'_>) -> T {
        form
    }

    #[inline(always)]
    fn map<T, U>(form: T, convert: impl FnOnce(T) -> U) -> U {
        convert(form)
    }
}

/// The fields `client_id` and `client_secret`.
#[derive(Default)]
pub(crate) struct ClientFields {
    pub(crate) id: Option<String>,
    pub(crate) secret: Option<SecretString>,
}

impl ClientOf for ClientFields {
    type With<T> = (T, Self);

    fn add<T>(form: T, parameters: &Parameters<'_>) -> (T, Self) {
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
