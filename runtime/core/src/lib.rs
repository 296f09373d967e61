//! The declarations of [doorward](https://docs.rs/doorward): schemes, forms, dependencies and their
//! plans, the checks of requests, the API description, and the adapters to frameworks.
//!
//! Depend on `doorward`, which exports all of it. Semantic Versioning covers no path of this crate.

#![cfg_attr(docsrs, feature(doc_cfg))]
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
mod credential;
mod dependency;
pub mod form;
pub mod metadata;
mod notice;
#[cfg(feature = "openapi")]
pub mod openapi;
mod plan;
mod refusal;
#[cfg(any(feature = "axum08", feature = "openapi"))]
pub mod routes;
pub mod scheme;
mod syntax;
#[cfg(feature = "testing")]
pub mod testing;
pub mod token_endpoint;
mod trace;
pub mod verify;

#[doc(hidden)]
pub mod __rt;
pub use crate::dependency::head;

/// The bounds that generated code, the doors and the documents put on the user's types.
// Hidden in rustdoc only: rustc's errors print the full path of an item that is `#[doc(hidden)]`.
#[cfg_attr(doc, doc(hidden))]
pub mod bounds {
    #[cfg(feature = "axum08")]
    pub use crate::adapters::axum08::bounds::{RouteLayer, RouteService};
    #[cfg(feature = "axum08")]
    pub use crate::adapters::axum08::router::DeclaredRouter;
    #[cfg(any(feature = "axum08", feature = "tonic014"))]
    pub use crate::adapters::http::declared_service::DeclaredService;
    #[cfg(feature = "tower")]
    pub use crate::adapters::http::late_refusal::FromLateRefusal;
    #[cfg(feature = "tower")]
    pub use crate::adapters::http::send_refusal::SendRefusal;
    #[cfg(feature = "rmcp3")]
    pub use crate::adapters::rmcp3::entry::EntryRouter;
    pub use crate::dependency::bounds::{
        AnyType, Cached, ClaimsOfToken, Fallible, IsOptional, IsType, LocalCached, Named,
        NoArguments, Presents, Same, Unknown, Unverified, Verifies,
    };
    pub use crate::form::text::{Directly, FromIntermediate, InOption};
    pub use crate::form::value::FromValue;
    #[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
    pub use crate::openapi::utoipa::UtoipaDocument;
    pub use crate::plan::arguments::TakesArguments;
    pub use crate::plan::arguments::roles::RoleNames;
    pub use crate::plan::declaration::{Declared, DeclaredAs, Declares, NamedHandler};
}

/// The traits and types for writing an adapter to a framework. Not part of the public interface
/// until an adapter outside of this crate needs them.
#[cfg_attr(doc, doc(hidden))]
pub mod adapter {
    pub use crate::dependency::cache::{Cache, LocalCache};
    pub use crate::dependency::context::{
        Context, Extract, LocalContext, LocalExtract, Reject, SendContext,
    };
    pub use crate::dependency::handler::{LocalSecuredParameter, SecuredParameter};
    pub use crate::dependency::{LocalResolve, Resolve};
    pub use crate::plan::cursor::Cursor;
    pub use crate::plan::table::PlanPosition;
}

#[cfg(feature = "actix-web4")]
pub use crate::adapters::actix_web4;
#[cfg(feature = "axum08")]
pub use crate::adapters::axum08;
#[cfg(feature = "poem3")]
pub use crate::adapters::poem3;
#[cfg(feature = "rmcp3")]
pub use crate::adapters::rmcp3;
#[cfg(feature = "rocket05")]
pub use crate::adapters::rocket05;
#[cfg(feature = "salvo1")]
pub use crate::adapters::salvo1;
// With `use doorward::*`, a module `tower` would make the name of that crate ambiguous.
#[cfg(feature = "tower")]
pub use crate::adapters::http as layers;
#[cfg(feature = "tonic014")]
pub use crate::adapters::tonic014;
#[cfg(feature = "utoipa-axum02")]
pub use crate::adapters::utoipa_axum::v02 as utoipa_axum02;
#[cfg(feature = "utoipa-axum03")]
pub use crate::adapters::utoipa_axum::v03 as utoipa_axum03;
#[cfg(feature = "warp04")]
pub use crate::adapters::warp04;
/// What ends with its token: streams and sockets.
#[cfg(feature = "live")]
pub mod live {
    pub use crate::dependency::live::Live;
    pub use crate::dependency::live::around::Around;
    pub use crate::dependency::live::asked::Asked;
}

/// The subprotocols with which a page in a browser opens a WebSocket, for schemes with `websocket`.
pub mod websocket {
    pub use crate::credential::websocket::protocol;
}

pub use {::http, secrecy};

pub use crate::adapters::shared::extractors::{PasswordForm, Security};
pub use crate::credential::api_key::ApiKey;
pub use crate::credential::authorization_value::AuthorizationValue;
pub use crate::credential::bearer_token::BearerToken;
pub use crate::credential::http_basic::BasicCredentials;
pub use crate::credential::http_credentials::HttpCredentials;
pub use crate::dependency::Dependency;
pub use crate::dependency::handler::Secured;
pub use crate::dependency::layer::SecurityLayer;
pub use crate::dependency::plan::Plan;
pub use crate::dependency::shared::Shared;
pub use crate::form::password::{OAuth2PasswordRequestForm, OAuth2PasswordRequestFormStrict};
pub use crate::plan::declaration::{declared, public};
pub use crate::plan::security_scopes::SecurityScopes;
pub use crate::refusal::bearer_error::BearerError;
pub use crate::refusal::rejection::Rejection;
pub use crate::scheme::Scheme;
pub use crate::syntax::secret::secret_eq;

/// What `doorward-tokens` takes of this crate in addition to its public interface.
#[doc(hidden)]
#[allow(missing_docs, reason = "documented where they are")]
pub mod __tokens {
    pub use crate::credential::authorization_line::is_b64token;
    pub use crate::refusal::bearer_challenge::DPOP_ALGORITHMS;
    pub use crate::syntax::grammar::{is_scope_token, joined};
    pub use crate::trace::is_heard;
    #[cfg(feature = "tracing")]
    pub use crate::trace::may_be_heard;
    pub use crate::verify::BoundTo;

    pub mod url {
        pub use crate::syntax::url::{fault, is_same, split_after_host};
    }
}
