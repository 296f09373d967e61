//! A plan: a dependency, the scopes required of it, and the table of all its dependencies.
//!
//! The table is built at compile time and has three readers. A request looks up the scopes of each
//! dependency in it, the compiler checks them against the scopes that the schemes declare, and the
//! API description lists them.

#[cfg(any(feature = "axum08", feature = "openapi"))]
pub(crate) mod alternatives;
pub(crate) mod arguments;
pub(crate) mod branch;
pub(crate) mod challenges;
pub(crate) mod check;
pub(crate) mod cursor;
#[cfg(any(feature = "axum08", feature = "openapi"))]
pub(crate) mod decisions;
pub(crate) mod declaration;
pub(crate) mod extent;
pub(crate) mod gathered;
pub(crate) mod granted;
mod hierarchy;
mod layout;
pub(crate) mod node;
pub(crate) mod output_kind;
pub(crate) mod required;
pub(crate) mod security_scopes;
mod subtree;
pub(crate) mod table;
pub(crate) mod trace;
