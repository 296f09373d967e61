//! The reason why a request is refused.

/// The reason why a scheme or its verifier refuses a request.
///
/// A scheme finds no credential, or one that it must not use: the first four. A verifier refuses
/// what the scheme has found: the others. The feature `tracing` records [`as_str`](Self::as_str) as
/// the field `reason`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum RejectionReason {
    /// There is no credential at the place where the scheme reads it, or it is empty. For a scheme
    /// of the `Authorization` header, the header may name another authentication scheme.
    Missing,
    /// There is more than one line, parameter or cookie of that name, and nothing says which one to
    /// use ([RFC 9110, 5.3](https://www.rfc-editor.org/rfc/rfc9110#section-5.3)).
    Repeated,
    /// There is a credential, but it is not well-formed.
    Malformed,
    /// Another site sent the request. A browser adds its cookies by itself, so they say nothing
    /// about who wanted the request.
    CrossSite,
    /// A verifier has found that the credential is not valid.
    Invalid,
    /// The credential was valid, and its time is over. The standard answer is that of `Invalid`; a
    /// service's own may tell its clients that they should get a new one.
    Expired,
    /// The credential is valid, and does not grant the required scopes.
    InsufficientScope,
    /// The credential cannot be verified now: no keys are known, or they are too old, and the
    /// issuer cannot be reached.
    Unavailable,
    /// The service itself is at fault. The log says what to do.
    Misconfigured,
}

impl RejectionReason {
    /// Returns the reason of a refusal of which only the status is known.
    pub(crate) const fn of_status(status: u16) -> Self {
        match status {
            401 => Self::Invalid,
            403 => Self::InsufficientScope,
            503 => Self::Unavailable,
            _ => Self::Misconfigured,
        }
    }

    /// Returns the name of the reason in snake case, such as `"cross_site"`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Repeated => "repeated",
            Self::Malformed => "malformed",
            Self::CrossSite => "cross_site",
            Self::Invalid => "invalid",
            Self::Expired => "expired",
            Self::InsufficientScope => "insufficient_scope",
            Self::Unavailable => "unavailable",
            Self::Misconfigured => "misconfigured",
        }
    }
}

/// Returns the only value, or the reason if there is none, or more than one.
#[inline(always)]
pub(super) fn only<T>(values: impl IntoIterator<Item = T>) -> Result<T, RejectionReason> {
    let mut values = values.into_iter();
    let value = values.next().ok_or(RejectionReason::Missing)?;
    match values.next() {
        None => Ok(value),
        Some(_) => Err(RejectionReason::Repeated),
    }
}
