use tollgate::{
    ApiKey, BearerError, BearerToken, SecurityScopes, api_key, dependency, layer,
    oauth2_password_bearer, one_of, plan, secured,
};

#[oauth2_password_bearer(
    token_url = "token",
    scopes("admin" implies("read") = "Everything.", "read" = "Read.")
)]
struct Ours;

#[api_key(header = "X-Partner-Key", scopes("read" = "Read."))]
struct Partner;

#[api_key(header = "X-Service-Key")]
struct Service;

#[one_of]
enum Caller {
    #[security(Ours)]
    User(BearerToken),
    #[security(Partner)]
    Partner(ApiKey),
}

#[dependency]
async fn caller(
    #[security(Caller)] caller: Caller,
    scopes: SecurityScopes,
) -> Result<(), BearerError> {
    scopes.check(match &caller {
        Caller::User(token) => token.as_str(),
        Caller::Partner(key) => key.as_str(),
    })?;
    Ok(())
}

#[secured(caller, scopes("read"))]
async fn items() {}

#[one_of]
enum UserOrService {
    #[security(Ours)]
    User(BearerToken),
    #[security(Service)]
    Service(ApiKey),
}

#[dependency]
async fn user_or_service(
    #[security(UserOrService)] _caller: UserOrService,
    _scopes: SecurityScopes,
) -> Result<(), BearerError> {
    Ok(())
}

#[dependency]
async fn above(
    #[security(user_or_service, scopes("read"))] _caller: (),
) {
}

fn main() {
    let _ = plan!(caller, scopes("read"));
    let _ = layer!(above, scopes("read"));
}
