//! Tests the token endpoint from outside, with a real OAuth2 client.

use std::time::Duration;

use doorward_tests::server::Server;
use oauth2::basic::{BasicClient, BasicErrorResponseType, BasicTokenResponse};
use oauth2::reqwest::Client;
use oauth2::{
    AuthType, ClientId, ClientSecret, RequestTokenError, ResourceOwnerPassword,
    ResourceOwnerUsername, Scope, TokenResponse, TokenUrl,
};

/// The token request of a client.
struct Ask {
    client: &'static str,
    secret: Option<&'static str>,
    auth_type: AuthType,
    password: &'static str,
    scope: &'static str,
}

const GOOD: Ask = Ask {
    client: "web",
    secret: Some("hunter2"),
    auth_type: AuthType::BasicAuth,
    password: "secret",
    scope: "me",
};

/// Requests a token. Returns an error as its code.
async fn ask(server: &Server, ask: Ask) -> Result<BasicTokenResponse, BasicErrorResponseType> {
    let url = format!("http://{}/token", server.address());
    let mut client = BasicClient::new(ClientId::new(ask.client.to_owned()))
        .set_token_uri(TokenUrl::new(url).unwrap())
        .set_auth_type(ask.auth_type);
    if let Some(secret) = ask.secret {
        client = client.set_client_secret(ClientSecret::new(secret.to_owned()));
    }
    let username = ResourceOwnerUsername::new("johndoe".to_owned());
    let password = ResourceOwnerPassword::new(ask.password.to_owned());
    let exchange =
        client.exchange_password(&username, &password).add_scope(Scope::new(ask.scope.to_owned()));
    match exchange.request_async(&Client::new()).await {
        Ok(answer) => Ok(answer),
        Err(RequestTokenError::ServerResponse(error)) => Err(error.error().clone()),
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn a_client_gets_a_token_with_its_lifetime_and_scopes() {
    let server = Server::start(env!("CARGO_BIN_EXE_token_endpoint"), &[]).unwrap();
    for auth_type in [AuthType::BasicAuth, AuthType::RequestBody] {
        let answer = ask(&server, Ask { auth_type, ..GOOD }).await.unwrap();
        assert_eq!(answer.access_token().secret().len(), 64);
        assert!(answer.refresh_token().is_none());
        assert_eq!(answer.expires_in(), Some(Duration::from_secs(1800)));
        assert_eq!(answer.scopes().unwrap()[0].as_str(), "me");
    }
    let public = Ask { client: "app", secret: None, auth_type: AuthType::RequestBody, ..GOOD };
    assert!(ask(&server, public).await.is_ok());
    // Some real clients send a public client's identifier in the header, with an empty secret.
    let public_in_header = Ask { client: "app", secret: Some(""), ..GOOD };
    assert!(ask(&server, public_in_header).await.is_ok());
}

#[tokio::test]
async fn each_refusal_has_its_code() {
    let server = Server::start(env!("CARGO_BIN_EXE_token_endpoint"), &[]).unwrap();
    for (refused, code) in [
        (Ask { secret: Some("wrong"), ..GOOD }, BasicErrorResponseType::InvalidClient),
        (Ask { client: "other", ..GOOD }, BasicErrorResponseType::InvalidClient),
        (Ask { client: "app", ..GOOD }, BasicErrorResponseType::InvalidClient),
        (Ask { password: "wrong", ..GOOD }, BasicErrorResponseType::InvalidGrant),
        (Ask { scope: "admin", ..GOOD }, BasicErrorResponseType::InvalidScope),
    ] {
        assert_eq!(ask(&server, refused).await.unwrap_err(), code);
    }
    let url = format!("http://{}/token", server.address());
    let body = "grant_type=password&username=johndoe&password=secret";
    let request =
        Client::new().post(url).header("content-type", "application/x-www-form-urlencoded");
    let response = request.basic_auth("web", Some("wrong")).body(body).send().await.unwrap();
    assert_eq!(response.status(), 401);
    assert!(response.headers()["www-authenticate"].to_str().unwrap().starts_with("Basic "));
    assert_eq!(response.headers()["cache-control"], "no-store");
}
