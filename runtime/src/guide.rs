//! The pages of the guide. The [front page](crate) has their order. Their code is that of files,
//! which are compiled and run: `tests/tests/behaviour/excerpts.rs` compares them.

/// Declares a module for each page.
macro_rules! pages {
    ($($page:ident)*) => {$(
        #[doc = doorward_macros::__page!($page)]
        pub mod $page {}
    )*};
}

pages! {
    schemes
    verified_tokens
    dependencies
    permissions
    alternatives
    doors
    api_description
    testing
    production
    security
    cookbook
    issuers
    frameworks
    bound_tokens
    challenges
    browsers
    password_login
    token_endpoint
    providers
    mcp
    grpc
    from_fastapi
    from_other_crates
    troubleshooting
}
