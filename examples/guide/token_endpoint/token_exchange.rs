use doorward::form::RequestForm;
use doorward::jwt::{TokenAuthority, TokenVerifier};
use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::token_endpoint::{TokenError, TokenResponse};
use doorward::{BearerToken, SecurityScopes};
use serde_json::json;

#[derive(RequestForm)]
#[request_form(grant_type = "urn:ietf:params:oauth:grant-type:token-exchange")]
struct TokenExchange {
    subject_token: SecretString,
    subject_token_type: String,
    actor_token: Option<SecretString>,
    actor_token_type: Option<String>,
    requested_token_type: Option<String>,
    resource: Vec<String>,
    audience: Vec<String>,
    scopes: Vec<String>,
}

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";
const STOCK: &str = "https://stock.example.com";

/// Answers the client `orders`, which has sent its secret. `tokens` verifies tokens for `orders`, and
/// `stock` signs those for `stock`.
async fn exchange(
    form: &TokenExchange,
    tokens: &TokenVerifier<Claims>,
    stock: &TokenAuthority,
) -> Result<TokenResponse, TokenError> {
    let mut types = form.requested_token_type.iter().chain([&form.subject_token_type]);
    if !types.all(|name| name == ACCESS_TOKEN)
        || form.actor_token.is_some()
        || form.actor_token_type.is_some()
    {
        return Err(TokenError::invalid_request(
            "only access tokens are exchanged, and without an actor token",
        ));
    }
    let mut targets = form.resource.iter().chain(&form.audience).peekable();
    if targets.peek().is_none() || !targets.all(|target| target == STOCK) {
        return Err(TokenError::invalid_target("`orders` may call `stock` alone"));
    }
    const INVALID: TokenError = TokenError::invalid_request("the subject token is not valid");
    let subject = BearerToken::try_from(form.subject_token.expose_secret()).map_err(|_| INVALID)?;
    let subject = tokens.verify(&subject, SecurityScopes::NONE).await.map_err(|_| INVALID)?;
    if form.scopes.is_empty() || !form.scopes.iter().all(|scope| subject.scopes().contains(scope)) {
        return Err(TokenError::invalid_scope("ask for scopes of the subject token"));
    }
    let token = stock.token(subject.sub.clone()).claim("act", json!({ "sub": "orders" }));
    let answer = token.granted(&form.scopes, subject.scopes())?.response()?;
    Ok(answer.with_extra("issued_token_type", ACCESS_TOKEN))
}

#[tokio::test]
async fn a_token_is_exchanged_for_one_of_another_service() {
    use doorward::jwt::SigningKey;
    use doorward::testing::TestAuthority;

    let issuer = TestAuthority::new("https://orders.example.com").unwrap();
    let tokens: TokenVerifier<Claims> = issuer.verifier().build().await.unwrap();
    let stock =
        TokenAuthority::builder("https://id.example.com", SigningKey::secret("7".repeat(64)));
    let stock = stock.audience(STOCK).build().unwrap();
    let subject = issuer.token("johndoe").scopes(["items"]).sign().unwrap();
    let (good, to_stock) = (subject.as_str(), format!("resource={STOCK}"));
    for (subject, rest, expected) in [
        (good, format!("{to_stock}&scope=items"), Ok(())),
        (good, format!("{to_stock}&scope=other"), Err("invalid_scope")),
        (good, to_stock.clone(), Err("invalid_scope")),
        (good, "scope=items".to_owned(), Err("invalid_target")),
        (good, "resource=https://other.example.com&scope=items".to_owned(), Err("invalid_target")),
        (good, format!("{to_stock}&scope=items&actor_token=a"), Err("invalid_request")),
        ("a.b.c", format!("{to_stock}&scope=items"), Err("invalid_request")),
    ] {
        let body = format!(
            "grant_type=urn:ietf:params:oauth:grant-type:token-exchange&subject_token={subject}\
             &subject_token_type={ACCESS_TOKEN}&{rest}"
        );
        let form = TokenExchange::decode(body.as_bytes()).unwrap();
        let answer = exchange(&form, &tokens, &stock).await;
        assert_eq!(answer.map(|_| ()).map_err(|error| error.code()), expected, "{rest}");
    }
}
