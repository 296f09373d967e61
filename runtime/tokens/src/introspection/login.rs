//! The question about a token, with the login of the service, without which no issuer answers it
//! ([RFC 7662, 2.1](https://www.rfc-editor.org/rfc/rfc7662#section-2.1)).

use core::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderValue, Request};
use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;

use crate::fetch::FetchError;

/// The login with which a service asks an issuer about tokens: that of a client which the issuer
/// allows to do so. `Debug` does not show the secret.
///
/// In [settings](super::IntrospectionSettings) it is `{"basic": {"id": "items-api", "secret": "…"}}`,
/// the same with `form`, or `{"bearer": "…"}`.
#[derive(Clone, Deserialize)]
#[serde(transparent)]
pub struct ClientLogin(Login);

#[derive(Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Login {
    Basic(Client),
    Form(Client),
    Bearer(SecretString),
}

#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Client {
    id: String,
    secret: SecretString,
}

impl Client {
    fn new(id: impl Into<String>, secret: impl Into<SecretString>) -> Self {
        Self { id: id.into(), secret: secret.into() }
    }
}

impl ClientLogin {
    /// Sends the identifier and the secret in `Authorization: Basic`, both form-encoded
    /// ([RFC 6749, 2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)). Issuers call it
    /// `client_secret_basic`, and it is what most of them expect.
    #[must_use]
    pub fn basic(id: impl Into<String>, secret: impl Into<SecretString>) -> Self {
        Self(Login::Basic(Client::new(id, secret)))
    }

    /// Sends the identifier and the secret in the form, as `client_id` and `client_secret`. Issuers
    /// call it `client_secret_post`.
    #[must_use]
    pub fn form(id: impl Into<String>, secret: impl Into<SecretString>) -> Self {
        Self(Login::Form(Client::new(id, secret)))
    }

    /// Sends an access token of the service itself, in `Authorization: Bearer`. It is sent as it is
    /// given, so use one that does not expire.
    #[must_use]
    pub fn bearer(token: impl Into<SecretString>) -> Self {
        Self(Login::Bearer(token.into()))
    }

    /// Prepares the login, or returns what is wrong with it, as a sentence.
    pub(super) fn prepared(self) -> Result<Prepared, &'static str> {
        let sensitive = |text: Zeroizing<String>| {
            let mut value = HeaderValue::from_str(&text)
                .map_err(|_| "the token of the login must be visible ASCII")?;
            value.set_sensitive(true);
            Ok::<_, &'static str>(value)
        };
        match self.0 {
            Login::Basic(client) | Login::Form(client) if client.id.is_empty() => {
                Err("the identifier of the login is empty")
            }
            Login::Basic(Client { id, secret }) => {
                let secret = encoded("", secret.expose_secret());
                let halves = Zeroizing::new([&*encoded("", &id), ":", &*secret].concat());
                let halves = Zeroizing::new(STANDARD.encode(halves.as_bytes()));
                let header = sensitive(Zeroizing::new(["Basic ", &*halves].concat()))?;
                Ok(Prepared { header: Some(header), form: SecretString::default() })
            }
            Login::Bearer(token) => {
                let line = Zeroizing::new(["Bearer ", token.expose_secret()].concat());
                Ok(Prepared { header: Some(sensitive(line)?), form: SecretString::default() })
            }
            Login::Form(Client { id, secret }) => {
                let secret = encoded("&client_secret=", secret.expose_secret());
                let form = [encoded("&client_id=", &id).as_str(), secret.as_str()].concat();
                Ok(Prepared { header: None, form: form.into() })
            }
        }
    }
}

/// A login as it is sent.
pub(super) struct Prepared {
    header: Option<HeaderValue>,
    /// The end of the form.
    form: SecretString,
}

impl Prepared {
    /// Creates the question about a token.
    pub(super) fn question(&self, url: &str, token: &str) -> Result<Request<Bytes>, FetchError> {
        let mut request = Request::post(url)
            .header(ACCEPT, HeaderValue::from_static("application/json"))
            .header(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        if let Some(header) = &self.header {
            request = request.header(AUTHORIZATION, header);
        }
        let token = encoded("token=", token);
        // In one piece of memory, which is wiped when the client has dropped the last clone.
        let form = [&*token, "&token_type_hint=access_token", self.form.expose_secret()].concat();
        Ok(request.body(Bytes::from_owner(Zeroizing::new(form.into_bytes())))?)
    }
}

/// Returns a text as a value of a form, behind its name.
fn encoded(name: &str, value: &str) -> Zeroizing<String> {
    let mut text = String::with_capacity(name.len().saturating_add(value.len().saturating_mul(3)));
    text.push_str(name);
    for byte in value.bytes() {
        match byte {
            b' ' => text.push('+'),
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'*' | b'-' | b'.' | b'_' => {
                text.push(byte.into());
            }
            _ => {
                const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
                let digit =
                    |half: u8| DIGITS.get(usize::from(half)).map_or('0', |digit| (*digit).into());
                text.extend(['%', digit(byte >> 4), digit(byte & 15)]);
            }
        }
    }
    Zeroizing::new(text)
}

/// Shows the kind of the login, and its identifier.
impl fmt::Debug for ClientLogin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Login::Basic(client) => write!(f, "ClientLogin::basic({:?}, …)", client.id),
            Login::Form(client) => write!(f, "ClientLogin::form({:?}, …)", client.id),
            Login::Bearer(_) => f.write_str("ClientLogin::bearer(…)"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(login: &ClientLogin) -> (Option<String>, String) {
        let request = login
            .clone()
            .prepared()
            .unwrap()
            .question("https://id.example.com/introspect", "a+/~=")
            .unwrap();
        let headers = request.headers();
        let authorization =
            headers.get(AUTHORIZATION).inspect(|value| assert!(value.is_sensitive()));
        let authorization = authorization.map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(request.method(), "POST");
        assert_eq!(headers[ACCEPT], "application/json");
        (authorization, String::from_utf8(request.into_body().to_vec()).unwrap())
    }

    #[test]
    fn a_login_is_sent_in_its_place_and_encoded() {
        let token = "token=a%2B%2F%7E%3D&token_type_hint=access_token";
        let (header, form) = sent(&ClientLogin::basic("api:1", "=s+3 cr\u{e9}t%"));
        let halves = "api%3A1:%3Ds%2B3+cr%C3%A9t%25";
        assert_eq!(header.unwrap(), format!("Basic {}", STANDARD.encode(halves)));
        assert_eq!(form, token);
        let (header, form) = sent(&ClientLogin::form("api:1", "s&3"));
        assert_eq!(form, format!("{token}&client_id=api%3A1&client_secret=s%263"));
        assert_eq!(header, None);
        let (header, form) = sent(&ClientLogin::bearer("t0k3n"));
        assert_eq!((header.unwrap(), form), ("Bearer t0k3n".to_owned(), token.to_owned()));
    }

    #[test]
    fn a_login_that_cannot_be_sent_is_a_mistake() {
        assert!(ClientLogin::basic("", "secret").prepared().is_err());
        assert!(ClientLogin::bearer("a\nb").prepared().is_err());
        assert!(ClientLogin::form("api", "a\nb").prepared().is_ok());
    }
}
