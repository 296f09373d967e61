//! Attributes as they stand while they are being written: each mistake is reported, and the type is a scheme already.

use tollgate::{Scheme, oauth2, oauth2_password_bearer};

#[oauth2_password_bearer(token_url = , scopes("me" = "Read me."))]
struct NoValue;

#[oauth2_password_bearer(token_url "token", auto_error = false)]
struct NoEqualsSign;

#[oauth2_password_bearer(token_url = "token", scheme_name = "a" "b")]
struct TwoValues;

#[oauth2(flows(password(token_url = "token")), "Login")]
struct NoName;

#[oauth2(flows[password(token_url = "token")])]
struct Brackets;

fn main() {
    for config in [
        NoValue::CONFIG,
        NoEqualsSign::CONFIG,
        TwoValues::CONFIG,
        NoName::CONFIG,
        Brackets::CONFIG,
    ] {
        println!("{}", config.scheme_name());
    }
}
