//! The API description ([OpenAPI 3.1](https://spec.openapis.org/oas/v3.1.1.html)), generated from
//! the data that checks the requests: the configuration of schemes, the plan of a handler, and the
//! fields of a form.
//!
//! Each OpenAPI object is data that serializes into it, independent of any framework:
//!
//! | object | made from |
//! |---|---|
//! | [Security Scheme](https://spec.openapis.org/oas/v3.1.1.html#security-scheme-object) | [`SchemeConfig`](crate::scheme::SchemeConfig): `OAuth2::CONFIG` |
//! | [Security Requirement](https://spec.openapis.org/oas/v3.1.1.html#security-requirement-object) | [`Operation::security`]: `operation!(handler)` |
//! | [Response](https://spec.openapis.org/oas/v3.1.1.html#response-object) to a refused request | [`Operation::responses`] |
//! | [Schema](https://spec.openapis.org/oas/v3.1.1.html#schema-object) of a form | [`FormSchema`]: `Login::schema()` |
//!
//! [`Document`] adds them to an existing description, which may be of OpenAPI 3.0 as well. With the feature `utoipa5` or `utoipa6`,
//! `SecurityAddon` does the same for documents of [utoipa](https://docs.rs/utoipa) 5 or 6.
//!
//! ```
//! use serde_json::json;
//! use doorward::openapi::Document;
//! use doorward::{
//!     BearerError, BearerToken, SecurityScopes, dependency, http_bearer, operation, secured,
//! };
//!
//! #[http_bearer(scopes("me" = "Read the user.", "items" = "Read items."))]
//! struct Api;
//!
//! #[dependency]
//! fn current_user(
//!     #[security(Api)] _token: BearerToken,
//!     scopes: SecurityScopes,
//! ) -> Result<String, BearerError> {
//!     Err(scopes.invalid_token()) // rejects every token, until tokens are verified here
//! }
//!
//! #[dependency]
//! fn active_user(#[security(current_user, scopes("me"))] user: String) -> String {
//!     user
//! }
//!
//! #[secured]
//! async fn own_items(#[security(active_user, scopes("items"))] user: String) -> String {
//!     user
//! }
//!
//! let mut document = Document::new(json!({
//!     "openapi": "3.1.0",
//!     "info": { "title": "Items", "version": "1" },
//!     "paths": { "/items": { "get": { "operationId": "own_items", "responses": {} } } }
//! }))?;
//! document.operation("own_items")?.secure(&operation!(own_items))?;
//!
//! let document = serde_json::Value::from(document.into_json());
//! assert_eq!(document["paths"]["/items"]["get"]["security"], json!([{ "Api": ["items", "me"] }]));
//! assert_eq!(document["components"]["securitySchemes"]["Api"]["scheme"], "bearer");
//! # Ok::<(), doorward::openapi::DocumentError>(())
//! ```

mod answers;
mod audit;
mod deciding;
mod document;
#[cfg(feature = "testing")]
mod filled;
mod location;
mod operation;
mod scheme;
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub(crate) mod utoipa;
mod v3_0;

pub use self::audit::audit;
pub use self::document::{Document, DocumentError, OperationMut};
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub(crate) use self::operation::Requirement;
pub use self::operation::{Operation, SecurityRequirement};
#[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
pub use self::utoipa::{SecurityAddon, secure, secure_all};
pub use crate::form::schema::FormSchema;
pub use crate::syntax::json::tree::Json;

/// The extension of an operation that lists the dependencies which check more than its schemes say.
const VIA: &str = "x-via";

/// The extension of a utoipa operation that carries the requirement of its handler.
const EXTENSION: &str = "x-doorward";
