use doorward::{
    BearerError, BearerToken, SecurityScopes, dependency, http, http_basic, http_bearer,
    http_digest, secured,
};

#[http(scheme = "basic")]
struct Basic;

#[http(scheme = "Bearer")]
struct Bearer;

#[http_bearer(format = JWT)]
struct FormatNotAString;

#[http_bearer(scopes("profile"))]
struct MistakeBesideTheScopes;

#[dependency]
fn user(#[security(MistakeBesideTheScopes)] token: BearerToken, scopes: SecurityScopes) -> Result<BearerToken, BearerError> {
    scopes.check("")?;
    Ok(token)
}

#[secured(user, scopes("profile"))]
async fn profile() {}

#[http(scheme = "Digest SHA-256")]
struct NotAToken;

#[http_basic(realm = "the \"admin\" area")]
struct RealmWithAQuote;

#[http_bearer(formt = "JWT")]
struct UnknownArgumentOfBearer;

#[http_digest(realm = "admin")]
struct UnknownArgumentOfDigest;

#[http]
struct WithoutAScheme;

#[http_basic(charset)]
struct WithoutRealm;

fn main() {}
