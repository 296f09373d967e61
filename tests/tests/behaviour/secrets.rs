//! Credentials never appear in `Debug` or `Display` output, or in error responses.

use std::fmt::Display;

use http::{HeaderMap, HeaderValue, Response, header::AUTHORIZATION, header::CONTENT_TYPE};
use serde::Serialize;
use static_assertions::assert_not_impl_any;
use tollgate::{
    AuthorizationValue, BearerToken, ClientAuth, ClientCredentials, FormBody,
    OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, PasswordForm, PasswordRequestForm,
    RequestForm, Scheme, Secured, Security, Shared, TokenResponse,
};
use tollgate_tests::schemes::{Base, BaseOptional, Password, PasswordOptional, PasswordStrict};

const SECRET: &str = "hunter2";

// A type that contains a secret implements neither `Display` nor `Serialize`, so the secret is not
// written by accident.
assert_not_impl_any!(BearerToken: Display, Serialize);
assert_not_impl_any!(AuthorizationValue: Display, Serialize);
assert_not_impl_any!(Security<Password>: Display, Serialize);
assert_not_impl_any!(FormBody: Display, Serialize);
assert_not_impl_any!(OAuth2PasswordRequestForm: Display, Serialize);
assert_not_impl_any!(OAuth2PasswordRequestFormStrict: Display, Serialize);
assert_not_impl_any!(PasswordForm<OAuth2PasswordRequestForm>: Display, Serialize);
assert_not_impl_any!(ClientCredentials: Display, Serialize);
assert_not_impl_any!(ClientAuth: Display, Serialize);
assert_not_impl_any!(TokenResponse: Display, Serialize);
assert_not_impl_any!(Shared<BearerToken>: Display, Serialize);

fn printed(value: &dyn std::fmt::Debug) -> String {
    format!("{value:?} {value:#?}")
}

fn assert_hidden(text: &str) {
    assert!(!text.is_empty() && !text.contains(SECRET), "{text}");
}

fn headers(line: &str) -> HeaderMap {
    HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_str(line).unwrap())])
}

#[test]
fn credentials_are_hidden() {
    let headers = headers(&format!("Bearer {SECRET}"));
    assert_hidden(&printed(&Base::authenticate(&headers).unwrap()));
    assert_hidden(&printed(&Password::authenticate(&headers).unwrap()));
    assert_hidden(&printed(&PasswordOptional::authenticate(&headers).unwrap()));
    assert_hidden(&printed(&Security::<Base>(
        Base::authenticate(&headers).unwrap(),
    )));
    assert_hidden(&printed(&Security::<BaseOptional>(
        BaseOptional::authenticate(&headers).unwrap(),
    )));
}

#[test]
fn what_is_handed_on_is_hidden() {
    let headers = headers(&format!("Bearer {SECRET}"));
    let token = Password::authenticate(&headers).unwrap();
    let whole = Base::authenticate(&headers).unwrap();
    assert_hidden(&printed(&Secured::<_, ()>::from(token.clone())));
    assert_hidden(&printed(&HeaderValue::from(token)));
    assert_hidden(&printed(&HeaderValue::from(whole)));
}

#[test]
fn a_clients_secret_eq_hidden() {
    // `web:hunter2`
    let headers = headers("Basic d2ViOmh1bnRlcjI=");
    let client = ClientCredentials::find(&headers, None, None)
        .unwrap()
        .unwrap();
    assert!(printed(&client).contains("web"));
    assert_hidden(&printed(&client));
    assert_hidden(&printed(&client.invalid()));
    assert_hidden(&printed(&ClientAuth(Some(client))));
    for (line, in_form) in [
        ("Basic hunter2", None),
        ("Basic d2ViOmh1bnRlcjI=", Some(&SECRET.into())),
    ] {
        let error = ClientCredentials::find(&self::headers(line), None, in_form).unwrap_err();
        assert_hidden(&printed(&error));
        assert_hidden(&error.to_string());
        assert_hidden(&printed(&Response::<String>::from(error)));
    }
}

#[test]
fn tokens_that_are_given_are_hidden() {
    let answer = TokenResponse::bearer(SECRET)
        .refresh_token(SECRET)
        .scope(["items"]);
    assert_hidden(&printed(&answer));
    let response = Response::<String>::from(answer);
    assert!(response.body().contains(SECRET));
}

#[test]
fn rejections_hide_what_was_sent() {
    for line in [
        format!("Basic {SECRET}"),
        format!("Bearer {SECRET} é"),
        format!("{SECRET} x"),
    ] {
        let rejection = PasswordStrict::authenticate(&headers(&line)).unwrap_err();
        assert_hidden(&printed(&rejection));
        assert_hidden(&rejection.to_string());
        assert_hidden(&printed(&Response::<String>::from(rejection)));
    }
}

#[test]
fn forms_are_hidden() {
    let body = format!("grant_type=password&username=u&password={SECRET}&client_secret={SECRET}");
    assert_hidden(&printed(
        &OAuth2PasswordRequestForm::decode(body.as_bytes()).unwrap(),
    ));
    assert_hidden(&printed(
        &OAuth2PasswordRequestFormStrict::decode(body.as_bytes()).unwrap(),
    ));
    assert_hidden(&printed(&PasswordForm(
        OAuth2PasswordRequestForm::decode(body.as_bytes()).unwrap(),
    )));
    let headers = HeaderMap::from_iter([(
        CONTENT_TYPE,
        HeaderValue::from_static("application/x-www-form-urlencoded"),
    )]);
    assert_hidden(&printed(
        &FormBody::<1024>::new(&headers, body.into()).unwrap(),
    ));
}

#[derive(Debug, PasswordRequestForm)]
struct Numbered {
    #[allow(dead_code, reason = "only its decoding counts")]
    username: String,
    #[allow(dead_code, reason = "only its decoding counts")]
    password: String,
    #[allow(dead_code, reason = "only its decoding counts")]
    otp: u32,
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
