//! What a service reads from its environment when it starts.

use axum::body::Body;
use doorward::axum08::{Router, routing::get};
use doorward::jwt::{TokenVerifier, VerifierSettings};
use doorward::secrecy::SecretString;
use doorward::{ApiKey, Rejection, Shared, api_key, dependency, secured};
use figment::{Figment, Jail, providers::Env};
use tower::ServiceExt;

#[derive(serde::Deserialize)]
struct Claims {}

fn settings() -> Result<VerifierSettings, Box<figment::Error>> {
    Figment::from(Env::prefixed("TOKENS_")).extract().map_err(Box::new)
}

#[test]
fn one_variable_for_each_setting() {
    Jail::expect_with(|jail| {
        jail.set_env("TOKENS_ISSUER", "https://id.example.com");
        jail.set_env("TOKENS_AUDIENCE", "https://api.example.com");
        jail.set_env("TOKENS_SECRET", "0123456789abcdef0123456789abcdef");
        jail.set_env("TOKENS_LEEWAY", "30");
        let verifier = TokenVerifier::<Claims>::from_settings(
            settings().map_err(|error| *error)?,
            reqwest::Client::new(),
        );
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        assert_eq!(runtime.block_on(verifier.build()).map(drop).map_err(|e| e.to_string()), Ok(()));
        // A name that no setting has.
        jail.set_env("TOKENS_LEEWY", "30");
        assert!(settings().unwrap_err().to_string().contains("leewy"));
        Ok(())
    });
}

#[api_key(header = "x-key")]
struct Key;

#[dependency]
fn operator(
    #[security(Key)] key: ApiKey,
    expected: Shared<SecretString>,
) -> Result<(), Rejection> {
    if key.secret_eq(&*expected) { Ok(()) } else { Err(Rejection::NOT_AUTHENTICATED) }
}

#[secured(operator)]
async fn jobs() {}

#[tokio::test]
async fn one_key() {
    let expected = Shared::new(SecretString::from("the key".to_owned()));
    let app: Router = Router::new().route("/jobs", get(jobs)).extension(expected);
    for (key, status) in [("the key", 200), ("another", 401)] {
        let request = http::Request::get("/jobs").header("x-key", key).body(Body::empty()).unwrap();
        assert_eq!(app.clone().oneshot(request).await.unwrap().status(), status);
    }
}
