//! The operations of every kind of credential, so that [`Scheme`](crate::Scheme) is written once.

use http::HeaderValue;

use super::authorization::{Grammar, Located, RejectionReason, bearer_token};
use super::authorization_value::AuthorizationValue;
use super::bearer_token::BearerToken;

/// A credential that a scheme yields: [`BearerToken`] or [`AuthorizationValue`], or an `Option` of
/// one if `auto_error` is `false`.
pub trait Credential: sealed::Sealed + Sized + Send + 'static {
    /// The credential borrowed from the request: `&str` or `&[u8]`, or an `Option` of one.
    type Ref<'h>;

    /// `true` if a request without a credential is refused.
    const AUTO_ERROR: bool;

    #[doc(hidden)]
    fn locate(line: &[u8], strict: bool) -> Result<Located<'_>, RejectionReason>;

    #[doc(hidden)]
    fn owned(line: HeaderValue, found: Located<'_>) -> Self;

    #[doc(hidden)]
    fn borrowed(found: Located<'_>) -> Self::Ref<'_>;

    /// Returns the credential that was found, or none if it may be absent.
    #[doc(hidden)]
    fn or_absent(found: Result<Self, RejectionReason>) -> Result<Self, RejectionReason>;

    #[doc(hidden)]
    fn or_absent_ref<'h>(
        found: Result<Self::Ref<'h>, RejectionReason>,
    ) -> Result<Self::Ref<'h>, RejectionReason>;
}

/// Implements [`Credential`] for a type and for an `Option` of it.
macro_rules! credential {
    ($credential:ty, $borrowed:ty, $locate:expr, $owned:expr, $borrow:expr) => {
        impl sealed::Sealed for $credential {}
        impl sealed::Sealed for Option<$credential> {}

        impl Credential for $credential {
            type Ref<'h> = &'h $borrowed;

            const AUTO_ERROR: bool = true;

            #[inline(always)]
            fn locate(line: &[u8], strict: bool) -> Result<Located<'_>, RejectionReason> {
                $locate(line, strict)
            }

            #[inline]
            fn owned(line: HeaderValue, found: Located<'_>) -> Self {
                $owned(line, found)
            }

            #[inline]
            fn borrowed(found: Located<'_>) -> &$borrowed {
                $borrow(found.credential)
            }

            #[inline(always)]
            fn or_absent(found: Result<Self, RejectionReason>) -> Result<Self, RejectionReason> {
                found
            }

            #[inline(always)]
            fn or_absent_ref<'h>(
                found: Result<Self::Ref<'h>, RejectionReason>,
            ) -> Result<Self::Ref<'h>, RejectionReason> {
                found
            }
        }

        impl Credential for Option<$credential> {
            type Ref<'h> = Option<&'h $borrowed>;

            const AUTO_ERROR: bool = false;

            #[inline(always)]
            fn locate(line: &[u8], strict: bool) -> Result<Located<'_>, RejectionReason> {
                $locate(line, strict)
            }

            #[inline]
            fn owned(line: HeaderValue, found: Located<'_>) -> Self {
                Some($owned(line, found))
            }

            #[inline]
            fn borrowed(found: Located<'_>) -> Option<&$borrowed> {
                Some($borrow(found.credential))
            }

            #[inline(always)]
            fn or_absent(found: Result<Self, RejectionReason>) -> Result<Self, RejectionReason> {
                Ok(found.unwrap_or_default())
            }

            #[inline(always)]
            fn or_absent_ref<'h>(
                found: Result<Self::Ref<'h>, RejectionReason>,
            ) -> Result<Self::Ref<'h>, RejectionReason> {
                Ok(found.unwrap_or_default())
            }
        }
    };
}

credential!(
    BearerToken,
    str,
    |line, strict| {
        let grammar = if strict {
            Grammar::Rfc6750
        } else {
            Grammar::Lenient
        };
        bearer_token(line, grammar)
    },
    BearerToken::new,
    // `bearer_token` has checked that the token is ASCII.
    |token| core::str::from_utf8(token).unwrap_or_default()
);

credential!(
    AuthorizationValue,
    [u8],
    |credential, _| {
        Ok(Located {
            start: 0,
            credential,
        })
    },
    |line, _| AuthorizationValue::from(line),
    |value| value
);

mod sealed {
    pub trait Sealed {}
}
