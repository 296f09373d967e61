#![doc = include_str!("../docs/links.md")]
#![doc = include_str!("../docs/README.md")]

/// Declares a module for each page.
macro_rules! pages {
    ($($(#[$attribute:meta])* $page:ident)*) => {$(
        $(#[$attribute])*
        #[doc = include_str!("../docs/links.md")]
        #[doc = include_str!(concat!("../docs/", stringify!($page), ".md"))]
        pub mod $page {}
    )*};
}

pages! {
    schemes
    challenges
    forms
    dependencies
    verified_tokens
    keycloak
    auth0
    entra_id
    cognito
    google
    own_login
    own_issuer
    // Its examples need another library, and are compiled by `tests/other-verifiers`.
    #[cfg(not(doctest))]
    other_verifiers
    // Its code is that of `examples/mcp`.
    #[cfg(not(doctest))]
    mcp
    alternatives
    api_description
    frameworks
    // Its examples need the framework, loco.
    #[cfg(not(doctest))]
    loco
    // Its examples need the framework, leptos.
    #[cfg(not(doctest))]
    leptos
    // Its examples need the framework, dioxus.
    #[cfg(not(doctest))]
    dioxus
    token_endpoint
    grants
    authorization_code
    device_codes
    token_exchange
    revocation
    testing
    compile_errors
    security
    roles_and_scopes
    api_keys
    cookies_and_csrf
    // Its examples need other libraries, and are compiled by `tests/other-libraries`.
    #[cfg(not(doctest))]
    sessions
    status_401_and_403
    refresh_tokens
    websockets
    logging
    // Its examples need other libraries, and are compiled by `tests/other-libraries`.
    #[cfg(not(doctest))]
    rate_limits
    behind_a_proxy
    upgrading
    from_fastapi
    from_extractors
    // The examples of the next five need other libraries, and are compiled by
    // `tests/other-libraries`.
    #[cfg(not(doctest))]
    from_jwt_authorizer
    #[cfg(not(doctest))]
    from_actix_web_httpauth
    #[cfg(not(doctest))]
    from_axum_login
    #[cfg(not(doctest))]
    from_poem_openapi
    #[cfg(not(doctest))]
    from_utoipa_modify
    features
    performance
    comparison
    how_it_is_tested
}
