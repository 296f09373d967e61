use doorward::{BearerToken, Rejection, Security, http_bearer, oauth2, oauth2_password_bearer};
use doorward::http::StatusCode;

const NAME: &str = "";

#[oauth2_password_bearer(token_url = "token", scheme_name = NAME)]
struct EmptyNameInAConstant;

#[oauth2_password_bearer(
    refresh_url = "",
    scopes("me" = "Read.", "me" = "Write.", "a b" = "Both."),
    auto_eror = false,
    strict = 1,
)]
struct EveryMistakeAtOnce;

#[oauth2_password_bearer(token_url = "token")]
struct Generic<T>;

#[oauth2_password_bearer(token_url = "token", scheme_name = "My scheme")]
struct Name;

const SPACED_NAME: &str = "My scheme";

#[oauth2_password_bearer(token_url = "token", scheme_name = SPACED_NAME)]
struct NameInAConstant;

#[oauth2_password_bearer(token_url = "token")]
struct Größe;

#[oauth2_password_bearer(token_url = "token")]
fn on_a_function() {}

#[oauth2_password_bearer(token_url = "token")]
struct OnAStructWithFields {
    realm: String,
}

#[oauth2_password_bearer(token_url = "token")]
trait OnATrait {}

#[oauth2_password_bearer(token_url = "token")]
enum OnAnEnum {}

#[oauth2_password_bearer(token_url = "token", rejection(absent = doorward::Rejection::NOT_AUTHENTICATED))]
struct RejectionForAnUnknownReason;

#[oauth2_password_bearer(token_url = "token", rejection())]
struct RejectionForNoReason;

const REJECTION: u16 = 404;

#[oauth2_password_bearer(token_url = "token", rejection = REJECTION)]
struct RejectionOfAnotherType;

#[oauth2_password_bearer(token_url = "token", rejection = Rejection::new(StatusCode::FORBIDDEN).with_challenge("é"))]
struct RejectionThatIsNoHeader;

#[oauth2_password_bearer(token_url = "token", rejection = Rejection::new(StatusCode::OK))]
struct RejectionThatLetsThrough;

const WRONG: Rejection = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Wrong").with_headers(&[("Content-Type", "text/plain")]);

#[oauth2_password_bearer(token_url = "token", rejection = WRONG)]
struct RejectionWithAHeaderOfTheBody;

const SPACED: Rejection = Rejection::new(StatusCode::UNAUTHORIZED).with_detail("Wrong").with_headers(&[("retry after", "60")]);

#[oauth2_password_bearer(token_url = "token", rejection = SPACED)]
struct RejectionWithAHeaderWithoutAName;

#[http_bearer(rejection("denied"))]
struct RejectionWithoutAReason;

fn token_as_text(token: &BearerToken) {
    println!("{token}");
}

#[oauth2_password_bearer(token_url = "token")]
#[oauth2]
struct TwoOnOneStruct;

struct OAuth2;

async fn used_but_not_declared(_: Security<OAuth2>) {}

fn main() {}
