//! utoipa-axum, in each version for which there is a feature.

#[cfg(feature = "utoipa-axum02")]
pub mod v02;
#[cfg(feature = "utoipa-axum03")]
pub mod v03;
