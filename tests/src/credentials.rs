//! The schemes for every other kind of credential, and alternatives.

use doorward::{
    ApiKey, BearerToken, Rejection, api_key, dependency, http_basic, http_bearer, http_digest,
    one_of, open_id_connect,
};
use serde_json::{Value, json};

use crate::schemes::schemes;
pub use crate::schemes::{
    Base, BaseOptional, Code, CodeOptional, Password, PasswordOptional, PasswordStrict,
    PasswordStrictOptional,
};
use crate::shown::Shown;

const HEADER: &str = "x-api-key";
const KEY: &str = "key";

schemes! {
    "" api_key(header = HEADER) "ApiKeyHeader" ApiKeyHeader ApiKeyHeaderOptional;
    "" api_key(header = "Authorization") "ApiKeyAuthorization" ApiKeyAuthorization ApiKeyAuthorizationOptional;
    "" api_key(query = KEY) "ApiKeyQuery" ApiKeyQuery ApiKeyQueryOptional;
    "" api_key(cookie = "key") "ApiKeyCookie" ApiKeyCookie ApiKeyCookieOptional;
    "" api_key(cookie = KEY, repeated = "first") "ApiKeyCookie" ApiKeyCookieFirst ApiKeyCookieFirstOptional;
    "" http_basic(realm = "simple") "Basic" Basic BasicOptional;
    "" http_bearer(format = "JWT") "HttpBearer" HttpBearer HttpBearerOptional;
    "" http_bearer(websocket, strict) "Websocket" Websocket WebsocketOptional;
    "" http_digest() "Digest" Digest DigestOptional;
    "" open_id_connect(url = "/openid") "OpenId" OpenId OpenIdOptional;
}

/// Calls a macro with the path, a name and the scheme of each route.
#[macro_export]
macro_rules! for_each_credential {
    ($route:ident) => {
        $route!("/base", base, Base);
        $route!("/base-optional", base_optional, BaseOptional);
        $route!("/password", password, Password);
        $route!("/password-optional", password_optional, PasswordOptional);
        $route!("/password-strict", password_strict, PasswordStrict);
        $route!("/password-strict-optional", password_strict_optional, PasswordStrictOptional);
        $route!("/code", code, Code);
        $route!("/code-optional", code_optional, CodeOptional);
        $route!("/api-key/header", api_key_header, ApiKeyHeader);
        $route!("/api-key/header-optional", api_key_header_optional, ApiKeyHeaderOptional);
        $route!("/api-key/authorization", api_key_authorization, ApiKeyAuthorization);
        $route!(
            "/api-key/authorization-optional",
            api_key_authorization_optional,
            ApiKeyAuthorizationOptional
        );
        $route!("/api-key/query", api_key_query, ApiKeyQuery);
        $route!("/api-key/query-optional", api_key_query_optional, ApiKeyQueryOptional);
        $route!("/api-key/cookie", api_key_cookie, ApiKeyCookie);
        $route!("/api-key/cookie-optional", api_key_cookie_optional, ApiKeyCookieOptional);
        $route!("/api-key/cookie-first", api_key_cookie_first, ApiKeyCookieFirst);
        $route!(
            "/api-key/cookie-first-optional",
            api_key_cookie_first_optional,
            ApiKeyCookieFirstOptional
        );
        $route!("/basic", basic, Basic);
        $route!("/basic-optional", basic_optional, BasicOptional);
        $route!("/http-bearer", http_bearer, HttpBearer);
        $route!("/http-bearer-optional", http_bearer_optional, HttpBearerOptional);
        $route!("/websocket", websocket, Websocket);
        $route!("/websocket-optional", websocket_optional, WebsocketOptional);
        $route!("/digest", digest, Digest);
        $route!("/digest-optional", digest_optional, DigestOptional);
        $route!("/openid", openid, OpenId);
        $route!("/openid-optional", openid_optional, OpenIdOptional);
    };
}

/// Whoever calls, or nobody.
#[one_of]
#[derive(Debug)]
pub enum Caller {
    /// A bearer token.
    #[security(Password)]
    Token(BearerToken),
    /// An API key.
    #[security(ApiKeyHeader)]
    Key(ApiKey),
    /// No credential.
    Nobody,
}

/// Whoever calls.
#[one_of]
#[derive(Debug)]
pub enum KnownCaller {
    /// A bearer token.
    #[security(Password)]
    Token(BearerToken),
    /// An API key.
    #[security(ApiKeyHeader)]
    Key(ApiKey),
}

/// The session of a browser, which sends its cookie by itself.
#[api_key(cookie = "session")]
pub struct VisitorSession;

/// Knows the session of `alice`.
///
/// # Errors
///
/// Returns a `401` for any other session.
#[dependency]
pub fn visiting_user(#[security(VisitorSession)] session: ApiKey) -> Result<String, Rejection> {
    match session.as_str() {
        "alice" => Ok("alice".to_owned()),
        _ => Err(Rejection::NOT_AUTHENTICATED),
    }
}

/// Who looks at a public page.
#[one_of]
#[derive(Debug)]
pub enum Visitor {
    /// A user with a session.
    #[security(visiting_user, lenient)]
    User(String),
    /// Anybody else, also one with the cookie of a session that has ended.
    Nobody,
}

impl Shown for Visitor {
    fn shown(&self) -> Value {
        match self {
            Self::User(name) => json!({ "user": name }),
            Self::Nobody => json!({ "user": null }),
        }
    }
}

impl Shown for Caller {
    fn shown(&self) -> Value {
        match self {
            Self::Token(token) => json!({ "token": token.as_str() }),
            Self::Key(key) => json!({ "key": key.as_str() }),
            Self::Nobody => json!({}),
        }
    }
}

impl Shown for KnownCaller {
    fn shown(&self) -> Value {
        match self {
            Self::Token(token) => json!({ "token": token.as_str() }),
            Self::Key(key) => json!({ "key": key.as_str() }),
        }
    }
}
