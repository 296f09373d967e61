use doorward::{oauth2, oauth2_authorization_code_bearer, oauth2_password_bearer};

const TOKEN_URL: u32 = 1;

#[oauth2_password_bearer(token_url = TOKEN_URL)]
struct ConstantOfAnotherType;

#[oauth2_password_bearer(token_url = "token\n")]
struct ControlCharacter;

const CONTROL_CHARACTER: &str = "token\n";

#[oauth2_password_bearer(token_url = CONTROL_CHARACTER)]
struct ControlCharacterInAConstant;

#[oauth2_password_bearer(token_url = "")]
struct Empty;

const EMPTY: &str = "";

#[oauth2_password_bearer(token_url = EMPTY)]
struct EmptyConstant;

#[oauth2_authorization_code_bearer]
struct MissingBoth;

#[oauth2(flows(password(), client_credentials(), implicit(), authorization_code(token_url = "token")))]
struct MissingInAFlow;

#[oauth2_password_bearer]
struct MissingTokenUrl;

#[oauth2(flows(implicit(authorization_url = "authorize", token_url = "token")))]
struct NotForThisFlow;

fn main() {}
