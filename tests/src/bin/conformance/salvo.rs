//! salvo 1.

use std::error::Error;
use std::net::TcpListener;

use salvo::affix_state;
use salvo::conn::tcp::TcpAcceptor;
use salvo::prelude::*;
use serde_json::{Value, json};
use tollgate::form::FormError;
use tollgate::salvo1::{Attempt, resource_metadata};
use tollgate::token_endpoint::{
    ClientAuthentication, ClientForm, RevocationForm, TokenError, TokenRequest,
};
use tollgate::{
    BearerError, BearerToken, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict,
    PasswordForm, Rejection, Security, SecurityScopes, Shared, dependency, openapi, secured,
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
    ($path:literal, $scheme:ty) => {{
        #[handler]
        async fn credential(found: Security<$scheme>) -> Json<Value> {
            Json(json!({ "credential": found.0.shown() }))
        }
        Router::with_path($path).get(credential).post(credential)
    }};
}

/// Handlers that return a form or its faults.
macro_rules! form {
    ($path:literal, $form:ty) => {{
        #[handler]
        async fn attributes(form: PasswordForm<$form>) -> Json<Value> {
            Json(form.0.attributes())
        }
        Router::with_path($path).post(attributes)
    }};
    ($path:literal, $form:ty, faults) => {{
        #[handler]
        async fn attributes_or_faults(
            form: Attempt<PasswordForm<$form>, FormError>,
            response: &mut Response,
        ) {
            match form.0 {
                Ok(PasswordForm(form)) => response.render(Json(form.attributes())),
                Err(error) => {
                    response.status_code(StatusCode::UNPROCESSABLE_ENTITY);
                    response.render(Json(json!({ "faults": faults(&error) })));
                }
            }
        }
        Router::with_path($path).post(attributes_or_faults)
    }};
}

/// A custom extractor for salvo.
struct Verb(String);

impl<'ex> salvo::Extractible<'ex> for Verb {
    fn metadata() -> &'static salvo::extract::Metadata {
        static METADATA: salvo::extract::Metadata = salvo::extract::Metadata::new("");
        &METADATA
    }

    #[allow(refining_impl_trait)]
    async fn extract(request: &'ex mut Request, _: &'ex mut Depot) -> Result<Self, StatusError> {
        Ok(Self(request.method().to_string()))
    }
}

/// A dependency with one of the framework's extractors and one of tollgate's errors.
#[dependency]
async fn own_user(
    #[security(any_token, scopes("me"))] token: BearerToken,
    scopes: SecurityScopes,
    verb: Verb,
) -> Result<String, BearerError> {
    if token.as_str() == "mallory" {
        return Err(scopes.insufficient_scope());
    }
    Ok(format!(
        "{} {} {}",
        verb.0,
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
async fn by_hand(found: Attempt<Security<Password>, Rejection>) -> Json<Value> {
    Json(match found.0 {
        Ok(Security(token)) => json!({ "credential": token.shown() }),
        Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
    })
}

#[handler]
async fn found_client(found: ClientAuthentication) -> Json<Value> {
    Json(client(found.0.as_ref()))
}

#[handler]
async fn grant(form: TokenRequest<Grant>) -> Json<Value> {
    Json(form.shown())
}

#[handler]
async fn grant_or_error(form: Attempt<TokenRequest<Grant>, TokenError>, response: &mut Response) {
    match form.0 {
        Ok(form) => response.render(Json(form.shown())),
        Err(error) => {
            response.status_code(StatusCode::UNPROCESSABLE_ENTITY);
            response.render(Json(shown_error(&error)));
        }
    }
}

#[handler]
async fn revoke(form: ClientForm<RevocationForm>) -> Json<Value> {
    Json(form.shown())
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

struct Description(openapi::Json);

#[handler]
impl Description {
    async fn handle(&self, response: &mut Response) {
        response.render(Json(&self.0));
    }
}

pub(crate) fn serve(
    listener: TcpListener,
    tokens: Option<Shared<jwt::Tokens>>,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let metadata = rfc::metadata()?;
    let mut router = Router::new()
        .push(credential!("base", Base))
        .push(credential!("base-optional", BaseOptional))
        .push(credential!("password", Password))
        .push(credential!("password-optional", PasswordOptional))
        .push(credential!("password-strict", PasswordStrict))
        .push(credential!(
            "password-strict-optional",
            PasswordStrictOptional
        ))
        .push(credential!("code", Code))
        .push(credential!("code-optional", CodeOptional))
        .push(form!("form", OAuth2PasswordRequestForm))
        .push(form!("form-strict", OAuth2PasswordRequestFormStrict))
        .push(form!("form-faults", OAuth2PasswordRequestForm, faults))
        .push(form!(
            "form-strict-faults",
            OAuth2PasswordRequestFormStrict,
            faults
        ))
        .push(Router::with_path("client").post(found_client))
        .push(Router::with_path("grant").post(grant))
        .push(Router::with_path("grant-or-error").post(grant_or_error))
        .push(Router::with_path("revoke").post(revoke))
        .push(Router::with_path("own").get(own))
        .push(Router::with_path("guarded").get(guarded))
        .push(Router::with_path("by-hand").get(by_hand))
        .push(Router::with_path("scopes/none").get(scopes_none))
        .push(Router::with_path("scopes/me").get(scopes_me))
        .push(Router::with_path("scopes/items-me").get(scopes_items_me))
        .push(Router::with_path("scopes/repeated").get(scopes_repeated))
        .push(Router::with_path("scopes/branches").get(scopes_branches))
        .push(Router::with_path("rfc/me").get(rfc_me))
        .push(Router::with_path("rfc/items").get(rfc_items))
        .push(resource_metadata(metadata.clone()))
        .push(Router::with_path("one-of").get(one_of))
        .push(Router::with_path("one-of-required").get(one_of_required))
        .push(Router::with_path("openapi.json").get(Description(conformance()?)));

    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            router = router.push(credential!($path, credentials::$scheme));
        };
    }
    for_each_credential!(route);
    if let Some(tokens) = tokens {
        let verified = Router::with_path("jwt").hoop(affix_state::inject(tokens));
        let verified = verified
            .push(Router::with_path("me").get(jwt_me))
            .push(Router::with_path("items").get(jwt_items));
        router = router.push(verified);
    }

    super::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        Server::new(TcpAcceptor::try_from(listener)?)
            .serve(router)
            .await;
        Ok(())
    })
}
