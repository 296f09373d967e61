#![cfg_attr(
    all(doc, not(doctest), feature = "macros"),
    doc = doorward_macros::__page!(README)
)]
#![cfg_attr(
    not(all(doc, not(doctest), feature = "macros")),
    doc = "OAuth2 security for Rust web services, declared in attributes."
)]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(doc, not(doctest), feature = "macros"))]
pub mod guide;

#[doc(inline)]
pub use doorward_core::*;
#[cfg(feature = "jwt")]
#[doc(inline)]
pub use doorward_tokens::jwt;

/// The forms of the token endpoint
/// ([RFC 6749, 3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)) and of the endpoints
/// next to it.
pub mod form {
    #[doc(inline)]
    pub use doorward_core::form::*;
    #[cfg(feature = "macros")]
    pub use doorward_macros::RequestForm;
}

/// Verified tokens: their verifiers, their claims, and their refusals.
pub mod verify {
    #[doc(inline)]
    pub use doorward_core::verify::*;
    #[cfg(feature = "fetch")]
    #[doc(inline)]
    pub use doorward_tokens::verify::*;
}

/// Tools for tests.
#[cfg(feature = "testing")]
pub mod testing {
    #[doc(inline)]
    pub use doorward_core::testing::*;
    #[cfg(feature = "jwt")]
    #[doc(inline)]
    pub use doorward_tokens::testing::*;
}

/// Makes a scheme that names no verifier a dependency, verified by a `TokenVerifier`.
#[cfg(feature = "jwt")]
#[doc(hidden)]
#[macro_export]
macro_rules! __verified_jwt {
    ($scheme:ident, $claims:ty; $($own_error:tt)*) => {
        $crate::__verified!($scheme, $claims, $crate::jwt::TokenVerifier<$claims>; $($own_error)*);
    };
}

/// Reports a scheme that names no verifier, where there is no `TokenVerifier`.
#[cfg(not(feature = "jwt"))]
#[doc(hidden)]
#[macro_export]
macro_rules! __verified_jwt {
    ($scheme:ident, $claims:ty; $($own_error:tt)*) => {
        ::core::compile_error!(
            "`verified` takes JSON Web Tokens with the feature `jwt-aws-lc` or `jwt-rust-crypto` of doorward; enable one, or name the verifier: `verified = Claims, by = Tokens`"
        );
        $crate::__rejected!($scheme);
    };
}

/// Exports the macros, each with its page.
#[cfg(feature = "macros")]
macro_rules! macros {
    ($($(#[$attribute:meta])* $name:ident)*) => {$(
        $(#[$attribute])*
        #[cfg_attr(doc, doc = doorward_macros::__page!(macros/$name))]
        pub use doorward_macros::$name;
    )*};
}

#[cfg(feature = "macros")]
macros! {
    Grant
    PasswordRequestForm
    RequestForm
    api_key
    dependency
    http
    http_basic
    http_bearer
    http_digest
    layer
    oauth2
    oauth2_authorization_code_bearer
    oauth2_bearer
    oauth2_password_bearer
    one_of
    open_id_connect
    operation
    plan
    public
    secured
}

#[cfg(feature = "macros")]
#[doc(hidden)]
pub use doorward_macros::security;
