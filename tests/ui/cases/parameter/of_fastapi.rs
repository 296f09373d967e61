use tollgate::{
    BearerToken, Rejection, api_key, dependency, http_bearer, oauth2_password_bearer,
    open_id_connect,
};

#[http_bearer(bearerFormat = "JWT")]
struct Bearer;

#[open_id_connect(openIdConnectUrl = "/.well-known/openid-configuration")]
struct OpenId;

#[oauth2_password_bearer(tokenUrl = "token", refreshUrl = "refresh", autoError = false)]
struct OAuth2;

#[api_key(name = "x-api-key")]
struct Key;

#[http_bearer(auto_error = False)]
struct Optional;

#[dependency]
fn user(#[security(Optional, use_cache = false)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

fn main() {}
