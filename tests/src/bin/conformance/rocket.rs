//! rocket 0.5.

use std::error::Error;
use std::net::TcpListener;

use rocket::fairing::AdHoc;
use rocket::http::{ContentType, Method, Status};
use rocket::{Config, State, get, post, routes};
use serde_json::json;
use tollgate::form::FormError;
use tollgate::openapi::Json as Description;
use tollgate::rocket05::Tollgate;
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

type Json = (ContentType, String);

fn reply(json: &impl ToString) -> Json {
    (ContentType::JSON, json.to_string())
}

/// A handler that returns the credential of a scheme.
macro_rules! credential {
    ($path:literal, $name:ident, $scheme:ty) => {
        #[get($path)]
        fn $name(found: Security<$scheme>) -> Json {
            reply(&json!({ "credential": found.0.shown() }))
        }
    };
}

credential!("/base", base, Base);
credential!("/base-optional", base_optional, BaseOptional);
credential!("/password", password, Password);
credential!("/password-optional", password_optional, PasswordOptional);
credential!("/password-strict", password_strict, PasswordStrict);
credential!(
    "/password-strict-optional",
    password_strict_optional,
    PasswordStrictOptional
);
credential!("/code", code, Code);
credential!("/code-optional", code_optional, CodeOptional);

/// Handlers that return the credential of a scheme, by method.
macro_rules! credential_by_method {
    ($path:literal, $name:ident, $scheme:ident) => {
        mod $name {
            use super::*;

            #[get($path)]
            pub(super) fn safe(found: Security<credentials::$scheme>) -> Json {
                reply(&json!({ "credential": found.0.shown() }))
            }

            #[post($path)]
            pub(super) fn changing(found: Security<credentials::$scheme>) -> Json {
                reply(&json!({ "credential": found.0.shown() }))
            }

            pub(super) fn routes() -> Vec<rocket::Route> {
                routes![safe, changing]
            }
        }
    };
}

for_each_credential!(credential_by_method);

/// Handlers that return a form or its faults.
macro_rules! form {
    ($path:literal, $name:ident, $faults_path:literal, $faults_name:ident, $form:ty) => {
        #[post($path, data = "<form>")]
        fn $name(form: PasswordForm<$form>) -> Json {
            reply(&form.0.attributes())
        }

        #[post($faults_path, data = "<form>")]
        fn $faults_name(form: Result<PasswordForm<$form>, FormError>) -> (Status, Json) {
            match form {
                Ok(form) => (Status::Ok, reply(&form.0.attributes())),
                Err(error) => (
                    Status::UnprocessableEntity,
                    reply(&json!({ "faults": faults(&error) })),
                ),
            }
        }
    };
}

form!(
    "/form",
    form,
    "/form-faults",
    form_faults,
    OAuth2PasswordRequestForm
);
form!(
    "/form-strict",
    form_strict,
    "/form-strict-faults",
    form_strict_faults,
    OAuth2PasswordRequestFormStrict
);

#[post("/client", data = "<found>")]
fn found_client(found: ClientAuthentication) -> Json {
    reply(&client(found.0.as_ref()))
}

#[post("/grant", data = "<form>")]
fn grant(form: TokenRequest<Grant>) -> Json {
    reply(&form.shown())
}

#[post("/grant-or-error", data = "<form>")]
fn grant_or_error(form: Result<TokenRequest<Grant>, TokenError>) -> (Status, Json) {
    match form {
        Ok(form) => (Status::Ok, reply(&form.shown())),
        Err(error) => (Status::UnprocessableEntity, reply(&shown_error(&error))),
    }
}

#[post("/revoke", data = "<form>")]
fn revoke(form: ClientForm<RevocationForm>) -> Json {
    reply(&form.shown())
}

/// A dependency with one of the framework's extractors and one of tollgate's errors.
#[dependency]
async fn own_user(
    #[security(any_token, scopes("me"))] token: BearerToken,
    scopes: SecurityScopes,
    method: Method,
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
#[get("/own")]
async fn own(#[security(own_user, scopes("items"))] user: String) -> Json {
    reply(&json!({ "user": user }))
}

/// A handler with a guard and an optional parameter.
#[secured(any_value)]
#[get("/guarded")]
async fn guarded(#[security(PasswordOptional)] token: Option<BearerToken>) -> Json {
    reply(&json!({ "credential": token.shown() }))
}

#[get("/by-hand")]
fn by_hand(found: Result<Security<Password>, Rejection>) -> Json {
    reply(&match found {
        Ok(Security(token)) => json!({ "credential": token.shown() }),
        Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
    })
}

#[secured]
#[get("/scopes/none")]
async fn scopes_none(#[security(collected)] found: SecurityScopes) -> Json {
    reply(&scopes(found))
}

#[secured]
#[get("/scopes/me")]
async fn scopes_me(#[security(me)] found: SecurityScopes) -> Json {
    reply(&scopes(found))
}

#[secured]
#[get("/scopes/items-me")]
async fn scopes_items_me(#[security(me, scopes("items"))] found: SecurityScopes) -> Json {
    reply(&scopes(found))
}

#[secured]
#[get("/scopes/repeated")]
async fn scopes_repeated(#[security(again, scopes("me"))] found: SecurityScopes) -> Json {
    reply(&scopes(found))
}

#[secured]
#[get("/scopes/branches")]
async fn scopes_branches(#[security(both, scopes("scope3"))] found: Both) -> Json {
    reply(&json!({ "left": scopes(found.left), "right": scopes(found.right) }))
}

#[secured]
#[get("/rfc/me")]
async fn rfc_me(#[security(rfc::user)] granted: Granted) -> Json {
    reply(&granted.shown())
}

#[secured]
#[get("/rfc/items")]
async fn rfc_items(#[security(rfc::user, scopes("items"))] granted: Granted) -> Json {
    reply(&granted.shown())
}

#[secured]
#[get("/jwt/me")]
async fn jwt_me(#[security(jwt::user)] caller: jwt::Caller) -> Json {
    reply(&jwt::shown(&caller))
}

#[secured]
#[get("/jwt/items")]
async fn jwt_items(#[security(jwt::user, scopes("items"))] caller: jwt::Caller) -> Json {
    reply(&jwt::shown(&caller))
}

#[secured]
#[get("/one-of")]
async fn one_of(#[security(Caller)] caller: Caller) -> Json {
    reply(&caller.shown())
}

#[secured]
#[get("/one-of-required")]
async fn one_of_required(#[security(KnownCaller)] caller: KnownCaller) -> Json {
    reply(&caller.shown())
}

#[get("/openapi.json")]
fn openapi(description: &State<Description>) -> Json {
    reply(description.inner())
}

pub(crate) fn serve(
    listener: TcpListener,
    tokens: Option<Shared<jwt::Tokens>>,
) -> Result<(), Box<dyn Error>> {
    // Rocket binds the address itself.
    let address = listener.local_addr()?;
    drop(listener);
    let config = Config {
        address: address.ip(),
        port: address.port(),
        log_level: rocket::config::LogLevel::Off,
        ..Config::release_default()
    };
    let mut app = rocket::custom(config)
        .attach(Tollgate)
        .attach(AdHoc::on_liftoff("announce", move |_| {
            Box::pin(async move { super::announce(address) })
        }))
        .manage(conformance()?)
        .mount(
            "/",
            routes![
                base,
                base_optional,
                password,
                password_optional,
                password_strict,
                password_strict_optional,
                code,
                code_optional,
                form,
                form_faults,
                form_strict,
                form_strict_faults,
                found_client,
                grant,
                grant_or_error,
                revoke,
                own,
                guarded,
                by_hand,
                rfc_me,
                rfc_items,
                one_of,
                one_of_required,
                scopes_none,
                scopes_me,
                scopes_items_me,
                scopes_repeated,
                scopes_branches,
                openapi
            ],
        )
        .mount("/", rfc::metadata()?);
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            app = app.mount("/", $name::routes());
        };
    }
    for_each_credential!(route);
    if let Some(tokens) = tokens {
        app = app.manage(tokens).mount("/", routes![jwt_me, jwt_items]);
    }
    super::runtime()?.block_on(app.launch())?;
    Ok(())
}
