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
    BearerError, BearerToken, Dependency, OAuth2PasswordRequestForm,
    OAuth2PasswordRequestFormStrict, Plan, Scheme, SecurityScopes, Shared, dependency, plan,
};
use tollgate::{adapter::Resolve, head::Head};
use tollgate_tests::chains::{Both, again, any_token, both, collected, me};
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
use warp::filters::BoxedFilter;
use warp::http::StatusCode;
use warp::reply::{Json, WithStatus, json as reply, with_status};
use warp::{Filter, any, get, path, post};

type Route = BoxedFilter<(Json,)>;

fn credential<D>(name: &'static str, plan: Plan<D>) -> Route
where
    D: Dependency<Output: Shown + Send> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    let at = name
        .split('/')
        .fold(any().boxed(), |at, part| at.and(path(part)).boxed());
    get()
        .or(post())
        .unify()
        .and(at)
        .and(path::end())
        .and(security(plan))
        .map(|found: D::Output| reply(&json!({ "credential": found.shown() })))
        .boxed()
}

fn seen<D>(name: &'static str, plan: Plan<D>) -> Route
where
    D: Dependency<Output = SecurityScopes> + for<'a, 'r> Resolve<'r, Head<'a>, D::Output>,
{
    get()
        .and(path!("scopes" / ..))
        .and(path(name))
        .and(path::end())
        .and(security(plan))
        .map(|found| reply(&scopes(found)))
        .boxed()
}

fn attributes<T: Attributes + Send + 'static>(name: &'static str) -> Route {
    post()
        .and(path(name))
        .and(path::end())
        .and(form())
        .map(|form: T| reply(&form.attributes()))
        .boxed()
}

fn attributes_or_faults<T: Attributes + Send + 'static>(
    name: &'static str,
) -> BoxedFilter<(WithStatus<Json>,)> {
    post()
        .and(path(name))
        .and(path::end())
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

/// A dependency with one of the framework's extractors and one of tollgate's errors.
#[dependency]
async fn own_user(
    #[security(any_token, scopes("me"))] token: BearerToken,
    scopes: SecurityScopes,
    method: warp::http::Method,
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
    let branches = get()
        .and(path!("scopes" / "branches"))
        .and(security(plan!(both, scopes("scope3"))))
        .map(|found: Both| {
            reply(&json!({ "left": scopes(found.left), "right": scopes(found.right) }))
        });
    let own = get()
        .and(path!("own"))
        .and(security(plan!(own_user, scopes("items"))))
        .map(|user| reply(&json!({ "user": user })));
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
        credential("base", plan!(Base)),
        credential("base-optional", plan!(BaseOptional)),
        credential("password", plan!(Password)),
        credential("password-optional", plan!(PasswordOptional)),
        credential("password-strict", plan!(PasswordStrict)),
        credential("password-strict-optional", plan!(PasswordStrictOptional)),
        credential("code", plan!(Code)),
        credential("code-optional", plan!(CodeOptional)),
        attributes::<OAuth2PasswordRequestForm>("form"),
        attributes::<OAuth2PasswordRequestFormStrict>("form-strict"),
        seen("none", plan!(collected)),
        seen("me", plan!(me)),
        seen("items-me", plan!(me, scopes("items"))),
        seen("repeated", plan!(again, scopes("me"))),
        client.boxed(),
        grant.boxed(),
        revoke.boxed(),
        get()
            .and(path!("one-of"))
            .and(security(plan!(Caller)))
            .map(|caller: Caller| reply(&caller.shown()))
            .boxed(),
        get()
            .and(path!("one-of-required"))
            .and(security(plan!(KnownCaller)))
            .map(|caller: KnownCaller| reply(&caller.shown()))
            .boxed(),
        get()
            .and(path!("rfc" / "me"))
            .and(security(plan!(rfc::user)))
            .map(|granted: Granted| reply(&granted.shown()))
            .boxed(),
        get()
            .and(path!("rfc" / "items"))
            .and(security(plan!(rfc::user, scopes("items"))))
            .map(|granted: Granted| reply(&granted.shown()))
            .boxed(),
        own.boxed(),
        guarded.boxed(),
        by_hand.boxed(),
        branches.boxed(),
        openapi.boxed(),
    ]);
    let mut routes = routes.ok_or("no routes")?;
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            let credential = credential(&$path[1..], plan!(credentials::$scheme));
            routes = routes.or(credential).unify().boxed();
        };
    }
    for_each_credential!(route);
    if let Some(tokens) = tokens {
        let me = get()
            .and(path!("jwt" / "me"))
            .and(security_with(plan!(jwt::user), tokens.clone()))
            .map(|caller: jwt::Caller| reply(&jwt::shown(&caller)));
        let items = get()
            .and(path!("jwt" / "items"))
            .and(security_with(plan!(jwt::user, scopes("items")), tokens))
            .map(|caller: jwt::Caller| reply(&jwt::shown(&caller)));
        routes = routes.or(me).unify().or(items).unify().boxed();
    }
    let routes = routes
        .or(attributes_or_faults::<OAuth2PasswordRequestForm>(
            "form-faults",
        ))
        .or(attributes_or_faults::<OAuth2PasswordRequestFormStrict>(
            "form-strict-faults",
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
