//! "Simple OAuth2 with Password and Bearer": a login server on axum.
//!
//! `POST /token` checks a password and answers with a signed token; `GET /users/me/` wants that token.

use std::error::Error;

use argon2::password_hash::{PasswordVerifier, phc::PasswordHash};
use axum::extract::State;
use axum::http::{StatusCode, header::WWW_AUTHENTICATE};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use jsonwebtoken::{DecodingKey, EncodingKey, Header, Validation, get_current_timestamp};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tollgate::secrecy::ExposeSecret;
use tollgate::{
    BearerToken, OAuth2PasswordRequestForm, PasswordForm, Security, oauth2_password_bearer,
};

/// Log in with a user name and a password.
#[oauth2_password_bearer(
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items.")
)]
struct OAuth2PasswordBearer;

#[derive(Clone, Copy, Serialize)]
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

#[derive(Serialize, Deserialize)]
struct Claims {
    sub: String,
    exp: u64,
}

/// The key that signs tokens, made anew at every start.
#[derive(Clone, Copy)]
struct Key([u8; 32]);

type Answer<T> = Result<T, ApiError>;

async fn login(
    State(key): State<Key>,
    PasswordForm(form): PasswordForm<OAuth2PasswordRequestForm>,
) -> Answer<Json<Value>> {
    let user = USERS
        .into_iter()
        .find(|user| user.username == form.username);
    // The hash of an unknown user is computed too, so that the time of an answer does not tell who exists.
    let hash = user.map_or(USERS[0].password_hash, |user| user.password_hash);
    let right = tokio::task::block_in_place(|| is_password(form.password.expose_secret(), hash));
    let user = user.filter(|_| right).ok_or(ApiError::WRONG_PASSWORD)?;
    let claims = Claims {
        sub: user.username.to_owned(),
        exp: get_current_timestamp() + 30 * 60,
    };
    let token = jsonwebtoken::encode(
        &Header::default(),
        &claims,
        &EncodingKey::from_secret(&key.0),
    )?;
    Ok(Json(
        json!({ "access_token": token, "token_type": "bearer" }),
    ))
}

fn is_password(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        argon2::Argon2::default()
            .verify_password(password.as_bytes(), &hash)
            .is_ok()
    })
}

async fn read_me(
    State(key): State<Key>,
    Security(token): Security<OAuth2PasswordBearer>,
) -> Answer<Json<User>> {
    let user = current_user(&token, key)?;
    if user.disabled {
        Err(ApiError::INACTIVE)
    } else {
        Ok(Json(user))
    }
}

/// A found token proves nothing: here its signature and age are checked.
fn current_user(token: &BearerToken, key: Key) -> Answer<User> {
    let token = jsonwebtoken::decode::<Claims>(
        token.as_str(),
        &DecodingKey::from_secret(&key.0),
        &Validation::default(),
    );
    let subject = token.map_err(|_| ApiError::INVALID_TOKEN)?.claims.sub;
    USERS
        .into_iter()
        .find(|user| user.username == subject)
        .ok_or(ApiError::INVALID_TOKEN)
}

#[derive(Clone, Copy)]
struct ApiError(StatusCode, &'static str);

impl ApiError {
    const WRONG_PASSWORD: Self = Self(StatusCode::BAD_REQUEST, "Incorrect username or password");
    const INVALID_TOKEN: Self = Self(StatusCode::UNAUTHORIZED, "Could not validate credentials");
    const INACTIVE: Self = Self(StatusCode::BAD_REQUEST, "Inactive user");
    const INTERNAL: Self = Self(StatusCode::INTERNAL_SERVER_ERROR, "Internal server error");
}

impl From<jsonwebtoken::errors::Error> for ApiError {
    fn from(_: jsonwebtoken::errors::Error) -> Self {
        Self::INTERNAL
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let Self(status, detail) = self;
        let challenge =
            (status == StatusCode::UNAUTHORIZED).then_some([(WWW_AUTHENTICATE, "Bearer")]);
        (status, challenge, Json(json!({ "detail": detail }))).into_response()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut key = Key([0; 32]);
    getrandom::fill(&mut key.0)?;
    let app = Router::new()
        .route("/token", post(login))
        .route("/users/me", get(read_me))
        .route("/users/me/", get(read_me))
        .with_state(key);

    let listener = TcpListener::bind(tollgate_examples::listen_address()?).await?;
    let url = format!("http://{}", listener.local_addr()?);
    println!("Listening on {url}");
    println!("Try: curl -d 'username=johndoe&password=secret' {url}/token");
    axum::serve(listener, app).await?;
    Ok(())
}
