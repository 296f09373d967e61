//! Records an event for each decision, with the feature `tracing`. The level is `DEBUG` for a refusal,
//! `TRACE` for what was found, because every good request has that, and `ERROR` if the service's own
//! code is at fault. Of a request, an event has nothing but the parts of a refused
//! token that `jwt/explanation.rs` lists.
//!
//! The check of the level is inlined, so a decision costs next to nothing without a subscriber. The
//! code that records an event is not inlined.

use core::fmt::Display;
#[cfg(feature = "jwt")]
use core::time::Duration;

#[cfg(feature = "tracing")]
use tracing::level_filters::LevelFilter;

/// Returns `true` if a subscriber may be interested in decisions.
#[inline]
pub(crate) fn is_heard() -> bool {
    #[cfg(feature = "tracing")]
    if LevelFilter::current() >= LevelFilter::DEBUG {
        return true;
    }
    false
}

/// Makes a decision that may be recorded. Not inlined, so the code without a subscriber does not
/// have to keep values for an event.
#[cold]
#[inline(never)]
pub(crate) fn heard<T>(decide: impl FnOnce() -> T) -> T {
    decide()
}

/// Declares the functions that record one event each, if a subscriber may be interested in its
/// level. All have one target, so a filter does not depend on where the crate keeps them.
macro_rules! events {
    ($(
        $(#[$attribute:meta])*
        $level:ident $name:ident($($argument:ident: $type:ty),*) { $($event:tt)* }
    )*) => {$(
        $(#[$attribute])*
        #[cfg_attr(
            not(feature = "tracing"),
            allow(unused_variables, reason = "some events have no arguments")
        )]
        pub(crate) fn $name($($argument: $type),*) {
            #[cfg(feature = "tracing")]
            {
                use tracing::{Level, level_filters::LevelFilter};

                #[cold]
                fn record($($argument: $type),*) {
                    tracing::event!(target: "doorward::trace", Level::$level, $($event)*);
                }

                if LevelFilter::current() >= LevelFilter::$level {
                    record($($argument),*);
                }
            }
        }
    )*};
}
pub(crate) use events;

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
    TRACE credential_was_found(scheme: &str) {
        scheme, "a credential was found"
    }

    DEBUG no_credential_was_found(scheme: &str, refusal: &str) {
        scheme, refusal, "no credential was found"
    }

    #[inline]
    TRACE client_was_found() {
        "a client's credentials were found"
    }

    #[inline]
    DEBUG no_client_was_found() {
        "no client's credentials were found"
    }

    DEBUG client_was_refused(error: &dyn Display) {
        %error, "a client's credentials were refused"
    }

    #[inline]
    TRACE form_was_read() {
        "a form was read"
    }

    /// The error is the faults, as their kinds and field names.
    DEBUG form_was_refused(error: &dyn Display) {
        %error, "a form was refused"
    }

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

    #[cfg(any(feature = "jwt", feature = "introspection"))]
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

    #[cfg(any(feature = "jwt", feature = "introspection"))]
    #[cold]
    WARN memory_too_small(bytes: u32) {
        bytes,
        "half of the tokens that are looked up were remembered, and dropped because the memory is full; set `remember` to more bytes"
    }

    #[cfg(feature = "jwt")]
    #[cold]
    WARN expiry_in_milliseconds(issuer: &str) {
        issuer,
        "an issuer writes `exp` in milliseconds, so its tokens are refused; RFC 7519 has seconds"
    }

    #[inline]
    ERROR refusal_without_an_error(status: u16) {
        status,
        "a dependency refused the request with a status of success; the answer is a 500"
    }

    /// A rejection is not sent as the service has written it.
    #[cold]
    ERROR faulty_rejection(status: u16, rule: &str, what: &str) {
        status, "in a `Rejection`: {rule}; {what}"
    }

    #[cold]
    ERROR setting_not_usable(scheme: &str, reason: &dyn Display) {
        scheme,
        %reason,
        "a setting of a scheme cannot be used, so every request is answered with a 500"
    }

    #[cfg(any(feature = "utoipa5", feature = "utoipa6"))]
    #[cold]
    ERROR scheme_not_described(scheme: &str, reason: &str) {
        scheme, reason, "the description of a scheme is not complete"
    }

    /// `how` says how the framework takes the value.
    #[cold]
    ERROR shared_not_installed(shared: &str, how: &str) {
        "`Shared<{shared}>` is not installed, so the answer is a 500; {how}"
    }

    #[cfg(any(feature = "jwt", feature = "introspection"))]
    #[cold]
    ERROR no_audience() {
        "a verifier knows no audience, so the answer is a 500; call `audience` on its builder, or `client_id` if the tokens have \
         no `aud`, or declare the `resource` of the scheme"
    }

    /// The error may have parts of the request, so it is for the function's own log.
    #[cfg(any(feature = "jwt", feature = "introspection"))]
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

    #[cfg(feature = "tower")]
    #[cold]
    ERROR late_refusal_not_sent(reason: &str) {
        reason, "a late refusal is not the answer to the request"
    }

    #[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1"))]
    #[inline]
    ERROR body_in_dependency(extractor: &str) {
        extractor,
        "a dependency tried to read the body, which is for the handler; the answer is a 500"
    }

    #[cfg(feature = "salvo1")]
    #[inline]
    ERROR hoop_goes_on() {
        "a secured handler refused the request as a hoop of a service or a catcher, where salvo goes on with the next hoop; use \
         `doorward::layer!`"
    }
}

/// Records the faults of a body, if it has any.
#[inline]
pub(crate) fn form_faults<T, E: Display>(read: &Result<T, E>) {
    if let Err(error) = read {
        form_was_refused(error);
    }
}

/// Records whether a client sent credentials.
#[inline]
pub(crate) fn client<T, E: Display>(found: &Result<Option<T>, E>) {
    match found {
        Ok(Some(_)) => client_was_found(),
        Ok(None) => no_client_was_found(),
        Err(error) => client_was_refused(error),
    }
}
