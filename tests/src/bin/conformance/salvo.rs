//! salvo 1.

use std::net::TcpListener;
use std::time::Duration;

use doorward::live::Live;
use doorward::salvo1::Attempt;
use salvo::affix_state;
use salvo::conn::tcp::TcpAcceptor;
use salvo::http::HeaderValue;
use salvo::prelude::*;
use serde_json::{Value, json};

use doorward::openapi;

use crate::prelude::*;

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

/// Implements an extractor that never fails.
macro_rules! extracts {
    ($name:ident, |$request:ident| $value:expr) => {
        impl<'ex> salvo::Extractible<'ex> for $name {
            fn metadata() -> &'static salvo::extract::Metadata {
                static METADATA: salvo::extract::Metadata = salvo::extract::Metadata::new("");
                &METADATA
            }

            #[allow(refining_impl_trait)]
            async fn extract(
                $request: &'ex mut Request,
                _: &'ex mut Depot,
            ) -> Result<Self, StatusError> {
                Ok(Self($value))
            }
        }
    };
}

/// A custom extractor for salvo.
struct Verb(String);

impl std::fmt::Display for Verb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

extracts!(Verb, |request| request.method().to_string());

own_user!(Verb);
/// The last part of the path.
struct Id(String);

extracts!(Id, |request| request.param("id").unwrap_or_default());

object!(id: Id => &id.0);

/// Implements an extractor that refuses what has no number.
macro_rules! extracts_number {
    ($name:ident, |$request:ident| $value:expr) => {
        struct $name;

        impl<'ex> salvo::Extractible<'ex> for $name {
            fn metadata() -> &'static salvo::extract::Metadata {
                static METADATA: salvo::extract::Metadata = salvo::extract::Metadata::new("");
                &METADATA
            }

            #[allow(refining_impl_trait)]
            async fn extract(
                $request: &'ex mut Request,
                _: &'ex mut Depot,
            ) -> Result<Self, StatusError> {
                let number: Option<u32> = $value;
                number.map(|_| Self).ok_or_else(StatusError::bad_request)
            }
        }
    };
}

extracts_number!(PathNumber, |request| request.param("number"));
extracts_number!(QueryNumber, |request| request.query("number"));
extracts_number!(JsonNumber, |request| {
    let body = request.parse_json::<Number>().await;
    body.ok().map(|body| body.number)
});
extracts_number!(FormNumber, |request| {
    let body = request.parse_form::<Number>().await;
    body.ok().map(|body| body.number)
});

first!(#[handler] json: PathNumber, QueryNumber, JsonNumber);
first!(#[handler] form: PathNumber, QueryNumber, FormNumber);
first!(#[handler] password: PathNumber, QueryNumber, PasswordForm<OAuth2PasswordRequestForm>);

handlers!(endpoint);
plain_handlers!(#[handler]);

#[handler]
async fn by_hand(found: Attempt<Security<Password>, Rejection>) -> Json<Value> {
    Json(match found.0 {
        Ok(Security(token)) => json!({ "credential": token.shown() }),
        Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
    })
}

#[secured(jwt::user)]
#[handler]
async fn events(live: Live, request: &mut Request, response: &mut Response) {
    let every: Result<live::Every, _> = request.parse_queries();
    let every = every.map_or_else(|_| Duration::from_secs(30), Into::into);
    response.headers_mut().insert("content-type", HeaderValue::from_static("text/event-stream"));
    response.stream(live.every(every).around(live::ticks()));
}

#[handler]
async fn say(request: &mut Request) -> StatusCode {
    let word: String = request.param("word").unwrap_or_default();
    let is_said = live::say(&word, request.param("user").unwrap_or_default());
    if is_said { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND }
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

struct Description(openapi::Json);

#[handler]
impl Description {
    async fn handle(&self, response: &mut Response) {
        response.render(Json(&self.0));
    }
}

pub(crate) fn serve(
    listener: TcpListener,
    verifiers: opaque::Verifiers,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let metadata = rfc::metadata()?;
    let mut router = Router::new()
        .push(form!("form", OAuth2PasswordRequestForm))
        .push(form!("form-strict", OAuth2PasswordRequestFormStrict))
        .push(form!("form-faults", OAuth2PasswordRequestForm, faults))
        .push(form!("form-strict-faults", OAuth2PasswordRequestFormStrict, faults))
        .push(Router::with_path("client").post(found_client))
        .push(Router::with_path("grant").post(grant))
        .push(Router::with_path("grant-or-error").post(grant_or_error))
        .push(Router::with_path("revoke").post(revoke))
        .push(Router::with_path("own").get(own))
        .push(Router::with_path("guarded").get(guarded))
        .push(Router::with_path("by-hand").get(by_hand))
        .push(Router::with_path("visit").get(visit))
        .push(Router::with_path("act/read/{id}").get(act_read))
        .push(Router::with_path("act/change/{id}").put(act_change))
        .push(
            Router::with_path("format/me")
                .hoop(affix_state::inject(Shared::new(OneToken)))
                .get(format_me),
        )
        .push(Router::with_path("users").push(Router::with_path("reports").get(reports)))
        .push(doorward::salvo1::metadata(metadata.clone()))
        .push(Router::with_path("openapi.json").get(Description(conformance()?)));

    macro_rules! first_routes {
        ($($name:ident)*) => {$(
            let layered = Router::with_path("layer/{number}").hoop(doorward::layer!(waited));
            let first = Router::with_path(concat!("first/", stringify!($name)))
                .push(Router::with_path("guard/{number}").post($name::guard))
                .push(Router::with_path("parameter/{number}").post($name::parameter))
                .push(layered.post($name::layer))
                .push(Router::with_path("value/{number}").post($name::value));
            router = router.push(first);
        )*};
    }
    first_routes!(json form password);
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            router = router.push(credential!($path, credentials::$scheme));
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            router = router.push(Router::with_path($path).get($name));
        };
    }
    for_each_plan!(route);
    for_each_challenged!(route);
    let mut verified = Router::new();
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            verified = verified.push(Router::with_path($path).get($name));
        };
    }
    if let Some(tokens) = verifiers.jwt {
        verified = verified.hoop(affix_state::inject(tokens));
        for_each_verified!(route);
        verified = verified
            .push(Router::with_path("live").get(events))
            .push(Router::with_path("live/{word}/{user}").post(say));
    }
    if let Some(tokens) = verifiers.opaque {
        verified = verified.hoop(affix_state::inject(tokens));
        for_each_opaque!(route);
    }
    if let Some(tokens) = verifiers.dpop {
        verified = verified.hoop(affix_state::inject(tokens));
        for_each_bound!(route);
        let nested = Router::with_path("me").get(dpop_me);
        verified = verified.push(Router::with_path("/dpop/nested").push(nested));
    }
    router = router.push(verified);

    super::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        Server::new(TcpAcceptor::try_from(listener)?).serve(router).await;
        Ok(())
    })
}
