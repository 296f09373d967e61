//! utoipa-axum 0.3, which has utoipa 6.
//!
//! [`OpenApiRouter`] and [`routes!`](routes) are those of utoipa-axum, for handlers that are
//! secured or public. A service changes its imports:
//!
//! | instead of | import |
//! |---|---|
//! | `utoipa_axum::router::OpenApiRouter` | `doorward::utoipa_axum03::OpenApiRouter` |
//! | `utoipa_axum::routes` | `doorward::utoipa_axum03::routes` |
//!
//! ```
//! use serde_json::json;
//! use doorward::utoipa_axum03::{OpenApiRouter, routes};
//! use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, public, secured};
//!
//! #[http_bearer(scopes("notes:read" = "Read notes."))]
//! struct Notes;
//!
//! #[dependency]
//! fn user(#[security(Notes)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
//!     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
//! }
//!
//! #[secured]
//! #[utoipa::path(get, path = "/notes", responses((status = 200)))]
//! async fn notes(#[security(user, scopes("notes:read"))] user: String) -> String {
//!     user
//! }
//!
//! #[public(reason = "load balancers ask it")]
//! #[utoipa::path(get, path = "/health", responses((status = 200)))]
//! async fn health() {}
//!
//! let (app, document) =
//!     OpenApiRouter::<()>::new().routes(routes!(notes)).routes(routes!(health)).split_for_parts();
//! assert_eq!(
//!     app.routes().to_string(),
//!     "\
//! GET  /health  public: load balancers ask it
//! GET  /notes   Notes(notes:read)
//! "
//! );
//! let operations = json!(document.paths);
//! assert_eq!(operations["/notes"]["get"]["security"], json!([{ "Notes": ["notes:read"] }]));
//! assert_eq!(operations["/health"]["get"]["security"], json!([]));
//! ```

// `router.rs` takes the crates from here.
use {::utoipa, utoipa_axum as plain};

#[path = "router.rs"]
pub(crate) mod router;

pub use self::router::{OpenApiRouter, UtoipaMethodRouter, UtoipaMethodRouterExt};
/// `routes!` of utoipa-axum, for handlers that `#[secured]` or `#[public]` declares. It names the
/// crates `axum` and `utoipa`, so `utoipa` is version 6 in the program that calls it.
///
/// A handler is the path of a function with `#[utoipa::path]`, so `public("…", handler)` cannot be
/// one: write `#[public(reason = "…")]`.
///
/// ```compile_fail
/// use doorward::utoipa_axum03::{OpenApiRouter, routes};
///
/// #[utoipa::path(get, path = "/users", responses((status = 200)))]
/// async fn users() {}
///
/// let app = OpenApiRouter::<()>::new().routes(routes!(users));
/// ```
pub use crate::__utoipa_axum03_routes as routes;
