//! A service that keeps its own signed token in a cookie, of which a middleware has made an
//! `Authorization` line until now, and whose login sets a second cookie of that name for its own
//! path. Both places are alternatives here, and the cookie is looked for first.
//!
//! - `repeated = "first"` takes the first of two cookies; the guide says what that costs.
//! - A `POST` that another site has caused is a 403 now. If a page at another host sends the cookie,
//!   write `cross_site`, and keep your own check.
//! - If a proxy adds a token of its own, put the header first, with `#[security(Header, lenient)]`.
//! - A list of logged-out tokens by their `jti` becomes `.refuse_if(…)`.

use doorward::jwt::{Algorithm, BuildError, SigningKey, TokenAuthority, TokenVerifier};
use doorward::secrecy::SecretString;
use doorward::verify::{Verified, VerifyError};
use doorward::{
    ApiKey, BearerToken, SecurityScopes, Shared, api_key, dependency, http_bearer, one_of,
};
use std::time::SystemTime;

#[api_key(cookie = "token", repeated = "first", challenge = false)]
struct Cookie;

#[http_bearer]
struct Header;

#[derive(serde::Deserialize)]
struct Claims {
    user: String,
    groups: Vec<String>,
}

type Tokens = TokenVerifier<Claims>;

#[one_of]
enum Credential {
    #[security(Cookie)]
    Cookie(ApiKey),
    #[security(Header)]
    Header(BearerToken),
}

/// The handlers take this one.
#[dependency]
async fn caller(
    #[security(Credential)] credential: Credential,
    scopes: SecurityScopes,
    tokens: Shared<Tokens>,
) -> Result<Verified<Claims>, VerifyError> {
    let token = match credential {
        Credential::Cookie(cookie) => BearerToken::try_from(cookie.as_str())
            .map_err(|_| VerifyError::invalid_token(scopes))?,
        Credential::Header(token) => token,
    };
    tokens.verify(&token, scopes).await
}

async fn tokens(
    new: SecretString,
    old: SecretString,
    date: SystemTime,
) -> Result<Tokens, BuildError> {
    let key = SigningKey::secret(new).algorithm(Algorithm::Hs512);
    let authority = TokenAuthority::builder("https://ldap.example.com", key).build()?;
    authority
        .verifier()
        .accept_secret(doorward::secrecy::ExposeSecret::expose_secret(&old))
        .accept_short_secret_until(date) // the old secret has 32 to 63 bytes
        .without_issuer() // those of the old secret have none
        .algorithms([Algorithm::Hs512]) // no others, as before
        .build()
        .await
}

const INVALID: &str = r#"Bearer error="invalid_token""#;

#[tokio::test]
async fn a_token_is_in_a_cookie_or_the_header() {
    use jsonwebtoken::{EncodingKey, Header, encode};
    use std::time::Duration;
    let _ = jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER.install_default();
    let claims =
        serde_json::json!({ "user": "ann", "groups": ["staff"], "exp": 4_000_000_000_u64 });
    let old = "0123456789".repeat(4);
    let sign = |secret: &str| {
        encode(
            &Header::new(jsonwebtoken::Algorithm::HS512),
            &claims,
            &EncodingKey::from_secret(secret.as_bytes()),
        )
        .unwrap()
    };
    let (good, wrong) = (sign(&old), sign("another"));
    let until = |date| tokens("7".repeat(64).into(), old.clone().into(), date);
    let soon = Shared::new(until(SystemTime::now() + Duration::from_secs(60)).await.unwrap());
    let over = Shared::new(until(SystemTime::now() - Duration::from_secs(1)).await.unwrap());
    for (tokens, cookie, header, expected) in [
        (&soon, format!("token={good}; token={wrong}"), "", Ok("ann 1")),
        (&soon, format!("token={wrong}; token={good}"), "", Err((401, Some(INVALID)))),
        (&soon, String::new(), &*good, Ok("ann 1")),
        (&soon, format!("token={good}"), &*wrong, Ok("ann 1")),
        (&over, format!("token={good}"), "", Err((401, Some(INVALID)))),
        (&soon, String::new(), "", Err((401, Some("Bearer")))),
    ] {
        let mut request = doorward::http::Request::post("/").extension(tokens.clone());
        for (name, value) in [
            ("cookie", cookie),
            (
                "authorization",
                if header.is_empty() { String::new() } else { format!("Bearer {header}") },
            ),
        ] {
            if !value.is_empty() {
                request = request.header(name, value);
            }
        }
        let (mut head, ()) = request.body(()).unwrap().into_parts();
        let found = doorward::plan!(caller).resolve(&mut head).await;
        let found = found.map(|claims| format!("{} {}", claims.user, claims.groups.len()));
        let found = found.map_err(|refused| {
            (
                refused.status().as_u16(),
                refused
                    .headers()
                    .get("www-authenticate")
                    .map(|line| line.to_str().unwrap().to_owned()),
            )
        });
        let expected = expected
            .map(str::to_owned)
            .map_err(|(status, line): (u16, Option<&str>)| (status, line.map(str::to_owned)));
        assert_eq!(found, expected);
    }
}
