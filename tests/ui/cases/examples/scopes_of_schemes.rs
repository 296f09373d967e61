use doorward::{
    ApiKey, BasicCredentials, BearerError, BearerToken, HttpCredentials, SecurityScopes, api_key,
    dependency, http, http_basic, http_bearer, http_digest, secured,
};

#[api_key(header = "x-api-key", scopes("admin"))]
struct Mistakes;

#[http_basic(scopes("admin" = 7))]
struct BasicMistakes;

#[http_digest(scopes(admin = "Everything."))]
struct DigestMistakes;

#[http(scheme = "Negotiate", scopes("ad min" = "Everything."))]
struct NegotiateMistakes;

#[http_bearer(scopes("admin" implies("reprot") = "Everything.", "report" = "Read reports."))]
struct Bearer;

// No second error: the scopes may be right.
#[dependency]
fn customer(#[security(Mistakes)] _key: ApiKey, scopes: SecurityScopes) -> Result<(), BearerError> {
    Ok(scopes.check("")?)
}

#[secured(customer, scopes("admin"))]
async fn delete() {}

#[api_key(header = "x-api-key", scopes("report" = "Read reports.", "admin" implies("report") = "Everything."))]
struct Key;

#[http_basic(scopes("report" = "Read reports."))]
struct Basic;

#[http_digest(scopes("report" = "Read reports."))]
struct Digest;

#[http(scheme = "Negotiate", scopes("report" = "Read reports."))]
struct Negotiate;

#[dependency]
fn customer_of_key(#[security(Key)] _key: ApiKey, scopes: SecurityScopes) -> Result<(), BearerError> {
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

#[secured(customer_of_key, scopes("amdin"))]
async fn not_declared() {}

#[secured(user, scopes("reports"))]
async fn by_basic() {}

#[secured(digest, scopes("reports"))]
async fn by_digest() {}

#[secured(negotiated, scopes("reports"))]
async fn by_negotiate() {}

#[http_bearer(scopes("profile" = "Read the profile."))]
struct Token;

#[dependency]
fn user_of_bearer(#[security(Token)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[secured(user_of_bearer, scopes("profil"))]
async fn not_declared_by_bearer() {}

fn main() {}
