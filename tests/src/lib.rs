//! Code that the tests share with the conformance server: the schemes, the grants, results as JSON,
//! the vectors, a client that sends bytes unchanged, the API descriptions, and the contract as slow
//! and simple code.

pub mod act;
pub mod by_the_book;
pub mod chains;
pub mod challenged;
pub mod client;
pub mod credentials;
pub mod description;
pub mod format;
pub mod grants;
pub mod jwt;
pub mod opaque;
pub mod proof;
pub mod rfc;
pub mod schemes;
pub mod server;
pub mod shown;
pub mod vectors;

/// The README's code, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
pub struct Readme;

/// The code of the guide's front page, compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../runtime/docs/README.md")]
pub struct FrontPage;

/// The guide's code, compiled and run.
#[cfg(doctest)]
#[path = "../../runtime/src/guide.rs"]
pub mod guide;
