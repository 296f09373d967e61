//! rocket 0.5.

use std::convert::Infallible;
use std::time::Duration;

use doorward::live::Live;
use doorward::openapi::Json as Description;
use doorward::rocket05::Doorward;
use futures_util::{Stream, StreamExt};
use rocket::fairing::AdHoc;
use rocket::http::{ContentType, Method, Status};
use rocket::request::Outcome;
use rocket::response::stream::TextStream;
use rocket::{Config, Request, State, get, post, put, routes};
use serde_json::json;

use crate::prelude::*;

type Json = (ContentType, String);

fn reply(json: &impl ToString) -> Json {
    (ContentType::JSON, json.to_string())
}

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

form!("/form", form, "/form-faults", form_faults, OAuth2PasswordRequestForm);
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

own_user!(Method);
/// The last part of the path.
struct Id(String);

#[rocket::async_trait]
impl<'r> rocket::request::FromRequest<'r> for Id {
    type Error = Infallible;

    async fn from_request(request: &'r Request<'_>) -> Outcome<Self, Infallible> {
        let id = request.param(2).and_then(Result::ok);
        Outcome::Success(Self(id.unwrap_or_default()))
    }
}

object!(id: Id => &id.0);

/// A handler that shows what a plan resolves to.
macro_rules! handler {
    ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
        #[secured]
        #[get($path)]
        async fn $name(#[security($($plan)*)] found: $value) -> Json {
            reply(&found.shown())
        }
    };
}

/// Handlers below a check that waits. Rocket has no layers.
macro_rules! first {
    ($name:ident: $guard:literal, $parameter:literal, $value:literal, $body:ty) => {
        mod $name {
            use super::*;

            type InBody = $body;

            #[secured(waited)]
            #[post($guard, data = "<_body>")]
            async fn guard(id: u32, number: u32, _body: InBody) -> String {
                format!("{id} {number}")
            }

            #[secured]
            #[post($parameter, data = "<_body>")]
            async fn parameter(
                #[security(waited)] _waited: Waited,
                id: u32,
                number: u32,
                _body: InBody,
            ) -> String {
                format!("{id} {number}")
            }

            #[post($value, data = "<_body>")]
            async fn value(_waited: Waited, id: u32, number: u32, _body: InBody) -> String {
                format!("{id} {number}")
            }

            pub(super) fn routes() -> Vec<rocket::Route> {
                routes![guard, parameter, value]
            }
        }
    };
}

first!(
    first_form: "/form/guard/<id>?<number>",
    "/form/parameter/<id>?<number>",
    "/form/value/<id>?<number>",
    rocket::form::Form<InForm>
);
first!(
    first_password: "/password/guard/<id>?<number>",
    "/password/parameter/<id>?<number>",
    "/password/value/<id>?<number>",
    PasswordForm<OAuth2PasswordRequestForm>
);

#[derive(rocket::FromForm)]
struct InForm {
    #[field(name = "number")]
    _number: u32,
}

handler!("/own", own, (own_user, scopes("items")), User);
for_each_plan!(handler);
for_each_challenged!(handler);
handler!("/reports", reports, (proof::proved), proof::Target);
for_each_verified!(handler);
for_each_opaque!(handler);
for_each_bound!(handler);
handler!("/format/me", format_me, (Format), Verified<Known>);
handler!("/visit", visit, (Visitor), Visitor);
handler!("/act/read/<_>", act_read, (object(Action::Read)), Object);

#[secured]
#[put("/act/change/<_>")]
async fn act_change(#[security(object(Action::Change))] found: Object) -> Json {
    reply(&found.shown())
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

#[secured(jwt::user)]
#[get("/live?<every>")]
async fn events(
    every: u64,
    live: Live,
) -> (ContentType, TextStream<impl Stream<Item = &'static str>>) {
    let events = live::ticks().map(|Ok(event)| event);
    let events = live.every(Duration::from_millis(every)).around(events);
    (ContentType::EventStream, TextStream::from(events))
}

#[post("/live/<word>/<user>")]
fn say(word: &str, user: String) -> Status {
    if live::say(word, user) { Status::NoContent } else { Status::NotFound }
}

#[get("/openapi.json")]
fn openapi(description: &State<Description>) -> Json {
    reply(description.inner())
}

pub(crate) fn serve(
    listener: TcpListener,
    verifiers: opaque::Verifiers,
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
        .attach(Doorward)
        .attach(AdHoc::on_liftoff("announce", move |_| {
            Box::pin(async move { super::announce(address) })
        }))
        .manage(conformance()?)
        .manage(Shared::new(OneToken))
        .mount("/first", first_form::routes())
        .mount("/first", first_password::routes())
        .mount(
            "/",
            routes![
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
                visit,
                act_read,
                act_change,
                format_me,
                openapi
            ],
        )
        .mount("/users", routes![reports])
        .mount("/", rfc::metadata()?);
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            app = app.mount("/", $name::routes());
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            app = app.mount("/", routes![$name]);
        };
    }
    for_each_plan!(route);
    for_each_challenged!(route);
    if let Some(tokens) = verifiers.jwt {
        app = app.manage(tokens).mount("/", routes![jwt_me, jwt_items, jwt_one, jwt_one_items]);
        app = app.mount("/", routes![events, say]);
    }
    if let Some(tokens) = verifiers.opaque {
        app = app.manage(tokens).mount("/", routes![opaque_me, opaque_items]);
    }
    if let Some(tokens) = verifiers.dpop {
        app = app.manage(tokens).mount("/", routes![dpop_me, dpop_items]);
    }
    super::runtime()?.block_on(app.launch())?;
    Ok(())
}
