//! The parts that a verifier of JSON Web Tokens and one of opaque tokens have in common.

pub(crate) mod build_error;
pub(crate) mod claims;
pub(crate) mod clock;
pub(crate) mod discovery;
pub(crate) mod documents;
pub(crate) mod flights;
pub(crate) mod http_hosts;
pub(crate) mod memory;
pub(crate) mod once_a_minute;
#[cfg(test)]
mod orders;
pub(crate) mod reason;
pub(crate) mod refusal;
pub(crate) mod rules;
mod runtime;
pub(crate) mod scopes_at;
pub(crate) mod settings;
