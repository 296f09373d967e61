//! Unfinished attributes. Each mistake is reported, and every name still resolves.

use tollgate::form::RequestForm;
use tollgate::scheme::SchemeConfig;
use tollgate::{
    BearerToken, PasswordRequestForm, Scheme, dependency, oauth2, oauth2_password_bearer, secured,
};

#[oauth2_password_bearer(token_url = , scopes("me" = "Read me."))]
pub struct NoValue;

#[oauth2_password_bearer(token_url = "token", auto_er)]
pub struct HalfWord;

#[oauth2(flows(password(token_url = "token"), "Login"))]
pub struct NoName;

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Items."))]
pub struct OAuth2;

#[dependency(cache)]
pub fn user(#[security(OAuth2, scop)] token: BearerToken) -> String {
    token.as_str().to_owned()
}

#[dependency]
pub fn other(#[security(user, scopes("items"))] name: String) -> String {
    name
}

#[secured]
pub async fn handler(#[security()] name: String, #[security("user")] more: String) -> String {
    format!("{name}{more}")
}

#[derive(PasswordRequestForm)]
#[password_form(strikt)]
pub struct Login {
    pub username: String,
    pub password: String,
    #[password_form(rename = )]
    pub otp: Option<u32>,
}

pub fn uses() -> (SchemeConfig, SchemeConfig, SchemeConfig) {
    let login = Login::decode(b"");
    let _ = login.map(|login| login.username.len());
    let _ = user(BearerToken::try_from("a").unwrap()).len();
    (NoValue::CONFIG, HalfWord::CONFIG, NoName::CONFIG)
}
