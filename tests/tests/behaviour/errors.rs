//! The `Display` texts of errors.

use doorward::form::{InvalidText, RequestForm};
use doorward::head::{FromExtensions, FromHead};
use doorward::scheme::Setting;
use doorward::token_endpoint::TokenError;
use doorward::{BearerError, BearerToken, OAuth2PasswordRequestForm, Rejection, security_scopes};

#[test]
fn each_error_is_a_sentence() {
    let form = OAuth2PasswordRequestForm::decode(b"username=a&username=b").unwrap_err();
    let missing = security_scopes!["items", "me"].check(&["x"]).unwrap_err();
    let sentences = [
        (
            BearerToken::try_from(" a").unwrap_err().to_string(),
            "a bearer token is visible ASCII without blanks at its ends",
        ),
        (InvalidText::new().to_string(), "the text is not valid for its field"),
        (form.faults()[0].to_string(), "`username` is sent more than once"),
        (form.to_string(), "`username` is sent more than once; `password` is missing"),
        (missing.to_string(), "scopes are missing: items me"),
        (BearerError::unauthorized("No such user").to_string(), "No such user"),
        (
            BearerError::invalid_token().with_scopes(["a b"]).unwrap_err().to_string(),
            r#"a scope is visible ASCII without spaces, `"` and `\`"#,
        ),
        (
            BearerError::invalid_token().with_realm("\"").unwrap_err().to_string(),
            r#"a realm is visible ASCII and spaces, without `"` and `\`"#,
        ),
        (
            BearerError::invalid_token().with_acr_values([""]).unwrap_err().to_string(),
            r#"a class reference is visible ASCII without spaces, `"` and `\`"#,
        ),
        (
            Setting::resource("API_URL").set("ftp://a").unwrap_err().to_string(),
            "the resource `API_URL` must be an absolute URL; write one like `https://example.com`",
        ),
        (Rejection::NOT_AUTHENTICATED.to_string(), "the request was refused with status 401"),
        (TokenError::invalid_grant("wrong password").to_string(), "invalid_grant: wrong password"),
    ];
    for (error, sentence) in sentences {
        assert_eq!(error, sentence);
    }
}

#[test]
fn a_verified_value_is_shown_as_its_claims_are() {
    let user = doorward::verify::Verified::new("johndoe", ["items".to_owned()]);
    assert_eq!(format!("{user} {user:>9}"), "johndoe   johndoe");
    assert!(security_scopes!["items"].check(&user).is_ok());
    assert!(security_scopes!["me"].check(&user).is_err());
}

#[test]
fn a_missing_extension_is_a_mistake_of_the_service() {
    let (mut head, ()) = http::Request::new(()).into_parts();
    let missing = FromExtensions::<String>::from_head(&mut head).unwrap_err();
    assert_eq!(http::Response::<String>::from(missing).status(), 500);
}
