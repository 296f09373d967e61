//! poem 3.

use std::error::Error;
use std::net::TcpListener;

use poem::http::StatusCode;
use poem::listener::TcpAcceptor;
use poem::web::Json;
use poem::{EndpointExt, IntoResponse, Response, Route, Server, get, handler, post};
use serde_json::{Value, json};
use tollgate::form::FormError;
use tollgate::openapi::Json as Description;
use tollgate::token_endpoint::{
    ClientAuthentication, ClientForm, RevocationForm, TokenError, TokenRequest,
};
use tollgate::{
    BearerError, BearerToken, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict,
    PasswordForm, Rejection, Security, SecurityScopes, Shared, dependency, secured,
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

/// A handler that returns the credential of a scheme.
macro_rules! credential {
    ($scheme:ty) => {{
        #[handler]
        async fn credential(Security(found): Security<$scheme>) -> Json<Value> {
            Json(json!({ "credential": found.shown() }))
        }
        get(credential).post(credential)
    }};
}

/// Handlers that return a form or its faults.
macro_rules! form {
    ($form:ty) => {{
        #[handler]
        async fn attributes(PasswordForm(form): PasswordForm<$form>) -> Json<Value> {
            Json(form.attributes())
        }
        post(attributes)
    }};
    ($form:ty, faults) => {{
        #[handler]
        async fn attributes_or_faults(form: poem::Result<PasswordForm<$form>>) -> Response {
            match form.map_err(|error| error.downcast::<FormError>()) {
                Ok(PasswordForm(form)) => Json(form.attributes()).into_response(),
                Err(Ok(error)) => Json(json!({ "faults": faults(&error) }))
                    .with_status(StatusCode::UNPROCESSABLE_ENTITY)
                    .into_response(),
                Err(Err(error)) => error.into_response(),
            }
        }
        post(attributes_or_faults)
    }};
}

/// A dependency with one of the framework's extractors and one of tollgate's errors.
#[dependency]
async fn own_user(
    #[security(any_token, scopes("me"))] token: BearerToken,
    scopes: SecurityScopes,
    method: poem::http::Method,
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
#[handler]
async fn own(#[security(own_user, scopes("items"))] user: String) -> Json<Value> {
    Json(json!({ "user": user }))
}

/// A handler with a guard and an optional parameter.
#[secured(any_value)]
#[handler]
async fn guarded(#[security(PasswordOptional)] token: Option<BearerToken>) -> Json<Value> {
    Json(json!({ "credential": token.shown() }))
}

#[handler]
async fn by_hand(found: poem::Result<Security<Password>>) -> Json<Value> {
    Json(match found.map_err(poem::Error::downcast::<Rejection>) {
        Ok(Security(token)) => json!({ "credential": token.shown() }),
        Err(rejection) => {
            json!({ "refused": rejection.map_or_else(|error| error.status(), |rejection| rejection.status()).as_u16() })
        }
    })
}

#[secured]
#[handler]
async fn scopes_none(#[security(collected)] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
#[handler]
async fn scopes_me(#[security(me)] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
#[handler]
async fn scopes_items_me(#[security(me, scopes("items"))] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
#[handler]
async fn scopes_repeated(#[security(again, scopes("me"))] found: SecurityScopes) -> Json<Value> {
    Json(scopes(found))
}

#[secured]
#[handler]
async fn scopes_branches(#[security(both, scopes("scope3"))] found: Both) -> Json<Value> {
    Json(json!({ "left": scopes(found.left), "right": scopes(found.right) }))
}

#[secured]
#[handler]
async fn rfc_me(#[security(rfc::user)] granted: Granted) -> Json<Value> {
    Json(granted.shown())
}

#[secured]
#[handler]
async fn rfc_items(#[security(rfc::user, scopes("items"))] granted: Granted) -> Json<Value> {
    Json(granted.shown())
}

#[secured]
#[handler]
async fn jwt_me(#[security(jwt::user)] caller: jwt::Caller) -> Json<Value> {
    Json(jwt::shown(&caller))
}

#[secured]
#[handler]
async fn jwt_items(#[security(jwt::user, scopes("items"))] caller: jwt::Caller) -> Json<Value> {
    Json(jwt::shown(&caller))
}

#[secured]
#[handler]
async fn one_of(#[security(Caller)] caller: Caller) -> Json<Value> {
    Json(caller.shown())
}

#[secured]
#[handler]
async fn one_of_required(#[security(KnownCaller)] caller: KnownCaller) -> Json<Value> {
    Json(caller.shown())
}

#[handler]
async fn found_client(ClientAuthentication(found): ClientAuthentication) -> Json<Value> {
    Json(client(found.as_ref()))
}

#[handler]
async fn grant(form: TokenRequest<Grant>) -> Json<Value> {
    Json(form.shown())
}

#[handler]
async fn grant_or_error(form: poem::Result<TokenRequest<Grant>>) -> Response {
    match form.map_err(poem::Error::downcast::<TokenError>) {
        Ok(form) => Json(form.shown()).into_response(),
        Err(Ok(error)) => Json(shown_error(&error))
            .with_status(StatusCode::UNPROCESSABLE_ENTITY)
            .into_response(),
        Err(Err(error)) => error.into_response(),
    }
}

#[handler]
async fn revoke(form: ClientForm<RevocationForm>) -> Json<Value> {
    Json(form.shown())
}

#[handler]
fn openapi(description: poem::web::Data<&Description>) -> Json<Description> {
    Json(description.0.clone())
}

pub(crate) fn serve(
    listener: TcpListener,
    tokens: Option<Shared<jwt::Tokens>>,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let metadata = rfc::metadata()?;
    let mut app = Route::new()
        .at("/base", credential!(Base))
        .at("/base-optional", credential!(BaseOptional))
        .at("/password", credential!(Password))
        .at("/password-optional", credential!(PasswordOptional))
        .at("/password-strict", credential!(PasswordStrict))
        .at(
            "/password-strict-optional",
            credential!(PasswordStrictOptional),
        )
        .at("/code", credential!(Code))
        .at("/code-optional", credential!(CodeOptional))
        .at("/form", form!(OAuth2PasswordRequestForm))
        .at("/form-strict", form!(OAuth2PasswordRequestFormStrict))
        .at("/form-faults", form!(OAuth2PasswordRequestForm, faults))
        .at(
            "/form-strict-faults",
            form!(OAuth2PasswordRequestFormStrict, faults),
        )
        .at("/client", post(found_client))
        .at("/grant", post(grant))
        .at("/grant-or-error", post(grant_or_error))
        .at("/revoke", post(revoke))
        .at("/own", get(own))
        .at("/guarded", get(guarded))
        .at("/by-hand", get(by_hand))
        .at("/scopes/none", get(scopes_none))
        .at("/scopes/me", get(scopes_me))
        .at("/scopes/items-me", get(scopes_items_me))
        .at("/scopes/repeated", get(scopes_repeated))
        .at("/scopes/branches", get(scopes_branches))
        .at("/rfc/me", get(rfc_me))
        .at("/rfc/items", get(rfc_items))
        .at(metadata.path(), metadata.clone())
        .at("/one-of", get(one_of))
        .at("/one-of-required", get(one_of_required))
        .at("/openapi.json", get(openapi).data(conformance()?));

    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            app = app.at($path, credential!(credentials::$scheme));
        };
    }
    for_each_credential!(route);
    if let Some(tokens) = tokens {
        app = app
            .at("/jwt/me", get(jwt_me).data(tokens.clone()))
            .at("/jwt/items", get(jwt_items).data(tokens));
    }

    super::runtime()?.block_on(async {
        let acceptor = TcpAcceptor::from_std(listener)?;
        Server::new_with_acceptor(acceptor).run(app).await
    })?;
    Ok(())
}
