//! What was decided, for the feature `tracing`: an event at the level `DEBUG`, which never has a part of the request.

/// Records whether a scheme found a credential.
#[cfg(feature = "tracing")]
pub(crate) fn scheme<S: crate::Scheme + ?Sized, T>(found: &Result<T, crate::Refusal>) {
    let scheme = S::CONFIG.scheme_name;
    match found {
        Ok(_) => tracing::debug!(scheme, "a credential was found"),
        Err(refusal) => tracing::debug!(scheme, ?refusal, "no credential was found"),
    }
}

/// Records nothing.
#[cfg(not(feature = "tracing"))]
#[inline(always)]
pub(crate) fn scheme<S: ?Sized, T>(_: &Result<T, crate::Refusal>) {}

/// Records what was wrong with a form: kinds of faults, and names of fields.
#[cfg(feature = "tracing")]
pub(crate) fn form<T>(read: &Result<T, crate::FormError>) {
    match read {
        Ok(_) => tracing::debug!("a form was read"),
        Err(error) => tracing::debug!(%error, "a form was refused"),
    }
}

/// Records nothing.
#[cfg(not(feature = "tracing"))]
#[inline(always)]
pub(crate) fn form<T>(_: &Result<T, crate::FormError>) {}

/// Records whether a client gave credentials.
#[cfg(feature = "tracing")]
pub(crate) fn client(found: &Result<Option<crate::ClientCredentials>, crate::TokenError>) {
    match found {
        Ok(Some(_)) => tracing::debug!("a client's credentials were found"),
        Ok(None) => tracing::debug!("no client's credentials were found"),
        Err(error) => tracing::debug!(%error, "a client's credentials were refused"),
    }
}

/// Records nothing.
#[cfg(not(feature = "tracing"))]
#[inline(always)]
pub(crate) fn client(_: &Result<Option<crate::ClientCredentials>, crate::TokenError>) {}
