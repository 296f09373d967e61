//! Tests the tutorial from outside: a real OAuth2 client logs in and uses its token.

use doorward_tests::description::{assert_valid, fastapi};
use doorward_tests::server::Server;
use oauth2::basic::{BasicClient, BasicErrorResponseType};
use oauth2::reqwest::{Client, Response, StatusCode};
use oauth2::{
    ClientId, RequestTokenError, ResourceOwnerPassword, ResourceOwnerUsername, Scope,
    TokenResponse, TokenUrl,
};
use serde_json::{Value, json};

struct Tutorial {
    server: Server,
    client: Client,
}

impl Tutorial {
    fn start() -> Self {
        Self {
            server: Server::start(env!("CARGO_BIN_EXE_tutorial"), &[]).unwrap(),
            // A refused body closes the connection, so no connection is used twice.
            client: Client::builder().pool_max_idle_per_host(0).build().unwrap(),
        }
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.server.address())
    }

    /// Exchanges a password for a token with these scopes.
    async fn token(&self, username: &str, password: &str, scopes: &[&str]) -> String {
        let client = BasicClient::new(ClientId::new("browser".to_owned()))
            .set_token_uri(TokenUrl::new(self.url("/token")).unwrap());
        let (username, password) = (
            ResourceOwnerUsername::new(username.to_owned()),
            ResourceOwnerPassword::new(password.to_owned()),
        );
        let scopes = scopes.iter().map(|scope| Scope::new((*scope).to_owned()));
        let exchange = client.exchange_password(&username, &password).add_scopes(scopes);
        exchange.request_async(&self.client).await.unwrap().access_token().secret().clone()
    }

    async fn get(&self, path: &str, token: &str) -> Response {
        self.client.get(self.url(path)).bearer_auth(token).send().await.unwrap()
    }

    async fn log_in(&self, body: &'static str) -> Response {
        let request = self
            .client
            .post(self.url("/token"))
            .header("content-type", "application/x-www-form-urlencoded");
        request.body(body).send().await.unwrap()
    }
}

async fn assert_detail(
    response: Response,
    status: StatusCode,
    challenge: Option<&str>,
    detail: &str,
) {
    assert_eq!(response.status(), status);
    let found = response.headers().get("www-authenticate").map(|value| value.to_str().unwrap());
    assert_eq!(found, challenge);
    assert_eq!(json_of(response).await, json!({ "detail": detail }));
}

async fn json_of(response: Response) -> Value {
    serde_json::from_str(&response.text().await.unwrap()).unwrap()
}

#[tokio::test]
async fn a_password_opens_the_protected_routes() {
    let tutorial = Tutorial::start();
    let answer = tutorial.log_in("username=johndoe&password=secret&scope=me").await;
    assert_eq!(answer.headers()["cache-control"], "no-store");
    assert_eq!(answer.headers()["pragma"], "no-cache");
    let token = tutorial.token("johndoe", "secret", &["me", "items"]).await;
    let john = r#"{"username":"johndoe","full_name":"John Doe","email":"johndoe@example.com","disabled":false}"#;
    for (path, answer) in [
        ("/users/me", john),
        ("/users/me/", john),
        ("/users/me/items/", r#"[{"item_id":"Foo","owner":"johndoe"}]"#),
        ("/status/", r#"{"status":"ok"}"#),
    ] {
        let response = tutorial.get(path, &token).await;
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.text().await.unwrap(), answer);
    }
}

#[tokio::test]
async fn a_token_opens_what_its_scopes_grant() {
    let tutorial = Tutorial::start();
    let none = tutorial.token("johndoe", "secret", &[]).await;
    let (items, me) = (
        tutorial.token("johndoe", "secret", &["items"]).await,
        tutorial.token("johndoe", "secret", &["me"]).await,
    );
    assert_eq!(tutorial.get("/status/", &none).await.status(), StatusCode::OK);
    assert_eq!(tutorial.get("/users/me/", &me).await.status(), StatusCode::OK);
    for (path, token, challenge) in [
        ("/users/me/", &none, r#"Bearer scope="me""#),
        ("/users/me/", &items, r#"Bearer scope="me""#),
        ("/users/me/items/", &items, r#"Bearer scope="items me""#),
        ("/users/me/items/", &me, r#"Bearer scope="items me""#),
    ] {
        let response = tutorial.get(path, token).await;
        assert_detail(
            response,
            StatusCode::UNAUTHORIZED,
            Some(challenge),
            "Not enough permissions",
        )
        .await;
    }
}

#[tokio::test]
async fn a_token_is_answered_as_fastapi_does_and_says_what_it_grants() {
    let tutorial = Tutorial::start();
    for (form, granted) in [
        ("username=johndoe&password=secret", Value::Null),
        ("username=johndoe&password=secret&scope=me", json!("me")),
        ("username=johndoe&password=secret&scope=me+admin", json!("me")),
    ] {
        let answer = json_of(tutorial.log_in(form).await).await;
        assert_eq!(answer["token_type"], "bearer");
        assert_eq!(answer["access_token"].as_str().unwrap().split('.').count(), 3);
        // Beside FastAPI's members, those of RFC 6749, 5.1.
        assert_eq!(answer["expires_in"], 1800);
        assert_eq!(answer["scope"], granted, "{form}");
    }
    let refused = tutorial.log_in("username=johndoe&password=secret&scope=admin").await;
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
    assert_eq!(json_of(refused).await["error"], "invalid_scope");
}

#[tokio::test]
async fn the_description_has_the_security_parts_of_fastapis() {
    let tutorial = Tutorial::start();
    let response = tutorial.client.get(tutorial.url("/openapi.json")).send();
    let text = response.await.unwrap().text().await.unwrap();
    // Fields and scopes are in the order of their declaration, as FastAPI's are.
    let scopes =
        r#""scopes":{"me":"Read information about the current user.","items":"Read items."}"#;
    assert!(text.contains(scopes), "{text}");
    let fields = ["grant_type", "username", "password", "scope", "client_id", "client_secret"];
    let places = fields.map(|field| text.find(&format!(r#""{field}":{{"#)).unwrap());
    assert!(places.is_sorted(), "{text}");
    let document: Value = serde_json::from_str(&text).unwrap();
    assert_valid(&document);
    let fastapi = fastapi();
    assert_eq!(document["components"]["securitySchemes"], fastapi["components"]["securitySchemes"]);
    for path in ["/users/me/", "/users/me/items/", "/status/"] {
        let security = |document: &Value| document["paths"][path]["get"]["security"].clone();
        assert!(security(&fastapi).is_array());
        assert_eq!(security(&document), security(&fastapi), "{path}");
    }
    let login = &document["paths"]["/token"]["post"];
    // FastAPI leaves out what is public.
    let of_fastapi = &fastapi["paths"]["/token"]["post"];
    assert!(of_fastapi.is_object() && of_fastapi.get("security").is_none());
    assert_eq!(login["security"], json!([]));
    assert_eq!(
        document["components"]["schemas"]["OAuth2PasswordRequestForm"],
        fastapi["components"]["schemas"]["Body_login_token_post"]
    );
}

#[tokio::test]
async fn what_is_wrong_is_refused() {
    let tutorial = Tutorial::start();
    for body in ["username=johndoe&password=wrong", "username=nobody&password=secret"] {
        let response = tutorial.log_in(body).await;
        assert_detail(response, StatusCode::BAD_REQUEST, None, "Incorrect username or password")
            .await;
    }
    let without_token = tutorial.client.get(tutorial.url("/users/me/")).send().await.unwrap();
    assert_detail(without_token, StatusCode::UNAUTHORIZED, Some("Bearer"), "Not authenticated")
        .await;

    let token = tutorial.token("johndoe", "secret", &["me"]).await;
    for bad in ["x", "", &token[..token.len() - 1], &token.replace("eyJ", "eyK")] {
        for (path, challenge) in [("/users/me/", r#"Bearer scope="me""#), ("/status/", "Bearer")] {
            let response = tutorial.get(path, bad).await;
            assert_detail(
                response,
                StatusCode::UNAUTHORIZED,
                Some(challenge),
                "Could not validate credentials",
            )
            .await;
        }
    }

    let disabled = tutorial.token("alice", "secretalice", &["me"]).await;
    assert_detail(
        tutorial.get("/users/me/", &disabled).await,
        StatusCode::BAD_REQUEST,
        None,
        "Inactive user",
    )
    .await;
}

#[tokio::test]
async fn a_token_of_another_server_is_refused() {
    let (tutorial, other) = (Tutorial::start(), Tutorial::start());
    let token = other.token("johndoe", "secret", &[]).await;
    let response = tutorial.get("/status/", &token).await;
    assert_detail(
        response,
        StatusCode::UNAUTHORIZED,
        Some("Bearer"),
        "Could not validate credentials",
    )
    .await;
}

#[tokio::test]
async fn a_client_understands_a_faulty_request() {
    let tutorial = Tutorial::start();
    let client = BasicClient::new(ClientId::new("browser".to_owned()))
        .set_token_uri(TokenUrl::new(tutorial.url("/token")).unwrap());
    // The client sends `grant_type=client_credentials`, without a user.
    match client.exchange_client_credentials().request_async(&tutorial.client).await.unwrap_err() {
        RequestTokenError::ServerResponse(answer) => {
            assert_eq!(*answer.error(), BasicErrorResponseType::UnsupportedGrantType);
            let description = answer.error_description().unwrap();
            assert_eq!(description, "`grant_type` must be `password`");
        }
        other => panic!("{other}"),
    }
}
