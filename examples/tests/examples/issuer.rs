//! Tests the issuer for development: with a real client and a real verifier, and as a page of
//! another site would see it.

use doorward::jwt::TokenVerifier;
use doorward::{BearerToken, security_scopes};
use doorward_tests::server::Server;
use oauth2::basic::BasicClient;
use oauth2::reqwest::{Client, redirect};
use oauth2::{
    AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, PkceCodeChallenge, RedirectUrl,
    Scope, TokenResponse as _, TokenUrl,
};
use serde_json::Value;

const AUDIENCE: &str = "https://api.example.com";

fn start() -> (Server, String) {
    let server = Server::start(env!("CARGO_BIN_EXE_issuer"), &[]).unwrap();
    let url = format!("http://{}", server.address());
    (server, url)
}

fn client() -> Client {
    Client::builder().redirect(redirect::Policy::none()).build().unwrap()
}

/// Verifies a token as a service does, and returns who it is about.
async fn subject(url: &str, token: &str) -> String {
    let tokens = TokenVerifier::<Value>::discover(url, reqwest::Client::new());
    let tokens = tokens.audience(AUDIENCE).build().await.unwrap();
    let token = BearerToken::try_from(token).unwrap();
    let verified = tokens.verify(&token, security_scopes!["items"]).await.unwrap();
    verified["sub"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_machine_gets_a_token_that_a_service_accepts() {
    let (_server, url) = start();
    let machine = BasicClient::new(ClientId::new("cron".to_owned()))
        .set_client_secret(ClientSecret::new("any".to_owned()))
        .set_token_uri(TokenUrl::new(format!("{url}/token")).unwrap());
    let ask = |name: &'static str, audience: &'static str| {
        let asked = machine.exchange_client_credentials().add_extra_param(name, audience);
        asked.add_scope(Scope::new("items".to_owned()))
    };
    let answer = ask("audience", AUDIENCE).request_async(&client()).await.unwrap();
    assert_eq!(subject(&url, answer.access_token().secret()).await, "cron");
    assert!(ask("resource", "https://b.example").request_async(&client()).await.is_err());
}

#[tokio::test]
async fn a_user_logs_in_once_for_each_code() {
    let (_server, url) = start();
    let redirect_url = RedirectUrl::new("http://localhost:1/callback".to_owned()).unwrap();
    let app = BasicClient::new(ClientId::new("app".to_owned()))
        .set_auth_uri(AuthUrl::new(format!("{url}/authorize")).unwrap())
        .set_token_uri(TokenUrl::new(format!("{url}/token")).unwrap())
        .set_redirect_uri(redirect_url);
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let state = || CsrfToken::new("a&b".to_owned());
    let login = app.authorize_url(state).add_scope(Scope::new("items".to_owned()));
    let (login, _) = login.set_pkce_challenge(challenge).url();
    let page = client().get(login.clone()).send().await.unwrap();
    assert!(page.text().await.unwrap().contains("<button>"));
    let approved = client().post(login).form(&[("username", "johndoe")]).send().await.unwrap();
    assert_eq!(approved.status(), 303);
    let back = approved.headers()["location"].to_str().unwrap();
    let code = back.strip_prefix("http://localhost:1/callback?code=").unwrap();
    let code = code.strip_suffix("&state=a%26b").unwrap();
    let redeem = || {
        let code = AuthorizationCode::new(code.to_owned());
        app.exchange_code(code)
            .set_pkce_verifier(oauth2::PkceCodeVerifier::new(verifier.secret().clone()))
    };
    let answer = redeem().request_async(&client()).await.unwrap();
    assert_eq!(subject(&url, answer.access_token().secret()).await, "johndoe");
    assert!(redeem().request_async(&client()).await.is_err());
}

#[tokio::test]
async fn another_site_gets_nothing() {
    let (server, url) = start();
    for (host, status) in [
        (server.address().to_string(), 200),
        ("localhost:9000".to_owned(), 200),
        ("evil.example".to_owned(), 421),
        ("127.0.0.1.evil.example".to_owned(), 421),
        ("localhost@evil.example".to_owned(), 421),
    ] {
        let asked = client().get(format!("{url}/jwks.json")).header("host", &host);
        assert_eq!(asked.send().await.unwrap().status(), status, "{host}");
    }
    for redirect in ["https://evil.example/", "http://127.0.0.1@evil.example/", "javascript:1", ""]
    {
        let query = [
            ("response_type", "code"),
            ("client_id", "app"),
            ("redirect_uri", redirect),
            ("code_challenge", "a"),
            ("code_challenge_method", "S256"),
        ];
        let asked = client().post(format!("{url}/authorize")).query(&query);
        let refused = asked.form(&[("username", "johndoe")]).send().await.unwrap();
        assert_eq!(refused.status(), 400, "{redirect}");
    }
    for (origin, is_allowed) in [("http://localhost:3000", true), ("https://evil.example", false)] {
        let form = [("grant_type", "client_credentials")];
        let asked = client().post(format!("{url}/token")).basic_auth("a", Some("b")).form(&form);
        let answer = asked.header("origin", origin).send().await.unwrap();
        let allowed = answer.headers().get("access-control-allow-origin");
        assert_eq!(allowed.is_some_and(|allowed| allowed == origin), is_allowed, "{origin}");
    }
}

#[test]
fn the_first_program_is_that_of_the_readme() {
    let readme = include_str!("../../../README.md");
    let first = include_str!("../../src/bin/first.rs");
    let (_, program) = readme.split_once("```rust,no_run\n").unwrap();
    let (program, _) = program.split_once("```").unwrap();
    let (_, first) = first.split_once("\n\n").unwrap();
    assert_eq!(first, program.replace("https://id.example.com", "http://127.0.0.1:9000"));
}
