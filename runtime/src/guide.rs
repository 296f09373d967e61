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
    schemes
    dependencies
    verified_tokens
    alternatives
    api_description
    frameworks
    doors
    testing
    security
    compile_errors
    troubleshooting
    providers
    // Its examples need another library, and are compiled by `tests/other-verifiers`.
    #[cfg(not(doctest))]
    other_verifiers
    challenges
    password_login
    token_endpoint
    authorization_code
    // Its code is that of `examples/mcp`.
    #[cfg(not(doctest))]
    mcp
    // The examples of these need other libraries, and are compiled by `tests/other-libraries`.
    #[cfg(not(doctest))]
    permissions
    #[cfg(not(doctest))]
    browsers
    #[cfg(not(doctest))]
    production
    // Its code is that of tests.
    #[cfg(not(doctest))]
    holes
    from_fastapi
    #[cfg(not(doctest))]
    from_other_crates
}
