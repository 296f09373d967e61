use tollgate::{api_key, http, http_basic, http_bearer, http_digest, oauth2_bearer, open_id_connect};

#[api_key(header = "x-api-key")]
enum Key {}

#[http(scheme = "Negotiate")]
enum Negotiate {}

#[http_basic]
enum Basic {}

#[http_bearer]
enum Bearer {}

#[http_digest]
enum Digest {}

#[oauth2_bearer(flows(password(token_url = "token")))]
enum OAuth2 {}

#[open_id_connect(url = "/.well-known/openid-configuration")]
enum Login {}

fn main() {}
