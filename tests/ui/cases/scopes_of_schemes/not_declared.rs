use tollgate::{
    ApiKey, BasicCredentials, BearerError, HttpCredentials, SecurityScopes, api_key, dependency, http, http_basic, http_digest, secured,
};

#[api_key(header = "x-api-key", scopes("report" = "Read reports.", "admin" implies("report") = "Everything."))]
struct Key;

#[http_basic(scopes("report" = "Read reports."))]
struct Basic;

#[http_digest(scopes("report" = "Read reports."))]
struct Digest;

#[http(scheme = "Negotiate", scopes("report" = "Read reports."))]
struct Negotiate;

#[dependency]
fn customer(#[security(Key)] _key: ApiKey, scopes: SecurityScopes) -> Result<(), BearerError> {
    Ok(scopes.check("")?)
}

#[dependency]
fn user(#[security(Basic)] _user: BasicCredentials, scopes: SecurityScopes) -> Result<(), BearerError> {
    Ok(scopes.check("")?)
}

#[dependency]
fn digest(#[security(Digest)] _user: HttpCredentials, scopes: SecurityScopes) -> Result<(), BearerError> {
    Ok(scopes.check("")?)
}

#[dependency]
fn negotiated(#[security(Negotiate)] _user: HttpCredentials, scopes: SecurityScopes) -> Result<(), BearerError> {
    Ok(scopes.check("")?)
}

#[secured(customer, scopes("amdin"))]
async fn delete() {}

#[secured(user, scopes("reports"))]
async fn by_basic() {}

#[secured(digest, scopes("reports"))]
async fn by_digest() {}

#[secured(negotiated, scopes("reports"))]
async fn by_negotiate() {}

fn main() {}
