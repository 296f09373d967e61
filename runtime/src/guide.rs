//! The pages of the guide. The [front page](crate) has their order.

/// Declares a module for each page.
macro_rules! pages {
    ($($(#[$attribute:meta])* $page:ident)*) => {$(
        $(#[$attribute])*
        #[cfg_attr(not(doctest), doc = tollgate_macros::__page!($page))]
        #[cfg_attr(doctest, doc = include_str!(concat!("../docs/", stringify!($page), ".md")))]
        pub mod $page {}
    )*};
}

pages! {
    // The code of these is that of files, which are compiled: `tests/tests/behaviour/excerpts.rs`.
    #[cfg(not(doctest))]
    schemes
    #[cfg(not(doctest))]
    verified_tokens
    #[cfg(not(doctest))]
    dependencies
    #[cfg(not(doctest))]
    permissions
    #[cfg(not(doctest))]
    alternatives
    #[cfg(not(doctest))]
    doors
    #[cfg(not(doctest))]
    api_description
    #[cfg(not(doctest))]
    testing
    #[cfg(not(doctest))]
    production
    #[cfg(not(doctest))]
    security
    #[cfg(not(doctest))]
    api_keys
    #[cfg(not(doctest))]
    issuers
    #[cfg(not(doctest))]
    policy_engines
    #[cfg(not(doctest))]
    frameworks
    #[cfg(not(doctest))]
    other_verifiers
    #[cfg(not(doctest))]
    challenges
    #[cfg(not(doctest))]
    browsers
    #[cfg(not(doctest))]
    password_login
    #[cfg(not(doctest))]
    token_endpoint
    #[cfg(not(doctest))]
    authorization_code
    #[cfg(not(doctest))]
    providers
    #[cfg(not(doctest))]
    mcp
    #[cfg(not(doctest))]
    holes
    #[cfg(not(doctest))]
    from_fastapi
    #[cfg(not(doctest))]
    from_other_crates
    compile_errors
    troubleshooting
}
