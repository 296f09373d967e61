//! utoipa-axum 0.2, which has utoipa 5. The names are those of `utoipa_axum03`, which has an
//! example.

// `router.rs` takes the crates from here.
use {utoipa_axum02 as plain, utoipa5 as utoipa};

#[path = "router.rs"]
#[allow(clippy::duplicate_mod, reason = "the crates are of other versions there")]
pub(crate) mod router;

pub use self::router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt};
/// `routes!` of utoipa-axum, for handlers that `#[secured]` or `#[public]` declares. It names the
/// crates `axum` and `utoipa`, so `utoipa` is version 5 in the program that calls it.
///
/// A handler is the path of a function with `#[utoipa::path]`, so `public("…", handler)` cannot be
/// one: write `#[public(reason = "…")]`.
pub use crate::__utoipa_axum02_routes as routes;
