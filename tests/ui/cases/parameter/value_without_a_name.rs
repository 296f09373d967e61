use tollgate::{
    api_key, http, http_basic, http_bearer, http_digest, oauth2,
    oauth2_authorization_code_bearer, oauth2_password_bearer, open_id_connect,
};

#[http_basic("admin")]
struct Basic;

#[http_bearer("JWT")]
struct Bearer;

#[http("Negotiate")]
struct Negotiate;

#[http_digest("admin")]
struct Digest;

#[api_key("x-api-key")]
struct Key;

#[open_id_connect("/.well-known/openid-configuration")]
struct OpenId;

#[oauth2_password_bearer("token")]
struct Password;

#[oauth2_authorization_code_bearer("authorize", token_url = "token")]
struct Code;

#[oauth2(flows(password("token")))]
struct Flow;

#[oauth2(flows("token"))]
struct Flows;

fn main() {}
