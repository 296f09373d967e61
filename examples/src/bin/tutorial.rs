//! FastAPI's tutorial "OAuth2 scopes": a login server on axum.
//!
//! `POST /token` checks a password and returns a signed token, which grants the requested scopes
//! that the user has.
//! Each route requires a token with the scopes of its whole chain of dependencies. `/docs` shows
//! all routes and can log in.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use argon2::password_hash::{PasswordVerifier, phc::PasswordHash};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Response};
use doorward::axum08::{Router, routing::get};
use doorward::form::FormError;
use doorward::jwt::{Algorithm, SigningKey, TokenAuthority, TokenVerifier, UnsignedToken};
use doorward::openapi::Document;
use doorward::secrecy::ExposeSecret;
use doorward::token_endpoint::{TokenError, TokenResponse};
use doorward::utoipa_axum03::{OpenApiRouter, routes};
use doorward::{
    BearerError, BearerToken, OAuth2PasswordRequestForm, PasswordForm, SecurityScopes, dependency,
    oauth2_password_bearer, public, secured,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use utoipa::{OpenApi, ToSchema};
use utoipa_swagger_ui::SwaggerUi;

// FastAPI's tutorial has `token`, which a page resolves against itself: from `/docs`, it is `/token`.
#[oauth2_password_bearer(
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items.")
)]
struct OAuth2PasswordBearer;

#[derive(Clone, Copy, Serialize, ToSchema)]
struct User {
    username: &'static str,
    full_name: &'static str,
    email: &'static str,
    disabled: bool,
    #[serde(skip)]
    password_hash: &'static str,
}

const USERS: [User; 2] = [
    User {
        username: "johndoe",
        full_name: "John Doe",
        email: "johndoe@example.com",
        disabled: false,
        password_hash: "$argon2id$v=19$m=19456,t=2,p=1$Aj/UE45244mz9J3RN52Lbw$GLaVFB0HDYQ/7+Mz0sZnvTRjqjBcckWyX3PLFX5FyNU",
    },
    User {
        username: "alice",
        full_name: "Alice Chains",
        email: "alicechains@example.com",
        disabled: true,
        password_hash: "$argon2id$v=19$m=19456,t=2,p=1$M0obL91MTzMpEnJSDEmvtA$v0d7scQkupmBy1ekBUYWktntFN3y6T7VCZ3BLwI9Axc",
    },
];

#[derive(Deserialize)]
struct Claims {
    sub: String,
}

/// The scopes that every user has.
const MAY: [&str; 2] = ["me", "items"];

/// The issuer of the tokens, and their audience.
const SERVICE: &str = "https://tutorial.example.com";

/// What signs tokens, and what verifies them. Their key is a new one at every start.
#[derive(Clone)]
struct Tokens {
    authority: TokenAuthority,
    verifier: Arc<TokenVerifier<Claims>>,
}

/// Exchanges a password for a token.
#[public(reason = "the form is what logs in")]
#[utoipa::path(
    post,
    path = "/token",
    request_body(content = OAuth2PasswordRequestForm, content_type = "application/x-www-form-urlencoded"),
    responses(
        FormError,
        (status = 200, description = "A token", body = TokenResponse),
        (status = 400, description = "Incorrect username or password, or a faulty form", body = inline(LoginError)),
    )
)]
async fn login(
    State(tokens): State<Tokens>,
    PasswordForm(form): PasswordForm<OAuth2PasswordRequestForm>,
) -> Result<TokenResponse, ApiError> {
    let user = USERS.into_iter().find(|user| user.username == form.username);
    // A hash is computed for an unknown user too, so the response time does not reveal who exists.
    let hash = user.map_or(USERS[0].password_hash, |user| user.password_hash);
    let right = tokio::task::block_in_place(|| is_password(form.password.expose_secret(), hash));
    let user = user.filter(|_| right).ok_or(ApiError::WrongPassword)?;
    // Unlike FastAPI's tutorial, which signs any scope that the client asks for.
    let token = tokens.authority.token(user.username).granted(&form.scopes, MAY);
    token.and_then(UnsignedToken::response).map_err(ApiError::Token)
}

fn is_password(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        argon2::Argon2::default().verify_password(password.as_bytes(), &hash).is_ok()
    })
}

/// Returns the user of a valid token.
///
/// The scheme only finds the token, which proves nothing. This function verifies it, and checks
/// that it grants the scopes of the chain. As in FastAPI's tutorial, a `401` says that it does not.
#[dependency]
async fn current_user(
    #[security(OAuth2PasswordBearer)] token: BearerToken,
    scopes: SecurityScopes,
    State(tokens): State<Tokens>,
) -> Result<User, BearerError> {
    let invalid = || scopes.unauthorized("Could not validate credentials");
    let caller = tokens.verifier.verify(&token, SecurityScopes::NONE).await;
    let caller = caller.map_err(|_| invalid())?;
    let user = USERS.into_iter().find(|user| user.username == caller.sub).ok_or_else(invalid)?;
    scopes.check(caller.scopes()).map_err(|_| scopes.unauthorized("Not enough permissions"))?;
    Ok(user)
}

#[dependency]
async fn active_user(#[security(current_user, scopes("me"))] user: User) -> Result<User, ApiError> {
    if user.disabled { Err(ApiError::Inactive) } else { Ok(user) }
}

/// Returns the current user.
#[secured]
#[utoipa::path(get, path = "/users/me/", responses((status = 200, description = "The user", body = User)))]
async fn read_me(#[security(active_user)] user: User) -> Json<User> {
    Json(user)
}

/// Lists the user's items.
#[secured]
#[utoipa::path(get, path = "/users/me/items/", responses((status = 200, description = "The items", body = Value)))]
async fn read_own_items(#[security(active_user, scopes("items"))] user: User) -> Json<Value> {
    Json(json!([{ "item_id": "Foo", "owner": user.username }]))
}

/// Confirms that the token is valid.
#[secured(current_user)]
#[utoipa::path(get, path = "/status/", responses((status = 200, description = "It is", body = Value)))]
async fn read_status() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

#[derive(OpenApi)]
#[openapi(info(
    title = "OAuth2 scopes",
    description = "Users: `johndoe` with `secret`, `alice` with `secretalice`"
))]
struct Description;

/// The responses to a refused login: FastAPI's for a wrong password, RFC 6749's for a faulty form
/// or other scopes.
#[derive(ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it describes answers")]
enum LoginError {
    User { detail: String },
    Form(TokenError),
}

enum ApiError {
    WrongPassword,
    Inactive,
    Token(TokenError),
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let (status, detail) = match self {
            Self::WrongPassword => (StatusCode::BAD_REQUEST, "Incorrect username or password"),
            Self::Inactive => (StatusCode::BAD_REQUEST, "Inactive user"),
            Self::Token(error) => return error.into_response(),
        };
        (status, Json(json!({ "detail": detail }))).into_response()
    }
}

async fn tokens() -> Result<Tokens, Box<dyn Error>> {
    let authority = TokenAuthority::builder(SERVICE, SigningKey::random(Algorithm::Hs256)?)
        .lifetime(Duration::from_secs(30 * 60))
        .for_scheme::<OAuth2PasswordBearer>()
        .build()?;
    let verifier = Arc::new(authority.verifier().build().await?);
    Ok(Tokens { authority, verifier })
}

fn app(tokens: Tokens) -> Result<Router, Box<dyn Error>> {
    let described = OpenApiRouter::with_openapi(Description::openapi())
        .routes(routes!(login))
        .routes(routes!(read_me))
        .routes(routes!(read_own_items))
        .routes(routes!(read_status))
        .with_state(tokens.clone());
    // Moves the security requirements of the handlers to where Swagger UI shows them.
    let description = Document::try_from(described.get_openapi().clone())?.into_json();
    let api = "the API is no secret";
    let page = Html(include_str!("tutorial/docs.html"));
    // From the page below `/swagger-ui/`, it has to be absolute.
    let mut below = serde_json::to_value(&description)?;
    below["components"]["securitySchemes"]["OAuth2PasswordBearer"]["flows"]["password"]["tokenUrl"] =
        json!("/token");
    let swagger_ui = SwaggerUi::new("/swagger-ui").external_url_unchecked("/swagger.json", below);
    Ok(Router::from(described)
        .route("/users/me", get(read_me).with_state(tokens))
        .route("/openapi.json", get(public(api, Json(description))))
        .route("/docs", get(public(api, page)))
        .merge(public(api, swagger_ui)))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let app = app(tokens().await?)?;
    let listener = TcpListener::bind(doorward_examples::listen_address()?).await?;
    let url = format!("http://{}", listener.local_addr()?);
    println!("Listening on {url}");
    println!("Browse: {url}/docs");
    println!("Try: curl -d 'username=johndoe&password=secret&scope=me+items' {url}/token");
    axum::serve(listener, app).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use doorward::axum08::asked;
    use tower::ServiceExt;

    use super::*;

    /// Each route, asked by each caller, without running its handler.
    #[tokio::test]
    async fn each_caller_gets_in_where_it_is_listed() -> Result<(), Box<dyn Error>> {
        let tokens = tokens().await?;
        let app = app(tokens.clone())?;
        let routes = app.routes();
        let token = |name: &str, scopes: &[&'static str]| {
            tokens.authority.token(name).scopes(scopes.iter().copied()).sign()
        };
        let who = routes
            .asked_by("nobody", None)
            .asked_by("john", token("johndoe", &[])?)
            .asked_by("me", token("johndoe", &["me"])?)
            .asked_by("items", token("johndoe", &["items"])?)
            .asked_by("both", token("johndoe", &MAY)?)
            .asked_by("alice", token("alice", &MAY)?)
            .asked_by("unknown", token("unknown", &MAY)?)
            .table(|ask| app.clone().oneshot(asked(ask)))
            .await?;
        expect_test::expect_file!["tutorial/who.txt"].assert_eq(&who.to_string());
        Ok(())
    }
}
