//! Records an event for each decision, with the feature `tracing`. The level is `DEBUG`, or `ERROR`
//! if the service's own code is at fault. An event never contains a part of the request.
//!
//! The check of the level is inlined, so a decision costs next to nothing without a subscriber. The
//! code that records an event is not inlined.

use core::fmt::Display;
#[cfg(feature = "jwt")]
use core::time::Duration;

use crate::credential::reason::RejectionReason;

/// Evaluates `$record` if a subscriber may be interested in events of the level. Does nothing
/// without the feature `tracing`.
macro_rules! when_enabled {
    ($level:ident, $record:expr) => {
        #[cfg(feature = "tracing")]
        if tracing::level_filters::LevelFilter::current()
            >= tracing::level_filters::LevelFilter::$level
        {
            $record
        }
    };
}

/// Returns `true` if a subscriber may be interested in decisions.
#[inline(always)]
pub(crate) fn is_heard() -> bool {
    when_enabled!(DEBUG, return true);
    false
}

/// Makes a decision that may be recorded. Not inlined, so the code without a subscriber does not
/// have to keep values for an event.
#[cold]
#[inline(never)]
pub(crate) fn heard<T>(decide: impl FnOnce() -> T) -> T {
    decide()
}

/// Records whether a scheme found a credential.
pub(crate) fn scheme<T>(
    _scheme: &str,
    found: Result<T, RejectionReason>,
) -> Result<T, RejectionReason> {
    when_enabled!(
        DEBUG,
        record::scheme(_scheme, found.as_ref().err().map(|reason| reason.as_str()))
    );
    found
}

/// Records that a dependency refused a request.
#[inline(always)]
pub(crate) fn dependency(_dependency: &'static str) {
    when_enabled!(DEBUG, record::dependency(_dependency));
}

/// Records that an extractor of a dependency refused a request.
#[inline(always)]
pub(crate) fn extractor(_dependency: &'static str, _parameter: &'static str) {
    when_enabled!(DEBUG, record::extractor(_dependency, _parameter));
}

/// Records that a form was read.
#[inline(always)]
pub(crate) fn form_was_read() {
    when_enabled!(DEBUG, record::form(None));
}

/// Records the faults of a form as their kinds and field names.
pub(crate) fn form_was_refused(_error: &dyn Display) {
    when_enabled!(DEBUG, record::form(Some(_error)));
}

/// Records the faults of a body, if it has any.
#[inline(always)]
pub(crate) fn form_faults<T, E: Display>(_read: &Result<T, E>) {
    if let Err(_error) = _read {
        when_enabled!(DEBUG, record::form(Some(_error)));
    }
}

/// Records whether a client sent credentials.
#[inline(always)]
pub(crate) fn client<T, E: Display>(_found: &Result<Option<T>, E>) {
    when_enabled!(
        DEBUG,
        record::client(
            _found
                .as_ref()
                .map(Option::is_some)
                .map_err(|error| error as &dyn Display)
        )
    );
}

/// Records that a refusal has a success status, or no status.
#[inline(always)]
pub(crate) fn refusal_without_an_error(_status: u16) {
    when_enabled!(ERROR, record::refusal_without_an_error(_status));
}

/// Records that a rejection is not sent as the service has written it.
#[cold]
pub(crate) fn faulty_rejection(_status: u16, _rule: &'static str, _what: &'static str) {
    when_enabled!(ERROR, record::faulty_rejection(_status, _rule, _what));
}

/// Records that a setting of a scheme cannot be used, and why.
#[cold]
pub(crate) fn setting_not_usable(_scheme: &str, _reason: &dyn Display) {
    when_enabled!(ERROR, record::setting_not_usable(_scheme, _reason));
}

/// Records that a description does not have the whole of a scheme, and why.
#[cfg(feature = "utoipa6")]
#[cold]
pub(crate) fn scheme_not_described(_scheme: &str, _reason: &str) {
    when_enabled!(ERROR, record::scheme_not_described(_scheme, _reason));
}

/// Records that a request needs a `Shared<T>` that the service has not installed, and how the
/// framework takes it.
#[cold]
pub(crate) fn shared_not_installed(_shared: &'static str, _how: &'static str) {
    when_enabled!(ERROR, record::shared_not_installed(_shared, _how));
}

/// Records why a token is refused. The caller does not learn it.
#[cold]
pub(crate) fn token_refused(_reason: &'static str) {
    when_enabled!(DEBUG, record::token_refused(_reason));
}

/// Records that a token cannot be verified, because nobody has said whom tokens are for.
#[cfg(feature = "jwt")]
#[cold]
pub(crate) fn no_audience() {
    when_enabled!(ERROR, record::no_audience());
}

/// Records that the keys of an issuer could not be fetched, and how long the old ones are used.
#[cfg(feature = "jwt")]
#[cold]
pub(crate) fn keys_not_fetched(_error: &str, _remaining: Duration) {
    when_enabled!(ERROR, record::keys_not_fetched(_error, _remaining));
}

/// Records that an issuer publishes no key for signatures.
#[cfg(feature = "jwt")]
#[cold]
pub(crate) fn no_keys(_url: &str) {
    when_enabled!(ERROR, record::no_keys(_url));
}

/// Records that a late refusal cannot be sent, and why.
#[cfg(feature = "tower")]
#[cold]
pub(crate) fn late_refusal_not_sent(_reason: &'static str) {
    when_enabled!(ERROR, record::late_refusal_not_sent(_reason));
}

/// Records that a dependency tried to read the body.
#[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1"))]
#[inline(always)]
pub(crate) fn body_in_dependency(_extractor: &'static str) {
    when_enabled!(ERROR, record::body_in_dependency(_extractor));
}

/// Records that a secured handler refused a request as a hoop, and that salvo runs the next hoop.
#[cfg(feature = "salvo1")]
#[inline(always)]
pub(crate) fn hoop_goes_on() {
    when_enabled!(ERROR, record::hoop_goes_on());
}

#[cfg(feature = "tracing")]
mod record {
    use core::fmt::Display;
    #[cfg(feature = "jwt")]
    use core::time::Duration;

    use tracing::{debug, error};

    #[cold]
    pub(super) fn scheme(scheme: &str, refusal: Option<&str>) {
        match refusal {
            None => debug!(scheme, "a credential was found"),
            Some(refusal) => debug!(scheme, refusal, "no credential was found"),
        }
    }

    #[cold]
    pub(super) fn dependency(dependency: &str) {
        debug!(dependency, "a dependency refused the request");
    }

    #[cold]
    pub(super) fn extractor(dependency: &str, parameter: &str) {
        debug!(
            dependency,
            parameter, "an extractor of a dependency refused the request"
        );
    }

    #[cold]
    pub(super) fn form(error: Option<&dyn Display>) {
        match error {
            None => debug!("a form was read"),
            Some(error) => debug!(%error, "a form was refused"),
        }
    }

    #[cold]
    pub(super) fn client(found: Result<bool, &dyn Display>) {
        match found {
            Ok(true) => debug!("a client's credentials were found"),
            Ok(false) => debug!("no client's credentials were found"),
            Err(error) => debug!(%error, "a client's credentials were refused"),
        }
    }

    #[cold]
    pub(super) fn refusal_without_an_error(status: u16) {
        error!(
            status,
            "a dependency refused the request with a status of success; the answer is a 500"
        );
    }

    #[cold]
    pub(super) fn faulty_rejection(status: u16, rule: &str, what: &str) {
        error!(status, "in a `Rejection`: {rule}; {what}");
    }

    #[cold]
    pub(super) fn setting_not_usable(scheme: &str, reason: &dyn Display) {
        error!(
            scheme,
            %reason,
            "a setting of a scheme cannot be used, so every request is answered with a 500"
        );
    }

    #[cfg(feature = "utoipa6")]
    #[cold]
    pub(super) fn scheme_not_described(scheme: &str, reason: &str) {
        error!(
            scheme,
            reason, "the description of a scheme is not complete"
        );
    }

    #[cfg(feature = "tower")]
    #[cold]
    pub(super) fn late_refusal_not_sent(reason: &str) {
        error!(reason, "a late refusal is not the answer to the request");
    }

    #[cold]
    pub(super) fn token_refused(reason: &str) {
        debug!(reason, "a token was refused");
    }

    #[cfg(feature = "jwt")]
    #[cold]
    pub(super) fn no_audience() {
        error!(
            "a verifier knows no audience, so the answer is a 500; call `audience` on its builder, or declare the `resource` \
             of the scheme"
        );
    }

    #[cfg(feature = "jwt")]
    #[cold]
    pub(super) fn keys_not_fetched(error: &str, remaining: Duration) {
        error!(
            error,
            old_keys_for_seconds = remaining.as_secs(),
            "the keys of an issuer could not be fetched"
        );
    }

    #[cfg(feature = "jwt")]
    #[cold]
    pub(super) fn no_keys(url: &str) {
        error!(
            url,
            "an issuer publishes no key for signatures, so its tokens are refused"
        );
    }

    #[cold]
    pub(super) fn shared_not_installed(shared: &str, how: &str) {
        error!("`Shared<{shared}>` is not installed, so the answer is a 500; {how}");
    }

    #[cfg(any(feature = "actix-web4", feature = "poem3", feature = "salvo1"))]
    #[cold]
    pub(super) fn body_in_dependency(extractor: &'static str) {
        error!(
            extractor,
            "a dependency tried to read the body, which is for the handler; the answer is a 500"
        );
    }

    #[cfg(feature = "salvo1")]
    #[cold]
    pub(super) fn hoop_goes_on() {
        error!(
            "a secured handler refused the request as a hoop of a service or a catcher, where salvo goes on with the next hoop; use \
             `tollgate::salvo1::SecurityHoop`"
        );
    }
}
