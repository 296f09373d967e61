//! warp 0.4.

use std::error::Error;
use std::net::TcpListener;

use serde_json::json;
use tollgate::form::FormError;
use tollgate::token_endpoint::{Client, ClientForm, RevocationForm, TokenError, TokenRequest};
use tollgate::warp04::{
    client_form, form, form_result, recover, resource_metadata, security, security_with,
    token_request, token_request_result,
};
use tollgate::{
    BearerToken, Dependency, OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict, Plan,
    Scheme, SecurityScopes, Shared, plan,
};
use tollgate::{adapter::Resolve, head::Head};
use tollgate_tests::chains::{User, again, any_token, both, collected, me};
use tollgate_tests::credentials::{self, Caller, KnownCaller};
use tollgate_tests::description::conformance;
use tollgate_tests::grants::{Grant, shown_error};
use tollgate_tests::jwt;
use tollgate_tests::rfc;
use tollgate_tests::schemes::{Base, Password, PasswordOptional};
use tollgate_tests::shown::{Attributes, Shown, client, faults};
use tollgate_tests::{for_each_credential, for_each_plan, for_each_verified};
use warp::filters::BoxedFilter;
use warp::http::StatusCode;
use warp::reply::{Json, WithStatus, json as reply, with_status};
use warp::{Filter, any, get, path, post};

type Route = BoxedFilter<(Json,)>;

/// Returns the filter of a path.
fn at(path: &'static str) -> BoxedFilter<()> {
    path[1..]
        .split('/')
        .fold(any().boxed(), |at, part| at.and(warp::path(part)).boxed())
        .and(path::end())
        .boxed()
}

fn credential<D>(path: &'static str, plan: Plan<D>) -> Route
where
    D: Dependency<Output: Shown + Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    get()
        .or(post())
        .unify()
        .and(at(path))
        .and(security(plan))
        .map(|found: D::Output| reply(&json!({ "credential": found.shown() })))
        .boxed()
}

fn shown<D>(path: &'static str, plan: Plan<D>) -> Route
where
    D: Dependency<Output: Shown + Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    get()
        .and(at(path))
        .and(security(plan))
        .map(|found: D::Output| reply(&found.shown()))
        .boxed()
}

fn verified<D>(path: &'static str, plan: Plan<D>, tokens: &Shared<jwt::Tokens>) -> Route
where
    D: Dependency<Output: Shown + Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    get()
        .and(at(path))
        .and(security_with(plan, tokens.clone()))
        .map(|found: D::Output| reply(&found.shown()))
        .boxed()
}

fn attributes<T: Attributes + Send + 'static>(path: &'static str) -> Route {
    post()
        .and(at(path))
        .and(form())
        .map(|form: T| reply(&form.attributes()))
        .boxed()
}

fn attributes_or_faults<T: Attributes + Send + 'static>(
    path: &'static str,
) -> BoxedFilter<(WithStatus<Json>,)> {
    post()
        .and(at(path))
        .and(form_result())
        .map(|form: Result<T, FormError>| match form {
            Ok(form) => with_status(reply(&form.attributes()), StatusCode::OK),
            Err(error) => with_status(
                reply(&json!({ "faults": faults(&error) })),
                StatusCode::UNPROCESSABLE_ENTITY,
            ),
        })
        .boxed()
}

fn grant_or_error() -> BoxedFilter<(WithStatus<Json>,)> {
    post()
        .and(path!("grant-or-error"))
        .and(token_request_result())
        .map(|form: Result<TokenRequest<Grant>, TokenError>| match form {
            Ok(form) => with_status(reply(&form.shown()), StatusCode::OK),
            Err(error) => with_status(
                reply(&shown_error(&error)),
                StatusCode::UNPROCESSABLE_ENTITY,
            ),
        })
        .boxed()
}

own_user!(warp::http::Method);

fn either(routes: impl IntoIterator<Item = Route>) -> Option<Route> {
    routes
        .into_iter()
        .reduce(|routes, route| routes.or(route).unify().boxed())
}

pub(crate) fn serve(
    listener: TcpListener,
    tokens: Option<Shared<jwt::Tokens>>,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    let description = conformance()?;
    let guarded = get()
        .and(path!("guarded"))
        .and(security(plan!(Base)))
        .and(security(plan!(PasswordOptional)))
        .map(|_, token: Option<BearerToken>| reply(&json!({ "credential": token.shown() })));
    let by_hand = get()
        .and(path!("by-hand"))
        .and(warp::header::headers_cloned())
        .map(|headers| {
            reply(&match Password::authenticate(&headers) {
                Ok(token) => json!({ "credential": token.shown() }),
                Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
            })
        });
    let client = post()
        .and(path!("client"))
        .and(tollgate::warp04::client())
        .map(|found: Option<Client>| reply(&client(found.as_ref())));
    let grant = post()
        .and(path!("grant"))
        .and(token_request())
        .map(|form: TokenRequest<Grant>| reply(&form.shown()));
    let revoke = post()
        .and(path!("revoke"))
        .and(client_form())
        .map(|form: ClientForm<RevocationForm>| reply(&form.shown()));
    let openapi = get()
        .and(path!("openapi.json"))
        .map(move || reply(&description));
    let routes = either([
        attributes::<OAuth2PasswordRequestForm>("/form"),
        attributes::<OAuth2PasswordRequestFormStrict>("/form-strict"),
        client.boxed(),
        grant.boxed(),
        revoke.boxed(),
        shown("/own", plan!(own_user, scopes("items"))),
        guarded.boxed(),
        by_hand.boxed(),
        openapi.boxed(),
    ]);
    let mut routes = routes.ok_or("no routes")?;
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            let credential = credential($path, plan!(credentials::$scheme));
            routes = routes.or(credential).unify().boxed();
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            routes = routes.or(shown($path, plan!($($plan)*))).unify().boxed();
        };
    }
    for_each_plan!(route);
    if let Some(tokens) = tokens {
        macro_rules! route {
            ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
                let verified = verified($path, plan!($($plan)*), &tokens);
                routes = routes.or(verified).unify().boxed();
            };
        }
        for_each_verified!(route);
    }
    let routes = routes
        .or(attributes_or_faults::<OAuth2PasswordRequestForm>(
            "/form-faults",
        ))
        .or(attributes_or_faults::<OAuth2PasswordRequestFormStrict>(
            "/form-strict-faults",
        ))
        .or(grant_or_error())
        .or(resource_metadata(rfc::metadata()?))
        .recover(recover);

    super::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        warp::serve(routes).incoming(listener).run().await;
        Ok(())
    })
}
