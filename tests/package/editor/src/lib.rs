//! A program with every macro, for the questions of `ask.py` to rust-analyzer.

use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use doorward::axum08::Router;
use doorward::axum08::routing::get;
use doorward::form::RequestForm;
use doorward::http::StatusCode;
use doorward::openapi::Operation;
use doorward::scheme::RefusedRequest;
use doorward::secrecy::SecretString;
use doorward::token_endpoint::RefreshTokenGrant;
use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{
    ApiKey, BasicCredentials, BearerError, BearerToken, Grant, PasswordRequestForm, Plan,
    Rejection, SecurityScopes, api_key, dependency, http, http_basic, http_bearer, http_digest,
    layer, oauth2, oauth2_authorization_code_bearer, oauth2_bearer, oauth2_password_bearer, one_of,
    open_id_connect, operation, plan, public, secured,
};

#[oauth2(flows(password(token_url = "token")))]
pub struct AnyToken;

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Read the user.", "items" = "Read items."))]
pub struct Api;

#[oauth2_authorization_code_bearer(authorization_url = "authorize", token_url = "token")]
pub struct Code;

#[oauth2_bearer(flows(client_credentials(token_url = "token")))]
pub struct Machine;

#[open_id_connect(url = "https://id.example.com/.well-known/openid-configuration")]
pub struct Provider;

#[http_bearer(verified = Account, by = Directory, error = ApiError)]
pub struct Token;

#[http_basic]
pub struct Basic;

#[http_digest]
pub struct Digest;

#[http(scheme = "Negotiate")]
pub struct Negotiate;

#[api_key(header = "x-api-key")]
pub struct Key;

pub struct Account {
    pub name: String,
}

/// Knows one token.
pub struct Directory;

impl Verify for Directory {
    type Claims = Account;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<Account>, VerifyError> {
        match token.into().token().as_str() {
            "good" => Verified::new(Account { name: "johndoe".to_owned() }, []).require(scopes),
            _ => Err(VerifyError::invalid_token(scopes)),
        }
    }
}

pub struct ApiError(StatusCode);

impl From<RefusedRequest> for ApiError {
    fn from(refusal: RefusedRequest) -> Self {
        Self(refusal.status())
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        self.0.into_response()
    }
}

#[derive(PasswordRequestForm)]
#[password_form(strict)]
pub struct Login {
    pub username: String,
    pub password: SecretString,
}

#[derive(RequestForm)]
#[request_form(grant_type = "urn:example:otp")]
pub struct OneTime {
    pub username: String,
    pub code: SecretString,
}

#[derive(Grant)]
pub enum TokenGrant {
    Password(Login),
    RefreshToken(RefreshTokenGrant),
    #[grant("urn:example:otp")]
    OneTime(OneTime),
}

#[derive(Clone)]
pub struct User {
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    Admin,
    Reader,
}

pub const ITEMS: &str = "items";

#[dependency]
pub fn user(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<User, BearerError> {
    scopes.check("me items")?;
    Ok(User { name: token.as_str().to_owned() })
}

#[dependency]
pub fn active(#[security(user, scopes("me"))] user: User) -> User {
    user
}

#[dependency]
pub fn role(#[security(user)] user: User, #[argument] wanted: Role) -> Result<User, Rejection> {
    match (&*user.name, wanted) {
        ("root", _) | (_, Role::Reader) => Ok(user),
        (_, Role::Admin) => Err(Rejection::new(StatusCode::FORBIDDEN)),
    }
}

#[dependency]
pub fn service(#[security(Key)] key: ApiKey) -> Result<(), Rejection> {
    match key.secret_eq("s3cret") {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::UNAUTHORIZED)),
    }
}

#[one_of]
pub enum Caller {
    #[security(user)]
    User(User),
    #[security(service, unscoped)]
    Service(()),
}

#[secured]
pub async fn token(#[security(Api)] token: BearerToken) -> String {
    token.as_str().to_owned()
}

#[secured]
pub async fn account(#[security(Token)] account: Verified<Account>) -> String {
    account.name.clone()
}

#[secured]
pub async fn basic(#[security(Basic)] credentials: BasicCredentials) -> String {
    credentials.username
}

#[secured]
pub async fn items(#[security(Caller, scopes("items"))] caller: Caller) -> String {
    match caller {
        Caller::User(user) => user.name,
        Caller::Service(()) => "all".to_owned(),
    }
}

#[secured]
pub async fn item(#[security(active, scopes(ITEMS))] user: User, Path(id): Path<u32>) -> String {
    format!("{id} of {}", user.name)
}

#[secured(user, scopes("items"))]
pub async fn status() -> &'static str {
    "ok"
}

#[secured]
pub async fn report(#[security(role(Role::Reader))] user: User) -> String {
    user.name
}

#[secured(role(Role::Admin))]
pub async fn settings() -> &'static str {
    "ok"
}

#[public(reason = "load balancers ask it")]
pub async fn health() -> &'static str {
    "ok"
}

pub fn app() -> Router {
    Router::new()
        .route("/token", get(token))
        .route("/account", get(account))
        .route("/basic", get(basic))
        .route("/items", get(items))
        .route("/items/{id}", get(item))
        .route("/status", get(status))
        .route("/report", get(report))
        .route("/settings", get(settings))
        .route("/health", get(health))
        .layer(layer!(user, scopes("items")))
}

pub fn described() -> (Plan<active>, Operation) {
    (plan!(active), operation!(items))
}
