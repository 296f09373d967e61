//! OAuth2 security for Rust web services, declared in attributes.
//!
//! A scheme is declared once, on a unit struct: [`oauth2`](macro@oauth2), [`oauth2_password_bearer`](macro@oauth2_password_bearer),
//! [`oauth2_authorization_code_bearer`](macro@oauth2_authorization_code_bearer). [`Scheme`] is what it can do: check a request, and
//! tell its configuration. [`Security`] is the same as an extractor of a framework.
//!
//! A handler says what it needs with [`secured`](macro@secured) and `#[security(…)]`; a function that stands between a scheme and
//! a handler is a [`dependency`](macro@dependency). [`SecurityScopes`] holds every scope that its chain requires, gathered and checked
//! by the compiler; [`BearerError`] answers with the right challenge.
//!
//! A login form is derived on a struct: [`PasswordRequestForm`], or taken ready-made: [`OAuth2PasswordRequestForm`],
//! [`OAuth2PasswordRequestFormStrict`]. [`PasswordForm`] and [`FormBody`] are the extractors.
//!
//! [`ClientCredentials`] are those of a client at the token endpoint, and [`Client`] is their extractor; [`TokenResponse`] and
//! [`TokenError`] are the endpoint's answers.
//!
//! [`openapi`] describes schemes, handlers and forms, from the same declarations.
//!
//! # Features
//!
//! | feature | gives |
//! |---|---|
//! | `macros` (default) | the attributes and the derive |
//! | `axum08`, `actix-web4`, `poem3`, `rocket05`, `salvo1` | extractors and responses for axum 0.8, actix-web 4, poem 3, rocket 0.5 ([`rocket05`]), salvo 1 ([`salvo1`]) |
//! | `warp04` | filters for warp 0.4: the module [`warp04`] |
//! | `http-body` | forms from the bodies of requests, for plain hyper: `read_form` |
//! | `local` | lets a `#[dependency(local)]` depend on one that is not local |
//! | `utoipa6` | the security of handlers and the schemas of forms in documents of utoipa 6 |
//! | `tower` | a layer that secures every route below it |
//! | `tracing` | an event of `tracing` for each decision, without any part of the request |
//! | `testing` | replacements of dependencies in tests: `Overrides` |
//!
//! Without a framework's feature the crate serves requests of the `http` crate, and raw bytes.
//!
//! # Security
//!
//! A found token proves nothing until your own code has checked it. The password grant hands the user's password to the client, and
//! [RFC 9700, 2.4](https://www.rfc-editor.org/rfc/rfc9700#section-2.4) says that it must not be used. What is left for it is
//! the login of a first party's own client, such as an API's documentation page.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

mod adapters;
mod authorization;
mod basic;
mod bearer_error;
mod cache;
mod client;
mod const_str;
mod context;
mod credential;
mod dependency;
#[cfg(feature = "extractors")]
mod extractors;
mod flow;
mod form;
mod local;
pub mod openapi;
#[cfg(feature = "testing")]
mod overrides;
mod plan;
mod planned;
mod rejection;
mod scheme;
mod secured;
mod security_scopes;
mod token_error;
mod token_response;
mod trace;

#[doc(hidden)]
pub mod __rt;

/// What an adapter to a framework implements and calls.
pub mod adapter {
    pub use crate::adapters::head::{Head, LocalHead};
    pub use crate::cache::{Cache, LocalCache};
    pub use crate::context::{Context, Extract, LocalContext, LocalExtract, Reject, SendContext};
    pub use crate::dependency::{Resolve, ResolveLocal};
    pub use crate::local::{LocalHandler, LocalParameter, Outputs};
    pub use crate::plan::Cursor;
    pub use crate::secured::Parameter;
}

#[cfg(feature = "rocket05")]
pub use crate::adapters::rocket05;
#[cfg(feature = "salvo1")]
pub use crate::adapters::salvo1;
#[cfg(feature = "warp04")]
pub use crate::adapters::warp04;
pub use {http, secrecy};

pub use crate::adapters::head::{Extension, FromHead};
#[cfg(feature = "tower")]
pub use crate::adapters::tower::{SecurityLayer, SecurityService};
pub use crate::authorization::Refusal;
pub use crate::bearer_error::{BearerError, InvalidRealm, InvalidScope};
pub use crate::client::{ClientCredentials, secret_is};
pub use crate::credential::{AuthorizationValue, BearerToken, Credential, InvalidToken, Yield};
pub use crate::dependency::Dependency;
#[cfg(feature = "extractors")]
pub use crate::extractors::{Client, PasswordForm, Security};
pub use crate::flow::{Flow, Flows, Scope};
pub use crate::form::body::FormBody;
pub use crate::form::error::{Fault, FaultKind, FormError};
pub use crate::form::password::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict};
#[cfg(feature = "http-body")]
pub use crate::form::read::{read_client, read_form};
pub use crate::form::scopes::{FromScopes, Scopes};
pub use crate::form::text::{FromText, InvalidText};
pub use crate::form::{FormConfig, OwnedForm, PasswordRequestForm};
#[cfg(feature = "testing")]
pub use crate::overrides::Overrides;
pub use crate::planned::Plan;
pub use crate::rejection::Rejection;
pub use crate::scheme::{Scheme, SchemeConfig, YieldRef};
pub use crate::secured::Secured;
pub use crate::security_scopes::{MissingScopes, SecurityScopes};
pub use crate::token_error::TokenError;
pub use crate::token_response::TokenResponse;

#[cfg(feature = "macros")]
#[doc = include_str!("../docs/password_request_form.md")]
pub use tollgate_macros::PasswordRequestForm;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/dependency.md")]
pub use tollgate_macros::dependency;
#[cfg(all(feature = "macros", feature = "tower"))]
#[doc = include_str!("../docs/layer.md")]
pub use tollgate_macros::layer;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/oauth2.md")]
pub use tollgate_macros::oauth2;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/oauth2_authorization_code_bearer.md")]
pub use tollgate_macros::oauth2_authorization_code_bearer;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/oauth2_password_bearer.md")]
pub use tollgate_macros::oauth2_password_bearer;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/operation.md")]
pub use tollgate_macros::operation;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/plan.md")]
pub use tollgate_macros::plan;
#[cfg(feature = "macros")]
#[doc = include_str!("../docs/secured.md")]
pub use tollgate_macros::secured;
