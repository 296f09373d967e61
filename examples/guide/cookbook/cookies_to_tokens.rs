use std::collections::HashMap;

use doorward::jwt::TokenAuthority;
use doorward::token_endpoint::{TokenError, TokenResponse};
use doorward::verify::Verified;
use doorward::{ApiKey, Rejection, Shared, api_key, dependency, http_bearer, one_of, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(verified = Claims)]
struct Api;

#[api_key(cookie = "__Host-session")]
struct Cookie;

/// The sessions that you have: a table of your database.
struct Sessions(HashMap<String, String>);

/// The user of a session from before.
#[dependency]
fn session(
    #[security(Cookie)] id: ApiKey,
    sessions: Shared<Sessions>,
) -> Result<String, Rejection> {
    sessions.0.get(id.as_str()).cloned().ok_or(Rejection::NOT_AUTHENTICATED)
}

/// Either of them, until the log has no cookie any more. The token counts if both are sent.
#[one_of]
enum Caller {
    #[security(Api)]
    Token(Verified<Claims>),
    #[security(session)]
    Cookie(String),
}

/// Gives a page that has a session its first token.
#[secured]
async fn token(
    #[security(session)] user: String,
    authority: Shared<TokenAuthority>,
) -> Result<TokenResponse, TokenError> {
    authority.token(user).response()
}

#[secured]
async fn me(#[security(Caller)] caller: Caller) -> String {
    match caller {
        Caller::Token(caller) => caller.sub.clone(),
        Caller::Cookie(user) => {
            tracing::info!("a cookie is still in use");
            user
        }
    }
}

#[tokio::test]
async fn a_session_becomes_a_token() {
    use axum::body::Body;
    use doorward::BearerToken;
    use doorward::axum08::{Router, routing::get, routing::post};
    use doorward::http::{Method, Request};
    use doorward::jwt::{Algorithm, SigningKey};

    use super::{answer, bearer};

    let key = SigningKey::random(Algorithm::EdDsa).unwrap();
    let authority = TokenAuthority::builder("https://notes.example.com", key);
    let authority = authority.audience("https://notes.example.com").build().unwrap();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let sessions = HashMap::from([("s1".to_owned(), "johndoe".to_owned())]);
    let app: Router = Router::new()
        .route("/me", get(me))
        .route("/token", post(token))
        .extension(Shared::new(tokens))
        .extension(Shared::new(authority))
        .extension(Shared::new(Sessions(sessions)));
    let ask = async |method: Method, path: &str, id: &str, from: &str| {
        let request = Request::builder().method(method).uri(path).header("sec-fetch-site", from);
        let request = request.header("cookie", format!("__Host-session={id}"));
        answer(&app, request.body(Body::empty()).unwrap()).await
    };
    let me = (200, "johndoe".to_owned());
    assert_eq!(ask(Method::GET, "/me", "s1", "same-origin").await, me);
    assert_eq!(ask(Method::GET, "/me", "s2", "same-origin").await.0, 401);
    assert_eq!(ask(Method::POST, "/token", "s1", "cross-site").await.0, 403);
    let (status, token) = ask(Method::POST, "/token", "s1", "same-origin").await;
    assert_eq!(status, 200);
    let token: serde_json::Value = token.parse().unwrap();
    let token = BearerToken::try_from(token["access_token"].as_str().unwrap()).unwrap();
    assert_eq!(answer(&app, bearer("/me", &token)).await, me);
}
