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
            [T: $crate::form::OwnedForm $($bound)*] $crate::adapters::shared::extractors::PasswordForm<T>, $crate::form::error::FormError;
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
#[cfg(feature = "tower")]
pub mod http;
#[cfg(feature = "poem3")]
pub mod poem3;
#[cfg(feature = "rmcp3")]
pub mod rmcp3;
#[cfg(feature = "rocket05")]
pub mod rocket05;
#[cfg(feature = "salvo1")]
pub mod salvo1;
pub(crate) mod shared;
#[cfg(feature = "tonic014")]
pub mod tonic014;
#[cfg(any(feature = "utoipa-axum02", feature = "utoipa-axum03"))]
pub(crate) mod utoipa_axum;
#[cfg(feature = "warp04")]
pub mod warp04;
