use doorward::{
    BearerError, BearerToken, Rejection, SecurityScopes, api_key, dependency, http_digest,
    oauth2_bearer, oauth2_password_bearer,
};
use doorward::metadata::ResourceMetadata;
use doorward::scheme::Setting;

#[oauth2_password_bearer(token_url = "token", realm = "users")]
struct OAuth2;

#[dependency(insufficient_scope = 401)]
fn insufficient_scope(#[security(OAuth2)] _token: BearerToken) -> Result<(), Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency(insufficient_scope = 200)]
fn success(#[security(OAuth2)] _token: BearerToken, _scopes: SecurityScopes) {}

#[dependency(insufficient_scope)]
fn no_status(#[security(OAuth2)] _token: BearerToken, _scopes: SecurityScopes) {}

#[oauth2_bearer(flows(password(token_url = "token")), authorization_servers("https://id.example.com"))]
struct Issuers;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers()
)]
struct None;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers = "https://id.example.com"
)]
struct NoList;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers("https://id.example.com", "id.example.com", 1)
)]
struct RelativeIssuers;

#[oauth2_bearer(
    flows(password(token_url = "token")),
    resource = "https://api.example.com",
    authorization_servers("https://id.example.com", "id.example.com", "https://id.example.com/?tenant=1")
)]
struct Second;

fn metadata() {
    let _ = ResourceMetadata::of::<OAuth2>();
}

#[api_key(header = "x-api-key", realm = "machines")]
struct OfOthers;

#[http_digest(resource = "https://api.example.com")]
struct Digest;

#[oauth2_password_bearer(token_url = "token", realm = "a \"quoted\" realm")]
struct Realm;

const REALM: &str = "a\nb";

#[oauth2_password_bearer(token_url = "token", realm = REALM)]
struct Constant;

#[oauth2_password_bearer(token_url = "token", realm = 1)]
struct NumberRealm;

const PATH: &str = "/v1";

#[oauth2_bearer(flows(password(token_url = "token")), resource = "http://api.example.com")]
struct Resource;

#[oauth2_bearer(flows(password(token_url = "token")), resource = PATH)]
struct RelativeResource;

#[oauth2_bearer(flows(password(token_url = "token")), resource = "https://api.example.com/#v1")]
struct Fragment;

#[oauth2_bearer(flows(password(token_url = "token")), resource = 1)]
struct NumberResource;

static TOKEN_URL: Setting = Setting::url("TOKEN_URL");
static URL: &str = "https://api.example.com";

#[oauth2_bearer(flows(password(token_url = TOKEN_URL)))]
struct Setting_of_challenge;

#[oauth2_bearer(flows(password(token_url = "token")), resource = &URL)]
struct OtherType;

#[oauth2_password_bearer(token_url = "token", realm = "users")]
struct Users;

#[oauth2_password_bearer(token_url = "token", realm = "admins", auto_error = false)]
struct Admins;

#[dependency]
fn user(#[security(Users)] _token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[dependency]
fn two_realms(
    #[security(user)] _user: (),
    #[security(Admins)] _token: Option<BearerToken>,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[oauth2_password_bearer(token_url = "token")]
struct Plain;

#[dependency]
fn mixed(
    #[security(Users)] _token: BearerToken,
    #[security(Plain)] _other: BearerToken,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[oauth2_password_bearer(token_url = "token", resource = "https://users.example.com")]
struct Customers;

#[oauth2_password_bearer(token_url = "token", resource = "https://admins.example.com")]
struct Machines;

#[oauth2_password_bearer(token_url = "token", realm = "plain")]
struct PlainRealm;

#[dependency]
fn two_resources(
    #[security(Customers)] token: BearerToken,
    #[security(Machines)] _admin: BearerToken,
    scopes: SecurityScopes,
) -> (BearerToken, SecurityScopes) {
    (token, scopes)
}

#[dependency]
fn one_of_them(
    #[security(PlainRealm)] _plain: BearerToken,
    #[security(Customers)] token: BearerToken,
    _scopes: SecurityScopes,
) -> BearerToken {
    token
}

fn main() {}
