//! The shapes that a secured handler can have.

use axum::Router;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::routing::get;
use doorward::{BearerToken, SecurityScopes, dependency, oauth2_password_bearer, secured};
use http::StatusCode;

use super::asking::{ask_with, seen};

#[oauth2_password_bearer(token_url = "token", scopes("a" = "A."))]
struct OAuth2;

/// Public handlers that use a private scheme and a private dependency.
mod api {
    use super::*;

    pub(crate) struct User(String);

    #[dependency(unverified)]
    fn current_user(#[security(OAuth2)] token: BearerToken, _scopes: SecurityScopes) -> User {
        User(token.as_str().to_owned())
    }

    /// Has documentation, attributes on parameters, patterns, and extractors behind `#[cfg]`.
    #[secured]
    pub(crate) async fn shaped(
        #[allow(unused_mut)]
        #[security(current_user, scopes("a"))]
        mut user: User,
        #[cfg(not(target_os = "none"))] State(state): State<String>,
        #[cfg(target_os = "none")] State(_): State<u32>,
        #[security(current_user)] _unused: User,
    ) -> impl IntoResponse {
        format!("{} {state}", user.0)
    }

    #[secured(current_user)]
    pub(crate) async fn generic<T>(State(state): State<T>) -> String
    where
        T: Clone + Send + Sync + std::fmt::Display + 'static,
    {
        state.to_string()
    }

    #[secured(current_user)]
    pub(crate) async fn fallible() -> Result<&'static str, StatusCode> {
        Err(StatusCode::IM_A_TEAPOT)
    }

    #[oauth2_password_bearer(token_url = "token", scopes("r" = "R."))]
    struct Hidden;

    // Generated constants could have these names; they must not clash.
    const ROOT: &str = "r";
    const PLAN: &str = "r";
    const STEPS: &str = "r";

    #[dependency(unverified)]
    fn hidden(#[security(Hidden)] token: BearerToken, _scopes: SecurityScopes) -> BearerToken {
        token
    }

    #[secured(hidden, scopes(ROOT, PLAN, STEPS))]
    pub(crate) async fn guarded_by_a_private_scheme<'r, const LAYOUT: usize>(
        Counted(count): Counted<'r, LAYOUT>,
        #[security(hidden, scopes(self::ROOT))] token: BearerToken,
    ) -> String {
        #![allow(unused_qualifications)]
        format!("{count} {}", token.as_str())
    }

    /// A `static` may name a scope, just like a constant.
    static READ: &str = "a";

    #[secured(current_user, scopes(READ))]
    pub(crate) async fn scope_of_a_static() -> &'static str {
        READ
    }

    use doorward::secured as guard;

    /// Secured twice under another name, and once under the attribute's own name.
    #[guard(current_user, scopes("a"))]
    #[guard(current_user)]
    #[doorward::secured(current_user)]
    pub(crate) async fn under_another_name(#[security(current_user)] user: User) -> String {
        user.0
    }

    #[tracing::instrument(skip(user), fields(name = %user.0))]
    #[secured]
    pub(crate) async fn instrumented(#[security(current_user)] user: User) -> String {
        user.0
    }

    #[secured]
    #[tracing::instrument(skip(user), fields(user = 1))]
    pub(crate) async fn instrumented_below(#[security(current_user)] user: User) -> String {
        user.0
    }

    #[dependency]
    fn of_functions(
        call: Callback<fn(&str) -> usize>,
        #[security(OAuth2)] _token: BearerToken,
    ) -> usize {
        (call.0)("four")
    }

    #[secured]
    pub(crate) async fn function_of_any_lifetime(
        #[security(of_functions)] length: usize,
    ) -> String {
        length.to_string()
    }

    pub(crate) struct Callback<F>(F);

    impl<S: Sync> axum::extract::FromRequestParts<S> for Callback<fn(&str) -> usize> {
        type Rejection = std::convert::Infallible;

        async fn from_request_parts(
            _: &mut http::request::Parts,
            _: &S,
        ) -> Result<Self, Self::Rejection> {
            Ok(Self(str::len))
        }
    }

    #[secured(current_user)]
    pub(crate) async fn of_any_state(_: State<impl Clone + Send + Sync + 'static>) {}

    pub(crate) struct Counted<'r, const N: usize>(std::borrow::Cow<'r, str>);

    impl<const N: usize, S: Sync> axum::extract::FromRequestParts<S> for Counted<'_, N> {
        type Rejection = std::convert::Infallible;

        async fn from_request_parts(
            _: &mut http::request::Parts,
            _: &S,
        ) -> Result<Self, Self::Rejection> {
            Ok(Self(N.to_string().into()))
        }
    }
}

#[tokio::test]
async fn a_handler_of_another_module_is_secured() {
    let app = Router::new()
        .route("/shaped", get(api::shaped))
        .route("/generic", get(api::generic::<String>))
        .route("/fallible", get(api::fallible))
        .route("/private", get(api::guarded_by_a_private_scheme::<3>))
        .route("/static", get(api::scope_of_a_static))
        .route("/alias", get(api::under_another_name))
        .route("/instrumented", get(api::instrumented))
        .route("/instrumented-below", get(api::instrumented_below))
        .route("/function", get(api::function_of_any_lifetime))
        .with_state("state".to_owned());
    for (path, status, body) in [
        ("/shaped", 200, "john state"),
        ("/generic", 200, "state"),
        ("/fallible", 418, ""),
        ("/private", 200, "3 john"),
        ("/static", 200, "a"),
        ("/alias", 200, "john"),
        ("/instrumented", 200, "john"),
        ("/instrumented-below", 200, "john"),
        ("/function", 200, "4"),
    ] {
        let found = seen(ask_with(app.clone(), path, Some("john")).await);
        assert_eq!(found, (status, body.to_owned()), "{path}");
        assert_eq!(ask_with(app.clone(), path, None).await.status(), 401, "{path}");
    }
}

/// What the page for porters says of tests that call handlers.
#[tokio::test]
async fn a_call_has_one_more_argument_for_each_guard_and_for_a_layer() {
    #[dependency]
    fn user(#[security(OAuth2)] token: BearerToken) -> Result<String, StatusCode> {
        Ok(token.as_str().to_owned())
    }

    #[dependency]
    fn guard(#[security(OAuth2)] _token: BearerToken) -> Result<(), StatusCode> {
        Ok(())
    }

    #[secured(guard)]
    #[secured(user)]
    async fn two_guards(State(state): State<u8>) -> u8 {
        state
    }

    #[secured(layer = guard)]
    async fn below_a_layer(State(state): State<u8>) -> u8 {
        state
    }

    #[secured(layer = guard)]
    async fn with_a_value(State(state): State<u8>, #[security(user)] user: String) -> String {
        format!("{user} {state}")
    }

    assert_eq!(two_guards(().into(), ().into(), State(1)).await, 1);
    assert_eq!(below_a_layer(().into(), State(1)).await, 1);
    assert_eq!(with_a_value(().into(), State(1), "ann".to_owned().into()).await, "ann 1");
}
