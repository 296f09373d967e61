use doorward::http::StatusCode;
use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::verify::Verified;
use doorward::{BearerToken, Rejection, Shared, dependency, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("orders" = "Order."), verified = Claims)]
struct Api;

#[http_bearer(scheme_name = "Api")]
struct Sent;

/// The token endpoint, and the login of this service there.
struct Issuer {
    token_url: String,
    secret: SecretString,
    http: reqwest::Client,
}

const GRANT: &str = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN: &str = "urn:ietf:params:oauth:token-type:access_token";

#[derive(serde::Deserialize)]
struct Exchanged {
    access_token: SecretString,
    issued_token_type: String,
}

impl Issuer {
    /// Exchanges a token of the caller for one that is good at `stock`, and only there.
    async fn exchange(&self, token: &BearerToken) -> reqwest::Result<Exchanged> {
        let form = [
            ("grant_type", GRANT),
            ("subject_token", token.as_str()),
            ("subject_token_type", ACCESS_TOKEN),
            ("audience", "https://stock.example.com"),
            ("scope", "stock:read"),
        ];
        let request = self.http.post(&self.token_url).form(&form);
        let request = request.basic_auth("orders", Some(self.secret.expose_secret()));
        request.send().await?.error_for_status()?.json().await
    }
}

const NOT_NOW: Rejection = Rejection::new(StatusCode::BAD_GATEWAY).with_detail("Try again later");

/// A token for `stock`, of a caller whose own token is verified first.
#[dependency]
async fn for_stock(
    #[security(Api)] _caller: Verified<Claims>,
    #[security(Sent)] token: BearerToken,
    issuer: Shared<Issuer>,
) -> Result<SecretString, Rejection> {
    let exchanged = issuer.exchange(&token).await.map_err(|_| NOT_NOW)?;
    let is_access_token = exchanged.issued_token_type == ACCESS_TOKEN;
    is_access_token.then_some(exchanged.access_token).ok_or(NOT_NOW)
}

#[secured]
async fn order(#[security(for_stock, scopes("orders"))] token: SecretString) -> String {
    format!("ask the stock with {}", token.expose_secret())
}

#[tokio::test]
async fn the_next_service_gets_a_token_of_its_own() {
    use axum::extract::State;
    use doorward::axum08::{Router, routing::get, routing::post};
    use doorward::form::RequestForm;
    use doorward::jwt::TokenVerifier;
    use doorward::testing::TestAuthority;
    use doorward::token_endpoint::{Client, TokenError, TokenRequest, TokenResponse};
    use doorward::{SecurityScopes, public};

    use super::{answer, bearer, served};

    #[derive(RequestForm)]
    #[request_form(grant_type = "urn:ietf:params:oauth:grant-type:token-exchange")]
    struct TokenExchange {
        subject_token: SecretString,
        subject_token_type: String,
        audience: Vec<String>,
        scopes: Vec<String>,
    }

    #[public(reason = "clients with a secret ask it")]
    async fn token(
        State(tokens): State<std::sync::Arc<TokenVerifier<Claims>>>,
        TokenRequest { client, grant }: TokenRequest<TokenExchange>,
    ) -> Result<TokenResponse, TokenError> {
        let client = Client::require(client)?;
        if client.client_id() != "orders" || !client.secret_eq("s3cret") {
            return Err(client.invalid_client());
        }
        assert_eq!(grant.subject_token_type, ACCESS_TOKEN);
        assert_eq!(grant.audience, ["https://stock.example.com"]);
        let subject = BearerToken::try_from(grant.subject_token.expose_secret()).unwrap();
        let subject = tokens.verify(&subject, SecurityScopes::NONE).await.unwrap();
        let answer = TokenResponse::bearer(format!("{}-at-stock", subject.sub));
        Ok(answer.with_scopes(&grant.scopes).with_extra("issued_token_type", ACCESS_TOKEN))
    }

    let authority = TestAuthority::new("https://orders.example.com").unwrap();
    let tokens = async || authority.verifier::<Claims>().build().await.unwrap();
    let endpoint = Router::new().route("/token", post(token));
    let endpoint = served(endpoint.with_state(tokens().await.into())).await;
    let tokens = Shared::new(tokens().await);
    let app = |secret: &str| {
        let token_url = format!("{endpoint}/token");
        let issuer = Issuer { token_url, secret: secret.into(), http: reqwest::Client::new() };
        let app: Router = Router::new().route("/", get(order)).extension(tokens.clone());
        app.extension(Shared::new(issuer))
    };
    let token = |scope: &str| authority.token("johndoe").scopes([scope]).sign().unwrap();
    let expected = (200, "ask the stock with johndoe-at-stock".to_owned());
    assert_eq!(answer(&app("s3cret"), bearer("/", &token("orders"))).await, expected);
    assert_eq!(answer(&app("s3cret"), bearer("/", &token("other"))).await.0, 403);
    assert_eq!(answer(&app("guess"), bearer("/", &token("orders"))).await.0, 502);
}
