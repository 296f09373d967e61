//! A service with axum-keycloak-auth, the same with doorward (`here`), and how their answers differ.
//!
//! - Declare roles as scopes only with `http_bearer`: a scheme with flows would offer them to
//!   clients as scopes that they can ask for.
//! - `realm_access.roles` has the roles of the realm, where this reads those of a client.
//! - In a compose file, where the realm may be made after the service starts, take `jwks_url` with
//!   `{issuer}/protocol/openid-connect/certs`, and `.allow_http_hosts(["keycloak"])`.

use axum::{Extension, Router, routing::get};
use axum_keycloak_auth::decode::KeycloakToken;
use axum_keycloak_auth::instance::{KeycloakAuthInstance, KeycloakConfig};
use axum_keycloak_auth::layer::KeycloakAuthLayer;
use doorward::testing::TestAuthority;
use serde_json::json;

async fn items(Extension(caller): Extension<KeycloakToken<String>>) -> String {
    format!("the items of {}", caller.subject)
}

fn app(keycloak: KeycloakConfig) -> Router {
    let layer = KeycloakAuthLayer::<String>::builder()
        .instance(KeycloakAuthInstance::new(keycloak))
        .expected_audiences(vec!["items-api".to_owned()])
        .required_roles(vec!["reader".to_owned()])
        .build();
    Router::new().route("/items", get(items)).layer(layer)
}

/// The same service with doorward.
mod here {
    use axum::{Router, routing::get};
    use doorward::jwt::TokenVerifier;
    use doorward::verify::Verified;
    use doorward::{Shared, http_bearer, secured};

    #[http_bearer(scopes("reader" = "Read items."), verified = Claims)]
    struct Keycloak;

    #[derive(serde::Deserialize)]
    struct Claims {
        sub: String,
    }

    #[secured]
    async fn items(#[security(Keycloak, scopes("reader"))] caller: Verified<Claims>) -> String {
        format!("the items of {}", caller.sub)
    }

    pub async fn app(issuer: &str) -> Router {
        let tokens = TokenVerifier::<Claims>::discover(issuer, reqwest::Client::new());
        let tokens = tokens
            .audience("items-api")
            .token_type("JWT")
            .scopes_in("resource_access.items-api.roles");
        let tokens = Shared::new(tokens.build().await.unwrap());
        Router::new().route("/items", get(items)).layer(axum::Extension(tokens))
    }
}

async fn ask(app: Router, lines: &[String]) -> (u16, bool) {
    let mut request = axum::http::Request::get("/items");
    for line in lines {
        request = request.header("authorization", line);
    }
    let answer = tower::ServiceExt::oneshot(app, request.body(axum::body::Body::empty()).unwrap())
        .await
        .unwrap();
    (answer.status().as_u16(), answer.headers().contains_key("www-authenticate"))
}

/// The same requests, to both: `axum-keycloak-auth` first.
#[tokio::test(flavor = "multi_thread")]
async fn answers_differ_from_those_of_axum_keycloak_auth() {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = format!("http://{}", listener.local_addr().unwrap());
    let issuer = format!("{server}/realms/main");
    let authority = TestAuthority::new("items-api").unwrap().with_issuer(&*issuer);
    let metadata = json!({
        "issuer": issuer, "jwks_uri": format!("{server}/keys"), "authorization_endpoint": format!("{server}/auth"),
        "response_types_supported": ["code"], "subject_types_supported": ["public"], "id_token_signing_alg_values_supported": ["EdDSA"],
    });
    let jwks = authority.jwks().to_owned();
    let realm = Router::new()
        .route(
            "/realms/main/.well-known/openid-configuration",
            get(async move || metadata.to_string()),
        )
        .route("/keys", get(async || jwks));
    tokio::spawn(async { axum::serve(listener, realm).await });
    let before = app(KeycloakConfig::builder()
        .server(server.parse().unwrap())
        .realm("main".to_owned())
        .build());
    let after = here::app(&issuer).await;
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap().as_secs();
    let roles = |client: &str| json!({ client: { "roles": ["reader"] } });
    let token = || {
        authority
            .token("johndoe")
            .header("typ", "JWT")
            .claim("typ", "Bearer")
            .claim("azp", "web")
            .claim("exp", now + 300)
            .claim("iat", now)
            .claim("jti", "a")
            .claim("resource_access", roles("items-api"))
            .claim("preferred_username", "johndoe")
            .claim("email", "a@example.com")
            .claim("email_verified", true)
    };
    for (case, token, statuses) in [
        ("good", token(), [200, 200]),
        ("another issuer", token().claim("iss", "https://other.example"), [200, 401]),
        ("role of another client", token().claim("resource_access", roles("account")), [200, 403]),
        ("no role", token().claim("resource_access", json!(null)), [403, 403]),
        ("not yet valid", token().claim("nbf", now + 200), [200, 401]),
        ("bound", token().claim("cnf", json!({ "jkt": "a" })), [200, 401]),
        ("no address", token().claim("email", json!(null)), [500, 200]),
        ("expired", token().claim("exp", now - 30), [401, 200]),
        ("another audience", token().claim("aud", "account"), [401, 401]),
    ] {
        let line = format!("Bearer {}", token.sign().unwrap().as_str());
        for (app, status) in [&before, &after].into_iter().zip(statuses) {
            assert_eq!(ask(app.clone(), std::slice::from_ref(&line)).await.0, status, "{case}");
        }
        if case == "good" {
            let lower = line.replace("Bearer", "bearer");
            for (lines, answers) in [
                (vec![], [(401, false), (401, true)]),
                (vec!["Bearer a.b.c".to_owned()], [(400, false), (401, true)]),
                (vec![lower], [(401, false), (200, false)]),
                (vec![line.clone(), line], [(200, false), (401, true)]),
            ] {
                for (app, answer) in [&before, &after].into_iter().zip(answers) {
                    assert_eq!(ask(app.clone(), &lines).await, answer, "{lines:?}");
                }
            }
        }
    }
}
