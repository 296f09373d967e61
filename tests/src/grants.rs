//! A token endpoint that serves every kind of grant, and a revocation endpoint.

use doorward::form::{FormError, RequestForm};
use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::token_endpoint::{
    AuthorizationCodeGrant, ClientCredentialsGrant, ClientForm, RefreshTokenGrant, RevocationForm,
    TokenError, TokenRequest,
};
use doorward::{Grant, OAuth2PasswordRequestFormStrict};
use http::HeaderMap;
use serde_json::{Value, json};

use crate::by_the_book::Refusal;
use crate::shown::{Attributes, Shown, client, faults_by_the_book};

/// Ready-made forms, and forms with fields of their own.
#[derive(Grant)]
pub enum Grant {
    /// [RFC 6749, 4.3.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.3.2)
    Password(OAuth2PasswordRequestFormStrict),
    /// [RFC 6749, 6](https://www.rfc-editor.org/rfc/rfc6749#section-6)
    RefreshToken(RefreshTokenGrant),
    /// [RFC 6749, 4.4.2](https://www.rfc-editor.org/rfc/rfc6749#section-4.4.2)
    ClientCredentials(ClientCredentialsGrant),
    /// [RFC 6749, 4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3)
    AuthorizationCode(AuthorizationCodeGrant),
    /// [RFC 8628, 3.4](https://www.rfc-editor.org/rfc/rfc8628#section-3.4)
    DeviceCode(DeviceCodeForm),
    /// [RFC 8693, 2.1](https://www.rfc-editor.org/rfc/rfc8693#section-2.1)
    TokenExchange(TokenExchangeForm),
    /// A grant whose name is not that of its form.
    #[grant("urn:example:otp")]
    OneTime(OneTimeForm),
}

/// The form of a device that was authorized on another one.
#[derive(RequestForm)]
#[request_form(grant_type = "urn:ietf:params:oauth:grant-type:device_code")]
pub struct DeviceCodeForm {
    /// The code that the device got.
    pub device_code: SecretString,
}

/// The form of a token exchange.
#[derive(RequestForm)]
#[request_form(grant_type = "urn:ietf:params:oauth:grant-type:token-exchange")]
pub struct TokenExchangeForm {
    /// The URLs of the services that the new token is for.
    pub resource: Vec<String>,
    /// The names of the services that the new token is for.
    pub audience: Vec<String>,
    /// The scopes of the new token.
    pub scopes: Vec<String>,
    /// The type of the new token.
    pub requested_token_type: Option<String>,
    /// The token of the party that the new token is about.
    pub subject_token: SecretString,
    /// The type of that token.
    pub subject_token_type: String,
    /// The token of the party that acts.
    pub actor_token: Option<SecretString>,
    /// The type of that token.
    pub actor_token_type: Option<String>,
}

/// The form of a login with a code for one use.
#[derive(RequestForm)]
pub struct OneTimeForm {
    /// The user's name.
    pub username: String,
    /// The code.
    pub code: u32,
    /// The scopes that the client requests.
    pub scopes: Vec<String>,
}

impl Grant {
    /// Returns the type of the grant, and the fields of its form.
    #[must_use]
    pub fn fields(&self) -> (&'static str, Value) {
        let fields = match self {
            Self::Password(form) => form.attributes(),
            Self::RefreshToken(form) => json!({
                "refresh_token": form.refresh_token.expose_secret(),
                "resource": form.resource,
                "scopes": form.scopes,
            }),
            Self::ClientCredentials(form) => {
                json!({ "resource": form.resource, "scopes": form.scopes })
            }
            Self::AuthorizationCode(form) => json!({
                "code": form.code.expose_secret(),
                "redirect_uri": form.redirect_uri,
                "code_verifier": methods(form),
                "resource": form.resource,
            }),
            Self::DeviceCode(form) => json!({ "device_code": form.device_code.expose_secret() }),
            Self::TokenExchange(form) => json!({
                "resource": form.resource,
                "audience": form.audience,
                "scopes": form.scopes,
                "requested_token_type": form.requested_token_type,
                "subject_token": form.subject_token.expose_secret(),
                "subject_token_type": form.subject_token_type,
                "actor_token": form.actor_token.as_ref().map(ExposeSecret::expose_secret),
                "actor_token_type": form.actor_token_type,
            }),
            Self::OneTime(form) => {
                json!({ "username": form.username, "code": form.code, "scopes": form.scopes })
            }
        };
        (self.grant_type(), fields)
    }
}

/// A verifier does not show its text, so the code is taken as the challenge. Returns the methods by
/// which the verifier proves it, or `null` if there is no verifier.
fn methods(form: &AuthorizationCodeGrant) -> Value {
    let challenge = form.code.expose_secret();
    form.code_verifier.as_ref().map_or(Value::Null, |verifier| {
        let methods =
            [("S256", verifier.verify(challenge)), ("plain", verifier.verify_plain(challenge))];
        let proven = methods.into_iter().filter(|(_, is_proven)| *is_proven);
        proven.map(|(method, _)| method).collect()
    })
}

/// Returns the error of a request as JSON, for handlers that answer it themselves.
#[must_use]
pub fn shown_error(error: &TokenError) -> Value {
    json!({ "refused": [error.status().as_u16(), error.code()] })
}

fn revocation(form: &RevocationForm) -> Value {
    json!({ "token": form.token.expose_secret(), "token_type_hint": form.token_type_hint })
}

impl Shown for TokenRequest<Grant> {
    fn shown(&self) -> Value {
        let (grant, fields) = self.grant.fields();
        json!({ "grant": grant, "fields": fields, "client": client(self.client.as_ref()) })
    }
}

impl Shown for ClientForm<RevocationForm> {
    fn shown(&self) -> Value {
        json!({ "fields": revocation(&self.form), "client": client(self.client.as_ref()) })
    }
}

/// A request that is refused.
#[derive(Debug)]
pub struct Refused {
    /// The error of the request.
    pub error: TokenError,
    /// The faults of its form, if it has any.
    pub form: Option<Box<FormError>>,
}

impl Refused {
    /// Returns why the request is refused, as by the book.
    #[must_use]
    pub fn refusal(&self) -> Refusal {
        let form = self.form.as_ref();
        form.map_or(Refusal::Client, |form| Refusal::Form(faults_by_the_book(form)))
    }
}

/// Reads a token request in process.
///
/// # Errors
///
/// Returns an error if the request is refused.
///
/// # Panics
///
/// Panics if the form alone is read in another way.
pub fn read_grant(headers: &HeaderMap, body: &[u8]) -> Result<Value, Refused> {
    let form = Grant::decode_request(headers, body);
    let form = form.map(|grant| grant.fields().1);
    both(TokenRequest::<Grant>::decode_request(headers, body), form)
}

/// Reads the request of a revocation in process.
///
/// # Errors
///
/// Same as [`read_grant`].
///
/// # Panics
///
/// Same as [`read_grant`].
pub fn read_revocation(headers: &HeaderMap, body: &[u8]) -> Result<Value, Refused> {
    let form = RevocationForm::decode_request(headers, body).map(|form| revocation(&form));
    both(ClientForm::<RevocationForm>::decode_request(headers, body), form)
}

/// Joins a request with its form alone. The faults of the form come before those of the client.
fn both(
    read: Result<impl Shown, TokenError>,
    form: Result<Value, FormError>,
) -> Result<Value, Refused> {
    match (read.map(|read| read.shown()), form) {
        (Ok(shown), Ok(fields)) if shown["fields"] == fields => Ok(shown),
        (Err(error), Ok(_)) => Err(Refused { error, form: None }),
        (Err(error), Err(form)) if error == form.clone().into() && !form.faults().is_empty() => {
            Err(Refused { error, form: Some(Box::new(form)) })
        }
        (read, form) => panic!("{read:?} with a client, and {form:?} without"),
    }
}
