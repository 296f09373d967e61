//! An authorization server whose user agrees to everything.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Form, Query, State};
use axum::http::{StatusCode, header::LOCATION};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use doorward::testing::TestAuthority;
use serde_json::{Value, json};
use tokio::net::TcpListener;

#[derive(Clone)]
struct Issuer {
    authority: TestAuthority,
    /// The parameters of the last request for an authorization.
    asked: Arc<Mutex<HashMap<String, String>>>,
}

/// Starts the server, which signs tokens for `audience` and others. Returns what it signs with.
pub(crate) async fn start(audience: &str) -> TestAuthority {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let issuer = format!("http://{}", listener.local_addr().unwrap());
    let authority = TestAuthority::new(audience).unwrap();
    let authority = authority.with_issuer(issuer);
    let state = Issuer { authority: authority.clone(), asked: Arc::default() };
    let app = Router::new()
        .route("/.well-known/oauth-authorization-server", get(metadata))
        .route("/jwks", get(keys))
        .route("/register", post(register))
        .route("/authorize", get(authorize))
        .route("/token", post(token))
        .with_state(state);
    tokio::spawn(async { axum::serve(listener, app).await.unwrap() });
    authority
}

async fn metadata(State(Issuer { authority, .. }): State<Issuer>) -> Json<Value> {
    let issuer = authority.issuer();
    Json(json!({
        "issuer": issuer,
        "authorization_endpoint": format!("{issuer}/authorize"),
        "token_endpoint": format!("{issuer}/token"),
        "registration_endpoint": format!("{issuer}/register"),
        "jwks_uri": format!("{issuer}/jwks"),
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none"],
    }))
}

async fn keys(State(Issuer { authority, .. }): State<Issuer>) -> String {
    authority.jwks().to_owned()
}

async fn register(Json(mut client): Json<Value>) -> impl IntoResponse {
    client["client_id"] = "client".into();
    (StatusCode::CREATED, Json(client))
}

async fn authorize(
    State(Issuer { asked, .. }): State<Issuer>,
    Query(parameters): Query<HashMap<String, String>>,
) -> impl IntoResponse {
    assert_eq!(parameters["code_challenge_method"], "S256");
    let back = format!("{}?code=code&state={}", parameters["redirect_uri"], parameters["state"]);
    *asked.lock().unwrap() = parameters;
    (StatusCode::FOUND, [(LOCATION, back)])
}

/// The token is for the resource that the client names, and for no other.
async fn token(
    State(Issuer { authority, asked }): State<Issuer>,
    Form(parameters): Form<HashMap<String, String>>,
) -> Json<Value> {
    assert_eq!(parameters["grant_type"], "authorization_code");
    let asked = asked.lock().unwrap().clone();
    assert_eq!(parameters["resource"], asked["resource"]);
    let scopes = asked["scope"].split(' ');
    let token = authority.token("johndoe").claim("aud", &*asked["resource"]);
    let token = token.scopes(scopes).sign().unwrap();
    Json(json!({
        "access_token": token.as_str(),
        "token_type": "Bearer",
        "expires_in": 3600,
        "scope": asked["scope"],
    }))
}
