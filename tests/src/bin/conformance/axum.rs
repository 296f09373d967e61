//! axum 0.8.

use std::error::Error;
use std::net::TcpListener;

use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post};
use axum::{Extension, Json, Router};
use serde_json::{Value, json};
use tollgate::form::FormError;
use tollgate::token_endpoint::{
    ClientAuthentication, ClientForm, RevocationForm, TokenError, TokenRequest,
};
use tollgate::{
    BearerError, BearerToken, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict,
    PasswordForm, Rejection, Scheme, Security, SecurityScopes, Shared, dependency, secured,
};
use tollgate_tests::chains::{Both, again, any_token, any_value, both, collected, me};
use tollgate_tests::credentials::{self, Caller, KnownCaller};
use tollgate_tests::description::conformance;
use tollgate_tests::for_each_credential;
use tollgate_tests::grants::{Grant, shown_error};
use tollgate_tests::jwt;
use tollgate_tests::rfc::{self, Granted};
use tollgate_tests::schemes::{
    Base, BaseOptional, Code, CodeOptional, Password, PasswordOptional, PasswordStrict,
    PasswordStrictOptional,
};
use tollgate_tests::shown::{Attributes, Shown, client, faults, scopes};

fn credential<S: Scheme<Credential: Shown + Send> + 'static>() -> MethodRouter {
    let show = async |Security(found): Security<S>| Json(json!({ "credential": found.shown() }));
    get(show).post(show)
}

async fn attributes<T: Attributes>(PasswordForm(form): PasswordForm<T>) -> Json<Value> {
    Json(form.attributes())
}

async fn attributes_or_faults<T: Attributes>(form: Result<PasswordForm<T>, FormError>) -> Response {
    match form {
        Ok(PasswordForm(form)) => Json(form.attributes()).into_response(),
        Err(error) => (
            StatusCode::UNPROCESSABLE_ENTITY,
            Json(json!({ "faults": faults(&error) })),
        )
            .into_response(),
    }
}

/// A dependency with one of the framework's extractors and one of tollgate's errors.
#[dependency]
async fn own_user(
    #[security(any_token, scopes("me"))] token: BearerToken,
    scopes: SecurityScopes,
    method: axum::http::Method,
) -> Result<String, BearerError> {
    if token.as_str() == "mallory" {
        return Err(scopes.insufficient_scope());
    }
    Ok(format!(
        "{method} {} {}",
        token.as_str(),
        scopes.scope_str()
    ))
}

#[secured]
async fn own(#[security(own_user, scopes("items"))] user: String) -> Json<Value> {
    Json(json!({ "user": user }))
}

/// A handler with a guard and an optional parameter.
#[secured(any_value)]
async fn guarded(#[security(PasswordOptional)] token: Option<BearerToken>) -> Json<Value> {
    Json(json!({ "credential": token.shown() }))
}

async fn by_hand(found: Result<Security<Password>, Rejection>) -> Json<Value> {
    Json(match found {
        Ok(Security(token)) => json!({ "credential": token.shown() }),
        Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
    })
}

async fn found_client(ClientAuthentication(found): ClientAuthentication) -> Json<Value> {
    Json(client(found.as_ref()))
}

async fn grant(form: TokenRequest<Grant>) -> Json<Value> {
    Json(form.shown())
}

async fn grant_or_error(form: Result<TokenRequest<Grant>, TokenError>) -> Response {
    match form {
        Ok(form) => Json(form.shown()).into_response(),
        Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, Json(shown_error(&error))).into_response(),
    }
}

async fn revoke(form: ClientForm<RevocationForm>) -> Json<Value> {
    Json(form.shown())
}

#[secured]
async fn scopes_none(#[security(collected)] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
async fn scopes_me(#[security(me)] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
async fn scopes_items_me(#[security(me, scopes("items"))] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
async fn scopes_repeated(#[security(again, scopes("me"))] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
async fn scopes_branches(#[security(both, scopes("scope3"))] found: Both) -> Json<Value> {
    Json(json!({ "left": scopes(found.left), "right": scopes(found.right) }))
}

#[secured]
async fn rfc_me(#[security(rfc::user)] granted: Granted) -> Json<Value> {
    Json(granted.shown())
}

#[secured]
async fn rfc_items(#[security(rfc::user, scopes("items"))] granted: Granted) -> Json<Value> {
    Json(granted.shown())
}

#[secured]
async fn jwt_me(#[security(jwt::user)] caller: jwt::Caller) -> Json<Value> {
    Json(jwt::shown(&caller))
}

#[secured]
async fn jwt_items(#[security(jwt::user, scopes("items"))] caller: jwt::Caller) -> Json<Value> {
    Json(jwt::shown(&caller))
}

#[secured]
async fn one_of(#[security(Caller)] caller: Caller) -> Json<Value> {
    Json(caller.shown())
}

#[secured]
async fn one_of_required(#[security(KnownCaller)] caller: KnownCaller) -> Json<Value> {
    Json(caller.shown())
}

pub(crate) fn serve(
    listener: TcpListener,
    tokens: Option<Shared<jwt::Tokens>>,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let metadata = rfc::metadata()?;
    let mut app = Router::new()
        .route("/base", credential::<Base>())
        .route("/base-optional", credential::<BaseOptional>())
        .route("/password", credential::<Password>())
        .route("/password-optional", credential::<PasswordOptional>())
        .route("/password-strict", credential::<PasswordStrict>())
        .route(
            "/password-strict-optional",
            credential::<PasswordStrictOptional>(),
        )
        .route("/code", credential::<Code>())
        .route("/code-optional", credential::<CodeOptional>())
        .route("/form", post(attributes::<OAuth2PasswordRequestForm>))
        .route(
            "/form-strict",
            post(attributes::<OAuth2PasswordRequestFormStrict>),
        )
        .route(
            "/form-faults",
            post(attributes_or_faults::<OAuth2PasswordRequestForm>),
        )
        .route(
            "/form-strict-faults",
            post(attributes_or_faults::<OAuth2PasswordRequestFormStrict>),
        )
        .route("/client", post(found_client))
        .route("/grant", post(grant))
        .route("/grant-or-error", post(grant_or_error))
        .route("/revoke", post(revoke))
        .route("/own", get(own))
        .route("/guarded", get(guarded))
        .route("/by-hand", get(by_hand))
        .route("/scopes/none", get(scopes_none))
        .route("/scopes/me", get(scopes_me))
        .route("/scopes/items-me", get(scopes_items_me))
        .route("/scopes/repeated", get(scopes_repeated))
        .route("/scopes/branches", get(scopes_branches))
        .route("/rfc/me", get(rfc_me))
        .route("/rfc/items", get(rfc_items))
        .route_service(metadata.path(), metadata.clone())
        .route("/one-of", get(one_of))
        .route("/one-of-required", get(one_of_required))
        .route("/openapi.json", get(Json(conformance()?)));

    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            app = app.route($path, credential::<credentials::$scheme>());
        };
    }
    for_each_credential!(route);
    if let Some(tokens) = tokens {
        let verified = Router::new()
            .route("/jwt/me", get(jwt_me))
            .route("/jwt/items", get(jwt_items));
        app = app.merge(verified.layer(Extension(tokens)));
    }

    super::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, app).await
    })?;
    Ok(())
}
