//! reqwest 0.13.

// `reqwest.rs` takes the crate from here.
use ::reqwest;

#[path = "reqwest.rs"]
mod client;
