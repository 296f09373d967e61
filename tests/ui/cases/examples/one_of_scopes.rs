use doorward::{
    ApiKey, BearerError, BearerToken, Rejection, SecurityScopes, api_key, dependency,
    oauth2_password_bearer, one_of, secured,
};

#[oauth2_password_bearer(token_url = "token", scopes("items" = "Read items."))]
struct OAuth2;

#[api_key(header = "x-api-key")]
struct Key;

#[dependency]
fn user(#[security(OAuth2)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[dependency]
fn service(#[security(Key)] _key: ApiKey) -> Result<(), Rejection> {
    Ok(())
}

#[one_of]
enum Caller {
    #[security(user)]
    User(BearerToken),
    #[security(service, unscoped)]
    Service(()),
}

#[secured]
async fn scope_not_declared(#[security(Caller, scopes("itmes"))] caller: Caller) {
    drop(caller);
}

#[secured]
async fn admin(#[security(Caller, scopes("admin"))] caller: Caller) {
    drop(caller);
}

#[one_of]
enum ScopeNotDeclaredInAVariant {
    #[security(user, scopes("itmes"))]
    User(BearerToken),
    #[security(service)]
    Service(()),
}

#[one_of]
enum UserOrKey {
    #[security(user)]
    User(BearerToken),
    #[security(Key)]
    Key(ApiKey),
}

#[secured]
async fn scope_of_a_bare_scheme(#[security(UserOrKey, scopes("items"))] caller: UserOrKey) {
    drop(caller);
}

#[one_of]
enum UserOrService {
    #[security(user)]
    User(BearerToken),
    #[security(service)]
    Service(()),
}

#[secured]
async fn scope_of_an_alternative_that_checks_none(#[security(UserOrService, scopes("items"))] caller: UserOrService) {
    drop(caller);
}

#[one_of]
enum Unscoped {
    #[security(user, unscoped)]
    User(BearerToken),
    #[security(service, unscoped)]
    Service(()),
}

#[secured]
async fn scope_of_unscoped_alternatives_alone(#[security(Unscoped, scopes("items"))] caller: Unscoped) {
    drop(caller);
}

#[one_of]
enum ServiceAlone {
    #[security(service)]
    Service(()),
}

#[secured]
async fn scope_that_no_alternative_checks(#[security(ServiceAlone, scopes("items"))] caller: ServiceAlone) {
    drop(caller);
}

fn main() {}
