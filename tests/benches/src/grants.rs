//! Decodes the bodies of several grants, all of the same length.

use std::hint::black_box;

use doorward::form::RequestForm;
use doorward::token_endpoint::{AuthorizationCodeGrant, ClientCredentialsGrant, RefreshTokenGrant};
use doorward::{Grant, OAuth2PasswordRequestFormStrict};

use crate::{Contender, Named};

/// A token endpoint with every ready-made grant.
#[derive(Grant)]
pub enum Grant {
    /// `password`
    Password(OAuth2PasswordRequestFormStrict),
    /// `refresh_token`
    RefreshToken(RefreshTokenGrant),
    /// `client_credentials`
    ClientCredentials(ClientCredentialsGrant),
    /// `authorization_code`
    AuthorizationCode(AuthorizationCodeGrant),
}

/// A body of each grant.
pub struct Input {
    password: Vec<u8>,
    refresh_token: Vec<u8>,
    client_credentials: Vec<u8>,
    authorization_code: Vec<u8>,
}

/// Returns bodies of an ordinary length, and long ones.
#[must_use]
pub fn inputs() -> [Named<Input>; 2] {
    [("160 bytes", 160), ("1 KiB", 1024)].map(|(name, length)| {
        let input = Input {
        password: body(
            "grant_type=password&username=johndoe&scope=items+me&client_id=web&password=",
            length,
        ),
        refresh_token: body(
            "grant_type=refresh_token&scope=items+me&client_id=web&refresh_token=",
            length,
        ),
        client_credentials: body(
            "grant_type=client_credentials&scope=items+me&client_id=web&client_secret=",
            length,
        ),
        authorization_code: body(
            "grant_type=authorization_code&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk\
             &client_id=web&code=",
            length,
        ),
    };
        (name, input)
    })
}

/// Fills a body up to a length with the value of its last parameter.
fn body(start: &str, length: usize) -> Vec<u8> {
    let mut body = start.as_bytes().to_vec();
    body.resize(length, b's');
    body
}

macro_rules! contenders {
    ($($contender:ident: $name:literal, $form:ty, $body:ident;)*) => {$(
        #[doc = $name]
        pub const $contender: Contender<Input> = Contender::new($name, |input| {
            black_box(&<$form>::decode(black_box(&input.$body)));
        });
    )*};
}

contenders! {
    PASSWORD: "password", OAuth2PasswordRequestFormStrict, password;
    REFRESH_TOKEN: "refresh_token", RefreshTokenGrant, refresh_token;
    CLIENT_CREDENTIALS: "client_credentials", ClientCredentialsGrant, client_credentials;
    AUTHORIZATION_CODE: "authorization_code", AuthorizationCodeGrant, authorization_code;
    ANY_PASSWORD: "one of four, password", Grant, password;
    ANY_REFRESH_TOKEN: "one of four, refresh_token", Grant, refresh_token;
    ANY_CLIENT_CREDENTIALS: "one of four, client_credentials", Grant, client_credentials;
    ANY_AUTHORIZATION_CODE: "one of four, authorization_code", Grant, authorization_code;
}

/// The rows of the table.
pub const ALL: [Contender<Input>; 8] = [
    PASSWORD,
    REFRESH_TOKEN,
    CLIENT_CREDENTIALS,
    AUTHORIZATION_CODE,
    ANY_PASSWORD,
    ANY_REFRESH_TOKEN,
    ANY_CLIENT_CREDENTIALS,
    ANY_AUTHORIZATION_CODE,
];
