use doorward::jwt::TokenVerifier;
use doorward::verify::{Verified, VerifyError};
use doorward::{ApiKey, BearerToken, SecurityScopes, Shared, api_key, dependency};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[api_key(cookie = "jwt")]
struct Cookie;

#[dependency]
async fn caller(
    #[security(Cookie)] cookie: ApiKey,
    scopes: SecurityScopes,
    tokens: Shared<TokenVerifier<Claims>>,
) -> Result<Verified<Claims>, VerifyError> {
    let token = BearerToken::try_from(cookie.as_str());
    let token = token.map_err(|_| VerifyError::invalid_token(scopes))?;
    tokens.verify(&token, scopes).await
}

#[tokio::test]
async fn a_token_in_a_cookie_is_verified() -> Result<(), Box<dyn std::error::Error>> {
    let authority = doorward::testing::TestAuthority::new("https://api.example.com")?;
    let tokens: TokenVerifier<Claims> = authority.verifier().build().await?;
    let cookie = format!("jwt={}", authority.token("johndoe").sign()?.as_str());
    let request = http::Request::builder().header("cookie", cookie);
    let request = request.extension(Shared::new(tokens)).body(())?;
    let caller = doorward::plan!(caller).resolve(&mut request.into_parts().0).await;
    assert_eq!(caller.unwrap().sub, "johndoe");
    Ok(())
}
