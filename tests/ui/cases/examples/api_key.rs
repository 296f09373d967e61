use doorward::{
    api_key, http, http_basic, http_bearer, http_digest, oauth2_bearer, open_id_connect, secured,
};

#[api_key(header = "x-api-key")]
struct Key;

#[secured(Key)]
async fn as_a_guard() {}

#[api_key(header = "Cookie")]
struct CookieHeader;

#[api_key(cookie = "session;id")]
struct CookieName;

#[api_key(header = "x-api-key", cross_site)]
struct CrossSiteWithoutACookie;

#[api_key(header = "x-api-key", repeated = "first")]
struct RepeatedWithoutACookie;

#[api_key(cookie = "session", repeated = "last")]
struct LastOfSeveral;

#[api_key(cookie = "session", repeated)]
struct RepeatedWithoutAWord;

#[api_key(cookie = "")]
struct EmptyCookieName;

#[api_key(header = "")]
struct EmptyHeaderName;

#[api_key(query = "")]
struct EmptyQueryName;

#[api_key(header = "x api key", query = "", cross_site = "no", auto_eror = false)]
struct EveryMistakeAtOnce;

#[api_key(header = "x-api-key", query = "key", cross_site)]
struct Other;

#[api_key(header = "api key")]
struct HeaderName;

#[api_key(header = "x-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")]
struct HeaderNameTooLong;

#[api_key(heder = "x-api-key")]
struct MisspeltPlace;

const COOKIE: &str = "cookie";
const SPACE: &str = "api key";
const EMPTY: &str = "";
const LONG: &str = "x-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const NUMBER: u8 = 5;

#[api_key(header = COOKIE)]
struct CookieInAConstant;

#[api_key(header = SPACE)]
struct HeaderNameInAConstant;

#[api_key(header = EMPTY)]
struct EmptyHeaderNameInAConstant;

#[api_key(header = LONG)]
struct LongHeaderNameInAConstant;

#[api_key(query = EMPTY)]
struct ParameterNameInAConstant;

#[api_key(cookie = SPACE)]
struct CookieNameInAConstant;

#[api_key(cookie = EMPTY)]
struct EmptyCookieNameInAConstant;

#[api_key(cookie = NUMBER)]
struct ConstantOfAnotherType;

#[api_key(query = 5)]
struct NameNotAString;

#[api_key(header = "x-api-key")]
enum OnAnEnum {}

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

#[api_key(header = "x-api-key", query = "key")]
struct TwoPlaces;

#[api_key]
struct WithoutAPlace;

fn main() {}
