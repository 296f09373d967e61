//! The crate `doorward` has another name here, and every macro is told that name.

use gate::{
    BearerToken, Grant, PasswordRequestForm, RequestForm, SecurityScopes, dependency, oauth2,
    oauth2_authorization_code_bearer, oauth2_password_bearer,
};

const TOKEN_URL: &str = "token";

/// Takes any `Authorization` header.
#[oauth2(crate = gate, flows(password(token_url = TOKEN_URL)), auto_error = false)]
pub struct Base;

/// Takes a bearer token.
#[oauth2_password_bearer(crate = ::gate, token_url = TOKEN_URL, scopes("me" = "Me."), scheme_name = "Password")]
pub struct Password;

/// Takes a bearer token.
#[oauth2_authorization_code_bearer(crate = gate, authorization_url = "authorize", token_url = TOKEN_URL, strict)]
pub struct Code;

/// A form with every kind of field.
#[derive(PasswordRequestForm)]
#[password_form(crate = gate, strict, max_bytes = 1024)]
pub struct Login {
    /// `password`
    pub grant_type: String,
    /// The user's name.
    #[password_form(from)]
    pub username: Box<str>,
    /// The user's password.
    pub password: gate::secrecy::SecretString,
    /// The scopes.
    pub scopes: Vec<String>,
    /// A one-time password.
    pub otp: Option<String>,
}

/// A form of another grant.
#[derive(RequestForm)]
#[request_form(crate = gate, grant_type = "urn:example:otp", max_bytes = 512)]
pub struct OneTime {
    /// The user's name.
    pub username: String,
    /// The code.
    pub code: u32,
    /// The services that the token is for.
    pub resource: Vec<String>,
}

/// One of several grants.
#[derive(Grant)]
#[grant(crate = gate)]
pub enum Grant {
    /// With a password.
    Login(Login),
    /// With a code for one use.
    OneTime(OneTime),
    /// With a refresh token.
    RefreshToken(gate::token_endpoint::RefreshTokenGrant),
}

/// Takes any token.
#[dependency(crate = gate)]
pub fn any_token(#[security(Password)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
    token
}

/// A user whom a framework extracts.
#[derive(Debug)]
pub struct User(pub String);

/// Takes any token.
#[dependency(crate = gate, extract, unverified)]
pub fn user(#[security(any_token)] token: BearerToken) -> User {
    User(token.as_str().to_owned())
}

/// Returns the scopes of the token's chain.
///
/// # Errors
///
/// Returns a rejection if the token is empty.
#[dependency(crate = gate, cached)]
pub fn scopes_of(
    #[security(any_token, scopes("me"))] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<SecurityScopes, gate::Rejection> {
    if token.is_empty() { Err(gate::Rejection::NOT_AUTHENTICATED) } else { Ok(scopes) }
}

/// Takes tokens of more than this length.
///
/// # Errors
///
/// Returns a rejection if the token is shorter.
#[dependency(crate = gate)]
pub fn longer(
    #[argument] than: usize,
    #[security(any_token)] token: BearerToken,
) -> Result<BearerToken, gate::Rejection> {
    if token.as_str().len() > than { Ok(token) } else { Err(gate::Rejection::NOT_AUTHENTICATED) }
}

/// Takes tokens of more than three characters.
#[dependency(crate = gate)]
pub fn longer_than_three(#[security(longer(3))] token: BearerToken) -> BearerToken {
    token
}

#[cfg(test)]
mod tests {
    use gate::Scheme;

    use super::{Base, Code, Grant, Login, Password};
    use gate::form::RequestForm;

    #[test]
    fn a_dependency_is_planned() {
        let plan = gate::plan!(crate = gate, super::scopes_of, scopes("me"));
        assert!(format!("{plan:?}").starts_with("Plan"));
        let plan = gate::plan!(crate = gate, super::longer(1 + 1));
        assert!(format!("{plan:?}").starts_with("Plan"));
        assert_eq!(gate::security_scopes!["me"].scope_str(), "me");
    }

    #[test]
    fn every_macro_expands() {
        let names =
            [Base::CONFIG, Password::CONFIG, Code::CONFIG].map(|config| config.scheme_name());
        assert_eq!(names, ["Base", "Password", "Code"]);
        let form =
            Login::decode(b"grant_type=password&username=u&password=p&scope=me&otp=7").unwrap();
        assert_eq!((&*form.grant_type, &*form.username), ("password", "u"));
        assert_eq!((form.scopes, form.otp), (vec!["me".to_owned()], Some("7".to_owned())));
    }

    #[test]
    fn a_grant_is_chosen() {
        const { assert!(Grant::CONFIG.max_bytes() == 64 * 1024) };
        let grant = Grant::decode(b"grant_type=urn:example:otp&username=u&code=7&resource=a");
        let Ok(Grant::OneTime(form)) = grant else {
            panic!("another grant");
        };
        assert_eq!((&*form.username, form.code), ("u", 7));
        assert_eq!(form.resource, ["a"]);
        let error = Grant::decode(b"grant_type=implicit").err().unwrap();
        assert_eq!(error.code(), "unsupported_grant_type");
    }
}
