//! Reads the client's credentials from the form of any grant.

use secrecy::SecretString;

use super::error::{Fault, FaultKind, FormError};
use super::find::Parameters;
use super::standard::Standard;
use super::text::FromText;

/// Reads `client_id` and `client_secret`. Ignores all other parameters.
pub(crate) fn decode(body: &[u8]) -> Result<(Option<String>, Option<SecretString>), FormError> {
    let mut parameters = Parameters::of(body);
    parameters.find(&[], &mut []);
    let client_id = text(&parameters, Standard::ClientId);
    let client_secret = text(&parameters, Standard::ClientSecret);
    match (client_id, client_secret) {
        (Ok(client_id), Ok(client_secret)) => Ok((client_id, client_secret)),
        (client_id, client_secret) => {
            let faults = client_id.err().into_iter().chain(client_secret.err());
            Err(FormError::new(faults.collect()))
        }
    }
}

fn text<'a, T: FromText<'a>>(
    parameters: &Parameters<'a>,
    field: Standard,
) -> Result<Option<T>, Fault> {
    let place = parameters.place(field);
    let text = match place.has_value() {
        Ok(true) => parameters.decode(place).map(Some),
        Ok(false) => Ok(None),
        Err(kind) => Err(kind),
    };
    let fault = |kind| Fault {
        kind,
        field: Some(field.wire_name()),
    };
    let text = text.map_err(fault)?;
    text.map(|text| T::from_text(text).map_err(|_| fault(FaultKind::Invalid)))
        .transpose()
}
