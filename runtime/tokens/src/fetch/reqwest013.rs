//! reqwest 0.13.

// `reqwest.rs` takes the crate from here.
use ::reqwest;

#[path = "reqwest.rs"]
mod client;

/// Creates a client that follows no redirects: with a 307, it would send the form, and with it the
/// token and the secret, to any place that the answer names.
#[cfg(feature = "introspection")]
pub(crate) fn without_redirects() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder().redirect(reqwest::redirect::Policy::none()).build()
}
