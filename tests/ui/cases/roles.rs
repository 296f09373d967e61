// What the mistakes in `cases/argument*.rs` have in common: a dependency with two arguments.

#[allow(unused_imports)]
use doorward::{BearerError, BearerToken, dependency, http_bearer, secured};

#[http_bearer]
struct OAuth2;

#[derive(PartialEq)]
enum Role {
    Admin,
}

#[dependency]
fn role(#[argument] least: Role, #[argument] limit: u32, #[security(OAuth2)] _token: BearerToken) -> Result<(), BearerError> {
    if least == Role::Admin && limit > 3 { Ok(()) } else { Err(BearerError::invalid_token()) }
}
