#![doc = include_str!("../docs/links.md")]
#![doc = include_str!("../docs/README.md")]

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/schemes.md")]
pub mod schemes {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/challenges.md")]
pub mod challenges {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/forms.md")]
pub mod forms {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/dependencies.md")]
pub mod dependencies {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/verified_tokens.md")]
pub mod verified_tokens {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/keycloak.md")]
pub mod keycloak {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/auth0.md")]
pub mod auth0 {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/entra_id.md")]
pub mod entra_id {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/cognito.md")]
pub mod cognito {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/google.md")]
pub mod google {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/own_login.md")]
pub mod own_login {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/own_issuer.md")]
pub mod own_issuer {}

// Its examples need another library, and are compiled by `tests/other-verifiers`.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/other_verifiers.md")]
pub mod other_verifiers {}

// Its code is that of `examples/mcp`.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/mcp.md")]
pub mod mcp {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/alternatives.md")]
pub mod alternatives {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/api_description.md")]
pub mod api_description {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/frameworks.md")]
pub mod frameworks {}

// Its examples need the framework, loco.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/loco.md")]
pub mod loco {}

// Its examples need the framework, leptos.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/leptos.md")]
pub mod leptos {}

// Its examples need the framework, dioxus.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/dioxus.md")]
pub mod dioxus {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/token_endpoint.md")]
pub mod token_endpoint {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/testing.md")]
pub mod testing {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/compile_errors.md")]
pub mod compile_errors {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/security.md")]
pub mod security {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/roles_and_scopes.md")]
pub mod roles_and_scopes {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/api_keys.md")]
pub mod api_keys {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/cookies_and_csrf.md")]
pub mod cookies_and_csrf {}

// Its examples need other libraries, and are compiled by `tests/other-libraries`.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/sessions.md")]
pub mod sessions {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/status_401_and_403.md")]
pub mod status_401_and_403 {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/refresh_tokens.md")]
pub mod refresh_tokens {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/websockets.md")]
pub mod websockets {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/logging.md")]
pub mod logging {}

// Its examples need other libraries, and are compiled by `tests/other-libraries`.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/rate_limits.md")]
pub mod rate_limits {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/behind_a_proxy.md")]
pub mod behind_a_proxy {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/upgrading.md")]
pub mod upgrading {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/from_fastapi.md")]
pub mod from_fastapi {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/from_extractors.md")]
pub mod from_extractors {}

// The examples of the next five need other libraries, and are compiled by `tests/other-libraries`.
#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/from_jwt_authorizer.md")]
pub mod from_jwt_authorizer {}

#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/from_actix_web_httpauth.md")]
pub mod from_actix_web_httpauth {}

#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/from_axum_login.md")]
pub mod from_axum_login {}

#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/from_poem_openapi.md")]
pub mod from_poem_openapi {}

#[cfg(not(doctest))]
#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/from_utoipa_modify.md")]
pub mod from_utoipa_modify {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/features.md")]
pub mod features {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/performance.md")]
pub mod performance {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/comparison.md")]
pub mod comparison {}

#[doc = include_str!("../docs/links.md")]
#[doc = include_str!("../docs/how_it_is_tested.md")]
pub mod how_it_is_tested {}
