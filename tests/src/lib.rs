//! Code that the tests share with the conformance server: the schemes, the grants, results as JSON,
//! the vectors, a client that sends bytes unchanged, the API descriptions, the events of decisions, and
//! the contract as slow and simple code.

pub mod act;
pub mod bound;
pub mod by_the_book;
pub mod chains;
pub mod challenged;
pub mod client;
pub mod credentials;
pub mod decisions;
pub mod description;
pub mod format;
pub mod grants;
pub mod jwt;
pub mod live;
pub mod opaque;
pub mod proof;
pub mod rfc;
pub mod schemes;
pub mod server;
pub mod shown;
pub mod vectors;
pub mod waited;

/// The README's code, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The code of the guide's pages that other folders do not have, each with what its page leaves out.
#[cfg(doctest)]
pub mod guide_code {
    macro_rules! pages {
        ($($page:ident)*) => {$(
            #[doc = include_str!(concat!("../guide/", stringify!($page), ".md"))]
            pub mod $page {}
        )*};
    }

    pages! {
        README
        bound_tokens
        challenges
        frameworks
        password_login
        providers
        token_endpoint
    }
}
