//! The adapters, one module for each framework. An adapter passes requests to the schemes and
//! forms, and turns their rejections into the framework's responses.

/// Passes each refusal to a macro.
macro_rules! each_refusal {
    ($implement:ident) => {
        $implement!(
            $crate::refusal::rejection::Rejection,
            $crate::refusal::bearer_error::BearerError,
            $crate::form::error::FormError,
            $crate::token_endpoint::error::TokenError,
            $crate::verify::error::VerifyError
        );
    };
}

/// Passes each metadata document to a macro.
#[allow(unused_macros, reason = "used by the frameworks")]
macro_rules! each_metadata {
    ($implement:ident) => {
        $implement!(
            $crate::metadata::ResourceMetadata,
            $crate::metadata::AuthorizationServerMetadata
        );
    };
}

/// Passes each extractor that reads the body to a macro, with its error. A framework may need
/// further bounds of the form.
macro_rules! each_form {
    ($implement:ident $($bound:tt)*) => {
        $implement! {
            [T: $crate::form::OwnedForm $($bound)*] $crate::adapters::extractors::PasswordForm<T>, $crate::form::error::FormError;
            [const MAX_BYTES: usize] $crate::form::body::FormBody<MAX_BYTES>, $crate::form::error::FormError;
            [] $crate::token_endpoint::client::ClientAuthentication, $crate::token_endpoint::error::TokenError;
            [T: $crate::form::OwnedForm $($bound)*] $crate::token_endpoint::form::TokenRequest<T>, $crate::token_endpoint::error::TokenError;
            [T: $crate::form::OwnedForm $($bound)*] $crate::token_endpoint::form::ClientForm<T>, $crate::token_endpoint::error::TokenError;
        }
    };
}
pub(crate) use each_form;

#[cfg(feature = "actix-web4")]
pub mod actix_web4;
#[cfg(feature = "axum08")]
pub mod axum08;
#[cfg(any(feature = "actix-web4", feature = "rocket05"))]
mod copied_head;
pub mod extracted;
pub(crate) mod extractors;
#[cfg(any(
    feature = "axum08",
    feature = "actix-web4",
    feature = "poem3",
    feature = "rocket05",
    feature = "salvo1"
))]
mod from_body;
mod http_response;
#[cfg(feature = "tower")]
mod metadata_service;
#[cfg(feature = "poem3")]
pub mod poem3;
#[cfg(feature = "rmcp3")]
pub mod rmcp3;
#[cfg(feature = "rocket05")]
pub mod rocket05;
#[cfg(feature = "salvo1")]
pub mod salvo1;
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "tower"))]
mod security_service;
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1"))]
mod stand_in;
#[cfg(any(feature = "actix-web4", feature = "warp04"))]
mod stream_body;
#[cfg(feature = "tower")]
pub mod tower;
#[cfg(any(feature = "utoipa-axum02", feature = "utoipa-axum03"))]
pub(crate) mod utoipa_axum;
#[cfg(feature = "warp04")]
pub mod warp04;
