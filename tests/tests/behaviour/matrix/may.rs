//! What a caller may do, as far as the table of routes knows it.

#![allow(dead_code, reason = "only what is required counts")]

use doorward::axum08::Router;
use doorward::axum08::routing::get;
use doorward::routes::May;
use doorward::verify::Verified;
use doorward::{
    ApiKey, BearerToken, Rejection, SecurityScopes, api_key, dependency, http_bearer, one_of,
    public, secured,
};
use http::StatusCode;

use super::{Notes, Role, role, user};

#[api_key(header = "x-api-key", scopes("read" = "Read."))]
struct Key;

#[dependency]
fn job(#[security(Key)] _key: ApiKey, scopes: SecurityScopes) -> Result<(), Rejection> {
    scopes.check("").map_err(|_| Rejection::new(StatusCode::FORBIDDEN))
}

#[secured(user, scopes("read"))]
async fn scoped() {}

#[secured(user, scopes("write"))]
async fn lacking() {}

#[secured(role(Role::User))]
async fn decided() {}

#[secured(job, scopes("read"))]
async fn keyed() {}

#[secured(user, scopes("read"))]
#[secured(job)]
async fn both() {}

#[one_of]
enum Either {
    #[security(user)]
    User(super::User),
    #[security(job)]
    Job(()),
}

#[secured]
async fn either(#[security(Either, scopes("read"))] _either: Either) {}

#[one_of]
enum Guest {
    #[security(user)]
    User(super::User),
    Nobody,
}

#[secured]
async fn guest(#[security(Guest, scopes("write"))] _guest: Guest) {}

#[http_bearer(auto_error = false)]
struct Optional;

#[secured]
async fn optional(#[security(Optional)] _token: Option<BearerToken>) {}

#[dependency]
fn open() -> Result<(), Rejection> {
    Ok(())
}

#[secured(open)]
async fn without_scheme() {}

fn may(granted: &[&str]) -> String {
    let app: Router = Router::new()
        .route("/both", get(both))
        .route("/decided", get(decided))
        .route("/either", get(either))
        .route("/guest", get(guest))
        .route("/keyed", get(keyed))
        .route("/lacking", get(lacking))
        .route("/optional", get(optional))
        .route("/public", get(public("it is", async || ())))
        .route("/scoped", get(scoped))
        .route("/without", get(without_scheme));
    let routes = app.routes();
    let caller = Verified::new((), granted.iter().map(|scope| (*scope).to_owned()));
    let may = routes.may::<Notes>(&caller).map(|(route, may)| format!("{} {may}", route.path()));
    Vec::from_iter(may).join(", ")
}

#[test]
fn scopes_are_decided_and_everything_else_depends() {
    assert_eq!(
        may(&["read"]),
        "/both depends, /decided depends, /either yes, /guest yes, /optional yes, /public yes, /scoped yes, /without depends"
    );
}

/// `write` implies `read`.
#[test]
fn a_scope_grants_what_it_implies() {
    assert_eq!(
        may(&["write"]),
        "/both depends, /decided depends, /either yes, /guest yes, /lacking yes, /optional yes, /public yes, /scoped yes, /without depends"
    );
}

#[test]
fn a_token_without_scopes_may_do_little() {
    let few = "/decided depends, /guest yes, /optional yes, /public yes, /without depends";
    assert_eq!(may(&[]), few);
}

#[test]
fn the_answer_is_one_word() {
    assert_eq!(serde_json::to_string(&[May::Yes, May::Depends]).unwrap(), r#"["yes","depends"]"#);
    assert_eq!(format!("{:8}|", May::Yes), "yes     |");
    assert!(May::Yes > May::Depends);
}
