//! axum 0.8.

use axum::body::Body;
use axum::extract::{Path, Query};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, post, put};
use axum::{Extension, Json, Router};
use doorward::live::Live;
use serde_json::{Value, json};

use crate::prelude::*;

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
        Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, Json(json!({ "faults": faults(&error) })))
            .into_response(),
    }
}

own_user!(axum::http::Method);
object!(id: axum::extract::Path<String> => &id);

handlers!(handler);
plain_handlers!();

first!(json: axum::extract::Path<u32>, axum::extract::Query<Number>, Json<Number>);
first!(form: axum::extract::Path<u32>, axum::extract::Query<Number>, axum::Form<Number>);
first!(password: axum::extract::Path<u32>, axum::extract::Query<Number>, PasswordForm<OAuth2PasswordRequestForm>);

async fn by_hand(found: Result<Security<Password>, Rejection>) -> Json<Value> {
    Json(match found {
        Ok(Security(token)) => json!({ "credential": token.shown() }),
        Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
    })
}

#[secured(jwt::user)]
async fn events(Query(every): Query<live::Every>, live: Live) -> impl IntoResponse {
    let events = Body::from_stream(live.every(every.into()).around(live::ticks()));
    ([("content-type", "text/event-stream")], events)
}

async fn say(Path((word, user)): Path<(String, String)>) -> StatusCode {
    if live::say(&word, user) { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND }
}

async fn grant_or_error(form: Result<TokenRequest<Grant>, TokenError>) -> Response {
    match form {
        Ok(form) => Json(form.shown()).into_response(),
        Err(error) => (StatusCode::UNPROCESSABLE_ENTITY, Json(shown_error(&error))).into_response(),
    }
}

pub(crate) fn serve(
    listener: TcpListener,
    verifiers: opaque::Verifiers,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let metadata = rfc::metadata()?;
    let mut app = Router::new()
        .route("/form", post(attributes::<OAuth2PasswordRequestForm>))
        .route("/form-strict", post(attributes::<OAuth2PasswordRequestFormStrict>))
        .route("/form-faults", post(attributes_or_faults::<OAuth2PasswordRequestForm>))
        .route("/form-strict-faults", post(attributes_or_faults::<OAuth2PasswordRequestFormStrict>))
        .route("/client", post(found_client))
        .route("/grant", post(grant))
        .route("/grant-or-error", post(grant_or_error))
        .route("/revoke", post(revoke))
        .route("/own", get(own))
        .route("/guarded", get(guarded))
        .route("/by-hand", get(by_hand))
        .route("/visit", get(visit))
        .route("/act/read/{id}", get(act_read))
        .route("/act/change/{id}", put(act_change))
        .route("/format/me", get(format_me).layer(Extension(Shared::new(OneToken))))
        .nest("/users", Router::new().route("/reports", get(reports)))
        .route_service(metadata.path(), metadata.clone())
        .route("/openapi.json", get(Json(conformance()?)));

    macro_rules! first_routes {
        ($($name:ident)*) => {$(
            let first = Router::new()
                .route("/guard/{number}", post($name::guard))
                .route("/parameter/{number}", post($name::parameter))
                .route("/layer/{number}", post($name::layer).layer(doorward::layer!(waited)))
                .route("/value/{number}", post($name::value));
            app = app.nest(concat!("/first/", stringify!($name)), first);
        )*};
    }
    first_routes!(json form password);
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            app = app.route($path, credential::<credentials::$scheme>());
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            app = app.route($path, get($name));
        };
    }
    for_each_plan!(route);
    for_each_challenged!(route);
    let mut verified = Router::new();
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            verified = verified.route($path, get($name));
        };
    }
    if let Some(tokens) = verifiers.jwt {
        for_each_verified!(route);
        verified = verified.route("/live", get(events)).route("/live/{word}/{user}", post(say));
        verified = verified.layer(Extension(tokens));
    }
    if let Some(tokens) = verifiers.opaque {
        for_each_opaque!(route);
        verified = verified.layer(Extension(tokens));
    }
    if let Some(tokens) = verifiers.dpop {
        for_each_bound!(route);
        verified = verified.nest("/dpop/nested", Router::new().route("/me", get(dpop_me)));
        verified = verified.layer(Extension(tokens));
    }
    app = app.merge(verified);

    super::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        axum::serve(listener, app).await
    })?;
    Ok(())
}
