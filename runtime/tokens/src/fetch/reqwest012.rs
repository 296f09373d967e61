//! reqwest 0.12.

// `reqwest.rs` takes the crate from here.
use reqwest012 as reqwest;

#[path = "reqwest.rs"]
#[allow(clippy::duplicate_mod, reason = "`reqwest` is another crate there")]
mod client;
