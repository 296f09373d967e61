//! warp 0.4.

use doorward::live::Live;
use doorward::token_endpoint::Client;
use doorward::warp04::{
    client as client_filter, client_form, form, form_result, recover, security, security_live,
    security_with, token_request, token_request_result,
};
use doorward::{Dependency, Plan, adapter::Resolve, head::Head, plan};
use serde::Serialize;
use serde_json::{Value, json as value};
use warp::filters::BoxedFilter;
use warp::http::StatusCode;
use warp::reject::not_found;
use warp::reply::{Json, Reply, Response, WithStatus, json, stream, with_header, with_status};
use warp::{Filter, any, get, post};

use crate::prelude::*;

/// The answers of a route. It is in a box, since the compiler takes long for nested filters.
type Answers = BoxedFilter<(WithStatus<Json>,)>;

fn ok(body: &impl Serialize) -> WithStatus<Json> {
    with_status(json(body), StatusCode::OK)
}

fn unprocessable(body: &Value) -> WithStatus<Json> {
    with_status(json(body), StatusCode::UNPROCESSABLE_ENTITY)
}

fn at(method: BoxedFilter<()>, path: &'static str, answers: Answers) -> Answers {
    path[1..]
        .split('/')
        .fold(method, |at, part| at.and(warp::path(part)).boxed())
        .and(warp::path::end())
        .and(answers)
        .boxed()
}

fn credential<D>(plan: Plan<D>) -> Answers
where
    D: Dependency<Output: Shown + Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    security(plan).map(|found: D::Output| ok(&value!({ "credential": found.shown() }))).boxed()
}

fn shown<D>(plan: Plan<D>) -> Answers
where
    D: Dependency<Output: Shown + Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    security(plan).map(|found: D::Output| ok(&found.shown())).boxed()
}

fn attributes<T: Attributes + Send + 'static>() -> Answers {
    form().map(|form: T| ok(&form.attributes())).boxed()
}

fn attributes_or_faults<T: Attributes + Send + 'static>() -> Answers {
    form_result()
        .map(|form: Result<T, FormError>| match form {
            Ok(form) => ok(&form.attributes()),
            Err(error) => unprocessable(&value!({ "faults": faults(&error) })),
        })
        .boxed()
}

fn grant_or_error() -> Answers {
    token_request_result()
        .map(|form: Result<TokenRequest<Grant>, TokenError>| match form {
            Ok(form) => ok(&form.shown()),
            Err(error) => unprocessable(&shown_error(&error)),
        })
        .boxed()
}

/// Events that end with their token, and what a client says of the tokens of a user.
fn streams(tokens: Shared<jwt::Tokens>) -> BoxedFilter<(Response,)> {
    let events = get()
        .and(warp::path!("live"))
        .and(security_live(plan!(jwt::user), tokens))
        .and(warp::query())
        .map(|_, live: Live, every: live::Every| {
            let events = stream(live.every(every.into()).around(live::ticks()));
            with_header(events, "content-type", "text/event-stream").into_response()
        });
    let say = post().and(warp::path!("live" / String / String)).map(|word: String, user| {
        let is_said = live::say(&word, user);
        if is_said { StatusCode::NO_CONTENT } else { StatusCode::NOT_FOUND }.into_response()
    });
    events.or(say).unify().boxed()
}

/// Answers no request.
fn nothing() -> BoxedFilter<(Response,)> {
    any().and_then(async || Err::<Response, _>(not_found())).boxed()
}

own_user!(warp::http::Method);

pub(crate) fn serve(
    listener: TcpListener,
    verifiers: opaque::Verifiers,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let description = conformance()?;
    let guarded = security(plan!(Base))
        .and(security(plan!(PasswordOptional)))
        .map(|_, token: Option<BearerToken>| ok(&value!({ "credential": token.shown() })));
    let by_hand = warp::header::headers_cloned().map(|headers| {
        ok(&match Password::authenticate(&headers) {
            Ok(token) => value!({ "credential": token.shown() }),
            Err(rejection) => value!({ "refused": rejection.status().as_u16() }),
        })
    });
    let client = client_filter().map(|found: Option<Client>| ok(&client(found.as_ref())));
    let grant = token_request().map(|form: TokenRequest<Grant>| ok(&form.shown()));
    let revoke = client_form().map(|form: ClientForm<RevocationForm>| ok(&form.shown()));
    let openapi = any().map(move || ok(&description)).boxed();

    let format = security_with(plan!(Format), Shared::new(OneToken))
        .map(|found: Verified<Known>| ok(&found.shown()));

    let (get, post) = (get().boxed(), post().boxed());
    let mut routes = at(get.clone(), "/openapi.json", openapi);
    for (path, answers) in [
        ("/own", shown(plan!(own_user, scopes("items")))),
        ("/guarded", guarded.boxed()),
        ("/by-hand", by_hand.boxed()),
        ("/format/me", format.boxed()),
        ("/visit", shown(plan!(Visitor))),
        ("/users/reports", shown(plan!(proof::proved))),
    ] {
        routes = routes.or(at(get.clone(), path, answers)).unify().boxed();
    }
    let faults = attributes_or_faults::<OAuth2PasswordRequestForm>();
    let strict_faults = attributes_or_faults::<OAuth2PasswordRequestFormStrict>();
    for (path, answers) in [
        ("/form", attributes::<OAuth2PasswordRequestForm>()),
        ("/form-strict", attributes::<OAuth2PasswordRequestFormStrict>()),
        ("/form-faults", faults),
        ("/form-strict-faults", strict_faults),
        ("/client", client.boxed()),
        ("/grant", grant.boxed()),
        ("/grant-or-error", grant_or_error()),
        ("/revoke", revoke.boxed()),
    ] {
        routes = routes.or(at(post.clone(), path, answers)).unify().boxed();
    }
    macro_rules! first_route {
        ($name:literal, $body:expr) => {
            let route = warp::path("first")
                .and(warp::path($name))
                .and(warp::path("parameter"))
                .and(security(plan!(waited)))
                .and(warp::path::param::<u32>())
                .and(warp::query::<Number>())
                .and($body)
                .map(|_, number: u32, query: Number, _| ok(&(number, query.number)));
            routes = routes.or(post.clone().and(route)).unify().boxed();
        };
    }
    first_route!("json", warp::body::json::<Number>());
    first_route!("form", warp::body::form::<Number>());
    first_route!("password", form::<OAuth2PasswordRequestForm>());
    let either = get.clone().or(post).unify().boxed();
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            let route = at(either.clone(), $path, credential(plan!(credentials::$scheme)));
            routes = routes.or(route).unify().boxed();
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            let route = at(get.clone(), $path, shown(plan!($($plan)*)));
            routes = routes.or(route).unify().boxed();
        };
    }
    for_each_plan!(route);
    for_each_challenged!(route);
    if let Some(tokens) = verifiers.opaque {
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                let verified = security_with(plan!($($plan)*), tokens.clone());
                let answers = verified.map(|found: $value| ok(&found.shown())).boxed();
                let route = at(get.clone(), $path, answers);
                routes = routes.or(route).unify().boxed();
            };
        }
        for_each_opaque!(route);
    }
    let mut streaming = nothing();
    if let Some(tokens) = verifiers.dpop {
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                let verified = security_with(plan!($($plan)*), tokens.clone());
                let answers = verified.map(|found: $value| ok(&found.shown())).boxed();
                let route = at(get.clone(), $path, answers);
                routes = routes.or(route).unify().boxed();
            };
        }
        for_each_bound!(route);
    }
    if let Some(tokens) = verifiers.jwt {
        streaming = streams(tokens.clone());
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                let verified = security_with(plan!($($plan)*), tokens.clone());
                let answers = verified.map(|found: $value| ok(&found.shown())).boxed();
                let route = at(get.clone(), $path, answers);
                routes = routes.or(route).unify().boxed();
            };
        }
        for_each_verified!(route);
    }
    let routes = routes.or(streaming).or(doorward::warp04::metadata(rfc::metadata()?));
    let routes = routes.recover(recover);

    super::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        warp::serve(routes).incoming(listener).run().await;
        Ok(())
    })
}
