//! The head of a request as the client sent it.
//!
//! A router that is nested in another one sees only the rest of the path. A proof of possession for
//! `/reports` must not be good at `/users/reports`, so a dependency that checks the target gets all
//! of it.

#[cfg(feature = "axum08")]
use axum::extract::OriginalUri;
use http::request::Parts;

/// Returns a head with the target that the client sent, which axum keeps in the extensions.
#[cfg_attr(not(feature = "axum08"), allow(unused_mut, reason = "only axum changes the target"))]
pub(crate) fn as_sent(mut head: Parts) -> Parts {
    #[cfg(feature = "axum08")]
    if let Some(OriginalUri(target)) = head.extensions.get() {
        head.uri = target.clone();
    }
    head
}
