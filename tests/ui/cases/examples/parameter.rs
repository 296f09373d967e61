use doorward::{
    BearerToken, Rejection, Scheme, api_key, dependency, http, http_basic, http_bearer, http_digest,
    oauth2, oauth2_authorization_code_bearer, oauth2_password_bearer, open_id_connect,
};

#[oauth2_password_bearer(token_url = "token", rejection = 404)]
struct ConstantOfAnotherType;

#[oauth2_password_bearer(token_url = , strict)]
struct EmptyValue;

#[oauth2_password_bearer(token_url = "token", auto_error = "no")]
struct FlagOfAnotherType;

#[oauth2_password_bearer(token_url = "token", token_url = "login")]
struct GivenTwice;

#[oauth2_password_bearer(token_url = "token", scopes = "me")]
struct ListOfAnotherType;

#[oauth2(token_url = "token", strict)]
struct NotForTheBaseScheme;

#[http_bearer(bearerFormat = "JWT")]
struct OfFastapi;

#[open_id_connect(openIdConnectUrl = "/.well-known/openid-configuration")]
struct OpenIdOfFastapi;

#[oauth2_password_bearer(tokenUrl = "token", refreshUrl = "refresh", autoError = false)]
struct OAuth2OfFastapi;

#[api_key(name = "x-api-key")]
struct KeyOfFastapi;

#[http_bearer(auto_error = False)]
struct Optional;

#[dependency]
fn of_fastapi(#[security(Optional, use_cache = false)] token: BearerToken) -> Result<String, Rejection> {
    Ok(token.as_str().to_owned())
}

#[oauth2_password_bearer(token_url = "token", crate = "doorward")]
struct PathOfAnotherType;

#[oauth2_password_bearer(token_url: "token")]
struct Syntax;

#[oauth2_password_bearer(token_url = 8000)]
struct TextOfAnotherType;

#[oauth2_password_bearer(token_url)]
struct TextWithoutAValue;

// Attributes as they stand while they are being written: each mistake is reported, and the type is a scheme already.
#[oauth2_password_bearer(token_url = , scopes("me" = "Read me."))]
struct Unfinished;

#[oauth2_password_bearer(token_url "token", auto_error = false)]
struct NoEqualsSign;

#[oauth2_password_bearer(token_url = "token", scheme_name = "a" "b")]
struct TwoValues;

#[oauth2(flows(password(token_url = "token")), "Login")]
struct NoName;

#[oauth2(flows[password(token_url = "token")])]
struct Brackets;

fn unfinished() {
    for config in [
        Unfinished::CONFIG,
        NoEqualsSign::CONFIG,
        TwoValues::CONFIG,
        NoName::CONFIG,
        Brackets::CONFIG,
    ] {
        println!("{}", config.scheme_name());
    }
}

#[oauth2_password_bearer(token_url = "token", bananas = 3)]
struct Unknown;

#[oauth2_password_bearer(tokn_url = "token")]
struct UnknownWithANearName;

#[http_basic("admin")]
struct ValueWithoutAName;

#[http_bearer("JWT")]
struct BearerValueWithoutAName;

#[http("Negotiate")]
struct Negotiate;

#[http_digest("admin")]
struct Digest;

#[api_key("x-api-key")]
struct KeyValueWithoutAName;

#[open_id_connect("/.well-known/openid-configuration")]
struct OpenIdValueWithoutAName;

#[oauth2_password_bearer("token")]
struct Password;

#[oauth2_authorization_code_bearer("authorize", token_url = "token")]
struct Code;

#[oauth2(flows(password("token")))]
struct Flow;

#[oauth2(flows("token"))]
struct Flows;

#[oauth2_password_bearer(token_url = "token" strict)]
struct WithoutAComma;

#[oauth2_password_bearer("token")]
struct WithoutAName;

fn main() {}
