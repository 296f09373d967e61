//! Credentials never appear in `Debug` or `Display` output, or in error responses: what the listing
//! of public types, whose values `public_types` prints, does not say.

use std::fmt::Display;

use doorward::form::{FormBody, RequestForm};
use doorward::token_endpoint::{
    AuthorizationCodeGrant, Client, ClientAuthentication, ClientCredentialsGrant, ClientForm,
    CodeVerifier, ExtraMember, RefreshTokenGrant, RevocationForm, TokenRequest, TokenResponse,
};
use doorward::{
    AuthorizationValue, BearerToken, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict,
    PasswordForm, Scheme, Security, Shared,
};
use doorward_tests::grants::Grant;
use doorward_tests::schemes::{Base, Password, PasswordStrict};
use http::{HeaderMap, HeaderValue, Response, header::AUTHORIZATION};
use serde::Serialize;
use static_assertions::assert_not_impl_any;

use super::asking::form_headers;
use super::public_types::{Numbered, SECRET, headers, printed};

// A type that contains a secret implements neither `Display` nor `Serialize`, so the secret is not
// written by accident.
assert_not_impl_any!(BearerToken: Display, Serialize);
assert_not_impl_any!(AuthorizationValue: Display, Serialize);
assert_not_impl_any!(Security<Password>: Display, Serialize);
assert_not_impl_any!(FormBody: Display, Serialize);
assert_not_impl_any!(OAuth2PasswordRequestForm: Display, Serialize);
assert_not_impl_any!(OAuth2PasswordRequestFormStrict: Display, Serialize);
assert_not_impl_any!(PasswordForm<OAuth2PasswordRequestForm>: Display, Serialize);
assert_not_impl_any!(Client: Display, Serialize);
assert_not_impl_any!(ClientAuthentication: Display, Serialize);
assert_not_impl_any!(TokenRequest<Grant>: Display, Serialize);
assert_not_impl_any!(ClientForm<RevocationForm>: Display, Serialize);
assert_not_impl_any!(RefreshTokenGrant: Display, Serialize);
assert_not_impl_any!(ClientCredentialsGrant: Display, Serialize);
assert_not_impl_any!(AuthorizationCodeGrant: Display, Serialize);
assert_not_impl_any!(RevocationForm: Display, Serialize);
assert_not_impl_any!(CodeVerifier: Display, Serialize);
assert_not_impl_any!(ExtraMember: Display, Serialize);
assert_not_impl_any!(TokenResponse: Display, Serialize);
assert_not_impl_any!(Shared<BearerToken>: Display, Serialize);

fn assert_hidden(text: &str) {
    assert!(!text.is_empty() && !text.contains(SECRET), "{text}");
}

#[test]
fn what_is_handed_on_is_hidden() {
    let headers = headers(&format!("Bearer {SECRET}"));
    let token = Password::authenticate(&headers).unwrap();
    let whole = Base::authenticate(&headers).unwrap();
    assert_hidden(&printed(&HeaderValue::from(token)));
    assert_hidden(&printed(&HeaderValue::from(whole)));
}

#[test]
fn a_clients_secret_eq_hidden() {
    // `web:hunter2`
    let headers = headers("Basic d2ViOmh1bnRlcjI=");
    let client = Client::find(&headers, None, None).unwrap().unwrap();
    assert!(printed(&client).contains("web"));
    for (line, in_form) in
        [("Basic hunter2", None), ("Basic d2ViOmh1bnRlcjI=", Some(&SECRET.into()))]
    {
        let error = Client::find(&self::headers(line), None, in_form).unwrap_err();
        assert_hidden(&printed(&error));
        assert_hidden(&error.to_string());
        assert_hidden(&printed(&Response::<String>::from(error)));
    }
}

#[test]
fn rejections_hide_what_was_sent() {
    for line in [format!("Basic {SECRET}"), format!("Bearer {SECRET} é"), format!("{SECRET} x")] {
        let rejection = PasswordStrict::authenticate(&headers(&line)).unwrap_err();
        assert_hidden(&printed(&rejection));
        assert_hidden(&rejection.to_string());
        assert_hidden(&printed(&Response::<String>::from(rejection)));
    }
}

/// A body with a client's secret, as a form.
fn with_client(fields: &str) -> (HeaderMap, String) {
    let body = format!("client_id=web&client_secret={SECRET}&{fields}");
    (form_headers(), body)
}

#[test]
fn grants_and_their_clients_are_hidden() {
    let verifier = SECRET.repeat(7);
    for fields in [
        format!("grant_type=password&username=u&password={SECRET}"),
        format!("grant_type=refresh_token&refresh_token={SECRET}"),
        "grant_type=client_credentials".to_owned(),
        format!("grant_type=authorization_code&code={SECRET}&code_verifier={verifier}"),
        format!("grant_type=urn:ietf:params:oauth:grant-type:device_code&device_code={SECRET}"),
    ] {
        let (headers, body) = with_client(&fields);
        let form = TokenRequest::<Grant>::decode_request(&headers, body.as_bytes()).unwrap();
        assert!(printed(&form).contains("web"), "{fields}");
        assert_hidden(&printed(&form));
        assert_hidden(&match form.grant {
            Grant::Password(form) => printed(&form),
            Grant::RefreshToken(form) => printed(&form),
            Grant::ClientCredentials(form) => printed(&form),
            Grant::AuthorizationCode(form) => {
                printed(&(form.code_verifier.as_ref().unwrap(), &form))
            }
            Grant::DeviceCode(form) => printed(&form.device_code),
            Grant::TokenExchange(_) | Grant::OneTime(_) => continue,
        });
    }
    let (headers, body) = with_client(&format!("token={SECRET}"));
    let form = ClientForm::<RevocationForm>::decode_request(&headers, body.as_bytes()).unwrap();
    assert_hidden(&printed(&form));
    assert_hidden(&printed(&form.form));
}

#[test]
fn errors_of_grants_hide_what_was_sent() {
    for fields in [
        format!("grant_type={SECRET}"),
        format!("grant_type={SECRET}%ff"),
        format!("grant_type=password&grant_type={SECRET}"),
        format!("grant_type=refresh_token&refresh_token={SECRET}&refresh_token={SECRET}"),
        format!("grant_type=refresh_token&refresh_token={SECRET}%ff&{SECRET}={SECRET}"),
        format!("grant_type=authorization_code&code=c&code_verifier={SECRET}"),
        format!("grant_type=urn:example:otp&username=u&code={SECRET}"),
    ] {
        let (headers, body) = with_client(&fields);
        let error = TokenRequest::<Grant>::decode_request(&headers, body.as_bytes()).unwrap_err();
        assert_hidden(&printed(&error));
        assert_hidden(&error.to_string());
        assert_hidden(&printed(&Response::<String>::from(error)));
    }
    // The header has the secret too, which is one too many.
    let (mut headers, body) = with_client("grant_type=refresh_token&refresh_token=r");
    let line = HeaderValue::from_static("Basic d2ViOmh1bnRlcjI=");
    headers.insert(AUTHORIZATION, line);
    let error = TokenRequest::<Grant>::decode_request(&headers, body.as_bytes()).unwrap_err();
    assert_eq!(error.code(), "invalid_request");
    assert_hidden(&format!("{} {error}", printed(&error)));
    assert_hidden(&printed(&Response::<String>::from(error)));
}

#[test]
fn faults_hide_what_was_sent() {
    for body in [
        format!("grant_type={SECRET}&username=u&password=p&otp=1"),
        format!("username=u&password={SECRET}&password={SECRET}&otp=1"),
        format!("username=u&password={SECRET}%ff&otp=1"),
        format!("username=u&password=p&otp={SECRET}"),
        format!("username=u&password=p&otp={SECRET}&{SECRET}={SECRET}"),
    ] {
        let error = Numbered::decode(body.as_bytes()).unwrap_err();
        assert_hidden(&printed(&error));
        assert_hidden(&error.to_string());
        assert_hidden(&printed(&Response::<String>::from(error)));
    }
}
