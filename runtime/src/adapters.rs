//! The adapters, one module for each framework. An adapter passes requests to the schemes and
//! forms, and turns their rejections into the framework's responses.

#[cfg(feature = "actix-web4")]
pub mod actix_web4;
#[cfg(feature = "axum08")]
pub mod axum08;
#[cfg(any(feature = "actix-web4", feature = "rocket05"))]
mod copied_head;
#[cfg(any(
    feature = "axum08",
    feature = "actix-web4",
    feature = "poem3",
    feature = "rocket05",
    feature = "salvo1"
))]
pub(crate) mod extractors;
#[cfg(any(feature = "axum08", feature = "tower"))]
mod metadata_service;
#[cfg(feature = "poem3")]
pub mod poem3;
#[cfg(feature = "rocket05")]
pub mod rocket05;
#[cfg(feature = "salvo1")]
pub mod salvo1;
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1"))]
mod stand_in;
#[cfg(any(feature = "actix-web4", feature = "warp04"))]
mod stream_body;
#[cfg(feature = "tower")]
pub mod tower;
#[cfg(feature = "warp04")]
pub mod warp04;
