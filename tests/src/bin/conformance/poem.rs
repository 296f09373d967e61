//! poem 3.

use doorward::live::Live;
use doorward::openapi::Json as Description;
use futures_util::StreamExt;
use poem::http::StatusCode;
use poem::listener::TcpAcceptor;
use poem::web::{Form, Json, Path, Query};
use poem::{Body, EndpointExt, IntoResponse, Response, Route, Server, get, handler, post, put};
use serde_json::{Value, json};

use crate::prelude::*;

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

own_user!(poem::http::Method);
object!(id: poem::web::Path<String> => &id);

handlers!(endpoint);
plain_handlers!(#[handler]);

first!(#[handler] json: Path<u32>, Query<Number>, Json<Number>);
first!(#[handler] form: Path<u32>, Query<Number>, Form<Number>);
first!(#[handler] password: Path<u32>, Query<Number>, PasswordForm<OAuth2PasswordRequestForm>);

#[secured(jwt::user)]
#[handler]
async fn events(Query(every): Query<live::Every>, live: Live) -> Response {
    let events = live.every(every.into()).around(live::ticks());
    let events = Body::from_bytes_stream(events.map(|event| event.map_err(std::io::Error::other)));
    Response::builder().content_type("text/event-stream").body(events)
}

#[handler]
fn say(Path((word, user)): Path<(String, String)>) -> StatusCode {
    if live::say(&word, user) { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND }
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

#[handler]
async fn grant_or_error(form: poem::Result<TokenRequest<Grant>>) -> Response {
    match form.map_err(poem::Error::downcast::<TokenError>) {
        Ok(form) => Json(form.shown()).into_response(),
        Err(Ok(error)) => {
            Json(shown_error(&error)).with_status(StatusCode::UNPROCESSABLE_ENTITY).into_response()
        }
        Err(Err(error)) => error.into_response(),
    }
}

#[handler]
fn openapi(description: poem::web::Data<&Description>) -> Json<Description> {
    Json(description.0.clone())
}

pub(crate) fn serve(
    listener: TcpListener,
    verifiers: opaque::Verifiers,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let metadata = rfc::metadata()?;
    let mut app = Route::new()
        .at("/form", form!(OAuth2PasswordRequestForm))
        .at("/form-strict", form!(OAuth2PasswordRequestFormStrict))
        .at("/form-faults", form!(OAuth2PasswordRequestForm, faults))
        .at("/form-strict-faults", form!(OAuth2PasswordRequestFormStrict, faults))
        .at("/client", post(found_client))
        .at("/grant", post(grant))
        .at("/grant-or-error", post(grant_or_error))
        .at("/revoke", post(revoke))
        .at("/own", get(own))
        .at("/guarded", get(guarded))
        .at("/by-hand", get(by_hand))
        .at("/visit", get(visit))
        .at("/act/read/:id", get(act_read))
        .at("/act/change/:id", put(act_change))
        .at("/format/me", get(format_me).data(Shared::new(OneToken)))
        .nest("/users", Route::new().at("/reports", get(reports)))
        .at(metadata.path(), metadata.clone())
        .at("/openapi.json", get(openapi).data(conformance()?));

    macro_rules! first_routes {
        ($($name:ident)*) => {$(
            let first = Route::new()
                .at("/guard/:number", post($name::guard))
                .at("/parameter/:number", post($name::parameter))
                .at("/layer/:number", post($name::layer).with(doorward::layer!(waited)))
                .at("/value/:number", post($name::value));
            app = app.nest(concat!("/first/", stringify!($name)), first);
        )*};
    }
    first_routes!(json form password);
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            app = app.at($path, credential!(credentials::$scheme));
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            app = app.at($path, get($name));
        };
    }
    for_each_plan!(route);
    for_each_challenged!(route);
    if let Some(tokens) = verifiers.jwt {
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                app = app.at($path, get($name).data(tokens.clone()));
            };
        }
        for_each_verified!(route);
        app = app.at("/live", get(events).data(tokens)).at("/live/:word/:user", post(say));
    }
    if let Some(tokens) = verifiers.opaque {
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                app = app.at($path, get($name).data(tokens.clone()));
            };
        }
        for_each_opaque!(route);
    }
    if let Some(tokens) = verifiers.dpop {
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                app = app.at($path, get($name).data(tokens.clone()));
            };
        }
        for_each_bound!(route);
        app = app.nest("/dpop/nested", Route::new().at("/me", get(dpop_me).data(tokens)));
    }

    super::runtime()?.block_on(async {
        let acceptor = TcpAcceptor::from_std(listener)?;
        Server::new_with_acceptor(acceptor).run(app).await
    })?;
    Ok(())
}
