//! The events about tokens. `doorward-core` has those about requests.

#[cfg(feature = "jwt")]
use core::fmt::Display;
#[cfg(feature = "jwt")]
use core::time::Duration;

use doorward_core::__events as events;
#[cfg(feature = "jwt")]
pub(crate) use doorward_core::__tokens::is_heard;

/// The details in the log about a refused token, in addition to the reason.
#[derive(Default)]
#[cfg_attr(not(feature = "tracing"), expect(dead_code, reason = "nothing is recorded"))]
pub(crate) struct Details<'d> {
    pub(crate) expected: Option<&'d str>,
    pub(crate) found: Option<&'d str>,
    /// The setting that would change the decision.
    pub(crate) setting: Option<&'d str>,
    /// The other checks that the token fails.
    pub(crate) also: Option<&'d str>,
}

events! {
    /// The caller does not learn the reason.
    #[cold]
    DEBUG token_refused(reason: &str, details: &Details<'_>) {
        reason,
        expected = details.expected,
        found = details.found,
        setting = details.setting,
        also = details.also,
        "a token was refused"
    }

    /// `keys` are the URL of the keys, or `None` if the service has been given them.
    #[cfg(feature = "jwt")]
    #[cold]
    WARN key_left_out(url: Option<&str>, reason: &str) {
        url, reason, "a key of a set is left out, so tokens that it has signed are refused"
    }

    #[cold]
    WARN asked_by_http(url: &str) {
        url, "an issuer is asked by `http`, so an attacker who can change the answer can sign tokens"
    }

    /// The date is in seconds since 1970.
    #[cfg(feature = "jwt")]
    #[cold]
    WARN short_secret(until: f64) {
        until,
        "tokens of a shared secret that is too short are accepted until a date; anyone who has one can guess the secret, and sign \
         others"
    }

    #[cfg(feature = "jwt")]
    #[cold]
    WARN weak_secret(bytes: usize) {
        bytes,
        "tokens of a shared secret that is too short are accepted; anyone who has one can guess the secret, and sign others"
    }

    #[cfg(feature = "jwt")]
    #[cold]
    WARN expiry_in_milliseconds(issuer: &str) {
        issuer,
        "an issuer writes `exp` in milliseconds, so its tokens are refused; RFC 7519 has seconds"
    }

    #[cold]
    ERROR no_audience() {
        "a verifier knows no audience, so the answer is a 500; call `audience` on its builder, or `client_id` if the tokens have \
         no `aud`, or declare the `resource` of the scheme"
    }

    /// The error may have parts of the request, so it is for the function's own log.
    #[cold]
    ERROR refusal_not_decided() {
        "a function of `refuse_if` returned an error, so the answer is a 503"
    }

    #[cfg(feature = "jwt")]
    #[cold]
    ERROR token_not_signed(error: &dyn Display) {
        %error, "a token could not be signed, so the answer is a 500"
    }

    /// The old keys are used for the remaining time.
    #[cfg(feature = "jwt")]
    #[cold]
    ERROR keys_not_fetched(error: &str, remaining: Duration) {
        error,
        old_keys_for_seconds = remaining.as_secs(),
        "the keys of an issuer could not be fetched"
    }

    /// The last fetch had failed.
    #[cfg(feature = "jwt")]
    #[cold]
    INFO keys_fetched_again(url: &str) {
        url, "the keys of an issuer could be fetched again"
    }

    #[cfg(feature = "jwt")]
    #[cold]
    ERROR issuer_not_resolved(issuer: &str, error: &str) {
        issuer, error, "an issuer could not be looked up, or its metadata not fetched"
    }

    #[cfg(feature = "introspection")]
    #[cold]
    ERROR login_refused(url: &str, status: u16) {
        url,
        status,
        "the issuer refuses the login with which it is asked about tokens, so every token is answered with a 503"
    }

    #[cfg(feature = "introspection")]
    #[cold]
    ERROR token_not_looked_up(place: &str, error: &str) {
        place, error, "an issuer could not be asked about tokens, so they are answered with a 503"
    }

    /// The issuer is what a token says, so it is not recorded.
    #[cfg(feature = "jwt")]
    #[cold]
    DEBUG new_issuer_not_resolved() {
        "an issuer that has had no verifier yet could not be looked up, or not be asked"
    }

    #[cfg(feature = "jwt")]
    #[cold]
    ERROR no_keys(url: &str) {
        url, "an issuer publishes no key for signatures, so its tokens are refused"
    }
}
