//! Records events that say in words what was found, with the feature `tracing`. That of a decision is
//! in `dependency/decision.rs`. The level is `DEBUG` for a refusal, `TRACE` for what was found, because
//! every good request has that, and `ERROR` if the service's own code is at fault. Of a request, an
//! event has nothing but the parts of a refused token that `jwt/explanation.rs` lists.
//!
//! The check of the level is inlined, so a decision costs next to nothing without a subscriber. The
//! code that records an event is not inlined.

use core::fmt::Display;

#[cfg(feature = "tracing")]
use tracing::level_filters::LevelFilter;

/// Returns `true` if a subscriber, or a logger, may be interested in decisions.
#[inline]
#[must_use]
pub fn is_heard() -> bool {
    #[cfg(feature = "tracing")]
    return may_be_heard(LevelFilter::DEBUG);
    #[cfg(not(feature = "tracing"))]
    false
}

/// Returns `true` if a subscriber may be interested in events of this level. Without one, tracing
/// writes them to the crate `log` with the feature `log`, so they are recorded: only tracing itself
/// knows whether a logger is interested.
#[doc(hidden)]
#[cfg(feature = "tracing")]
#[inline]
#[must_use]
pub fn may_be_heard(level: LevelFilter) -> bool {
    let current = LevelFilter::current();
    current >= level || cfg!(feature = "log") && current == LevelFilter::OFF
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
#[doc(hidden)]
#[macro_export]
macro_rules! __events {
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

                if $crate::__tokens::may_be_heard(LevelFilter::$level) {
                    record($($argument),*);
                }
            }
        }
    )*};
}
pub(crate) use __events as events;

events! {
    TRACE credential_was_found(scheme: &str) {
        scheme, "a credential was found"
    }

    DEBUG no_credential_was_found(scheme: &str, reason: &str) {
        scheme, reason, "no credential was found"
    }

    DEBUG goes_on_without_a_credential(scheme: &str, reason: &str) {
        scheme, reason, "the request goes on without a credential"
    }

    #[inline]
    TRACE client_was_found() {
        "a client's credentials were found"
    }

    #[inline]
    DEBUG no_client_was_found() {
        "the client has sent no credentials, and the handler decides"
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

    #[cold]
    ERROR extension_not_there(value: &str) {
        "nothing has put a `{value}` into the request, so the answer is a 500; put it there in a layer around the route"
    }

    #[cfg(feature = "tower")]
    #[cold]
    ERROR late_refusal_not_sent(reason: &str) {
        reason, "a late refusal is not the answer to the request"
    }

    #[cfg(feature = "rmcp3")]
    #[cold]
    WARN granted_tools_not_listed() {
        "`list = granted` lists public tools alone, because no layer above keeps the tokens of the request; call \
         `layer!(…).with_late_refusals()`"
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

    /// A verified token lacks a scope.
    DEBUG token_lacks_scopes(required: &str) {
        reason = "the token does not grant the required scopes",
        expected = required,
        "a token was refused"
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
