//! What several adapters share.

#[cfg(any(feature = "actix-web4", feature = "rocket05"))]
pub(crate) mod copied_head;
mod extracted;
pub(crate) mod extractors;
#[cfg(any(
    feature = "axum08",
    feature = "actix-web4",
    feature = "poem3",
    feature = "rocket05",
    feature = "salvo1"
))]
pub(crate) mod from_body;
mod http_response;
#[cfg(any(feature = "rmcp3", feature = "tonic014"))]
pub(crate) mod resolve_all;
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "tower"))]
pub(crate) mod security_service;
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1"))]
pub(crate) mod stand_in;
#[cfg(any(feature = "actix-web4", feature = "warp04"))]
pub(crate) mod stream_body;
