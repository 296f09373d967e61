use tollgate::{
    ApiKey, BearerError, SecurityScopes, api_key, dependency, http, http_basic, http_bearer, http_digest, secured,
};

#[api_key(header = "x-api-key", scopes("admin"))]
struct Key;

#[http_basic(scopes("admin" = 7))]
struct Basic;

#[http_digest(scopes(admin = "Everything."))]
struct Digest;

#[http(scheme = "Negotiate", scopes("ad min" = "Everything."))]
struct Negotiate;

#[http_bearer(scopes("admin" implies("reprot") = "Everything.", "report" = "Read reports."))]
struct Bearer;

// No second error: the scopes may be right.
#[dependency]
fn customer(#[security(Key)] _key: ApiKey, scopes: SecurityScopes) -> Result<(), BearerError> {
    Ok(scopes.check("")?)
}

#[secured(customer, scopes("admin"))]
async fn delete() {}

fn main() {}
