//! The client's credentials in the form of any grant.

use secrecy::SecretString;

use crate::form::FormConfig;
use crate::form::decode::decode;
use crate::form::error::FormError;
use crate::form::find::Parameters;
use crate::form::purpose::Purpose;
use crate::form::standard::Standard;
use crate::form::text::FromText;

/// The fields `client_id` and `client_secret`.
pub(crate) struct ClientFields {
    pub(crate) id: Option<String>,
    pub(crate) secret: Option<SecretString>,
}

impl Purpose for ClientFields {
    type Output<T> = (T, Self);

    fn output<T>(form: T, parameters: &Parameters<'_>) -> (T, Self) {
        (form, Self::of(parameters))
    }

    fn map<T, U>((form, client): (T, Self), convert: impl FnOnce(T) -> U) -> (U, Self) {
        (convert(form), client)
    }
}

impl ClientFields {
    fn of(parameters: &Parameters<'_>) -> Self {
        Self {
            id: text(parameters, Standard::ClientId),
            secret: text(parameters, Standard::ClientSecret),
        }
    }
}

/// The two fields without a form. Whether they are found is recorded elsewhere.
enum ClientAlone {}

impl Purpose for ClientAlone {
    type Output<T> = ClientFields;

    const IS_RECORDED: bool = false;

    fn output<T>(_: T, parameters: &Parameters<'_>) -> ClientFields {
        ClientFields::of(parameters)
    }

    fn map<T, U>(client: ClientFields, _: impl FnOnce(T) -> U) -> ClientFields {
        client
    }
}

fn text<'a, T: FromText<'a>>(parameters: &Parameters<'a>, field: Standard) -> Option<T> {
    let place = parameters.place(field);
    let text = place.has_value().ok()?.then(|| parameters.decode(place));
    T::from_text(text?.ok()?).ok()
}

/// Reads the two fields. Ignores all other parameters.
pub(crate) fn find(body: &[u8]) -> Result<ClientFields, FormError> {
    let config = FormConfig::new().with_max_bytes(usize::MAX);
    decode::<(), ClientAlone, 0>(body, config, [], |_| Some(()))
}
