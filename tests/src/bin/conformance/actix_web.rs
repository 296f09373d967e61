//! actix-web 4.

use std::error::Error;
use std::net::TcpListener;

use actix_web::web::{Data, Json, get, post};
use actix_web::{App, HttpResponse, HttpServer, Route};
use serde_json::{Value, json};
use tollgate::form::FormError;
use tollgate::openapi::Json as Description;
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

fn credential<S: Scheme<Credential: Shown>>() -> Route {
    credential_at::<S>(get())
}

fn credential_at<S: Scheme<Credential: Shown>>(route: Route) -> Route {
    route.to(async |Security(found): Security<S>| Json(json!({ "credential": found.shown() })))
}

fn attributes<T: Attributes + 'static>() -> Route {
    post().to(async |PasswordForm(form): PasswordForm<T>| Json(form.attributes()))
}

fn attributes_or_faults<T: Attributes + 'static>() -> Route {
    post().to(
        async |form: Result<PasswordForm<T>, FormError>| match form {
            Ok(PasswordForm(form)) => HttpResponse::Ok().json(form.attributes()),
            Err(error) => {
                HttpResponse::UnprocessableEntity().json(json!({ "faults": faults(&error) }))
            }
        },
    )
}

/// A dependency with one of the framework's extractors and one of tollgate's errors.
#[dependency]
async fn own_user(
    #[security(any_token, scopes("me"))] token: BearerToken,
    scopes: SecurityScopes,
    method: actix_web::http::Method,
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

async fn grant_or_error(form: Result<TokenRequest<Grant>, TokenError>) -> HttpResponse {
    match form {
        Ok(form) => HttpResponse::Ok().json(form.shown()),
        Err(error) => HttpResponse::UnprocessableEntity().json(shown_error(&error)),
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

async fn openapi(description: Data<Description>) -> Json<Data<Description>> {
    Json(description)
}

pub(crate) fn serve(
    listener: TcpListener,
    tokens: Option<Shared<jwt::Tokens>>,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let description = Data::new(conformance()?);
    let metadata = rfc::metadata()?;
    let app = move || {
        let mut app = App::new()
            .app_data(description.clone())
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
            .route("/form", attributes::<OAuth2PasswordRequestForm>())
            .route(
                "/form-strict",
                attributes::<OAuth2PasswordRequestFormStrict>(),
            )
            .route(
                "/form-faults",
                attributes_or_faults::<OAuth2PasswordRequestForm>(),
            )
            .route(
                "/form-strict-faults",
                attributes_or_faults::<OAuth2PasswordRequestFormStrict>(),
            )
            .route("/client", post().to(found_client))
            .route("/grant", post().to(grant))
            .route("/grant-or-error", post().to(grant_or_error))
            .route("/revoke", post().to(revoke))
            .route("/own", get().to(own))
            .route("/guarded", get().to(guarded))
            .route("/by-hand", get().to(by_hand))
            .route("/scopes/none", get().to(scopes_none))
            .route("/scopes/me", get().to(scopes_me))
            .route("/scopes/items-me", get().to(scopes_items_me))
            .route("/scopes/repeated", get().to(scopes_repeated))
            .route("/scopes/branches", get().to(scopes_branches))
            .route("/rfc/me", get().to(rfc_me))
            .route("/rfc/items", get().to(rfc_items))
            .service(metadata.clone())
            .route("/one-of", get().to(one_of))
            .route("/one-of-required", get().to(one_of_required))
            .route("/openapi.json", get().to(openapi));
        macro_rules! route {
            ($path:literal, $name:ident, $scheme:ident) => {
                app = app
                    .route($path, credential::<credentials::$scheme>())
                    .route($path, credential_at::<credentials::$scheme>(post()));
            };
        }
        for_each_credential!(route);
        if let Some(tokens) = &tokens {
            app = app
                .app_data(tokens.clone())
                .route("/jwt/me", get().to(jwt_me))
                .route("/jwt/items", get().to(jwt_items));
        }
        app
    };
    let server = HttpServer::new(app).workers(2).listen(listener)?;
    actix_web::rt::System::new().block_on(server.run())?;
    Ok(())
}
