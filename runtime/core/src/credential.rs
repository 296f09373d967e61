//! Credentials: where a request has one, how it is read, and why it is refused. Each type is in a
//! file with all that is read for it.

pub(crate) mod api_key;
pub(crate) mod authorization_line;
pub(crate) mod authorization_value;
pub(crate) mod bearer_token;
pub(crate) mod client_certificate;
mod cookie;
pub(crate) mod http_basic;
pub(crate) mod http_credentials;
pub(crate) mod kind;
pub(crate) mod presented;
mod query;
pub(crate) mod reason;
pub(crate) mod request_head;
pub(crate) mod same_site;
pub(crate) mod sent_head;
pub(crate) mod source;
pub(crate) mod websocket;

use self::kind::SchemeKind;
use self::reason::RejectionReason;
use self::request_head::RequestHead;

/// A credential that a scheme yields: [`BearerToken`](crate::BearerToken),
/// [`AuthorizationValue`](crate::AuthorizationValue), [`ApiKey`](crate::ApiKey),
/// [`BasicCredentials`](crate::BasicCredentials) or [`HttpCredentials`](crate::HttpCredentials), or
/// an `Option` of one if `auto_error` is `false`, or a `Result` with the [`RejectionReason`] if it is
/// `"reason"`.
pub trait Credential: sealed::Sealed + Sized + Send + 'static {
    /// The credential borrowed from the request: `&str` or `&[u8]`, a `Cow` if it may have to be
    /// decoded, the credential itself if it always has to be, or an `Option` or a
    /// `Result` of one.
    type Ref<'h>;

    /// `true` if a request without a credential is refused.
    const AUTO_ERROR: bool;

    /// The kind of a scheme that yields it, unless another one is set.
    const KIND: SchemeKind;

    #[doc(hidden)]
    fn read<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self, RejectionReason>;

    #[doc(hidden)]
    fn read_ref<D: Declared + ?Sized, H: RequestHead + ?Sized>(
        head: &H,
    ) -> Result<Self::Ref<'_>, RejectionReason>;

    /// Returns the value for a request without a credential, if it is not refused for this reason.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn absent(_: RejectionReason) -> Option<Self> {
        None
    }

    #[doc(hidden)]
    #[inline]
    #[must_use]
    fn absent_ref<'h>(_: RejectionReason) -> Option<Self::Ref<'h>> {
        None
    }
}

/// The part of a scheme that the reading of its credential needs.
pub trait Declared {
    /// The kind.
    const KIND: SchemeKind;

    /// `true` if a bearer token has the grammar of RFC 6750.
    const IS_STRICT: bool;

    /// `true` if a bearer token may be among the subprotocols of a WebSocket.
    const READS_WEBSOCKET: bool;

    /// `true` if a bearer token may come with the scheme name `DPoP`.
    const TAKES_DPOP: bool;
}

/// Implements [`Credential`] for an `Option` of a type, and for a `Result` with the reason. A scheme
/// that yields an `Option` refuses a request for the given reasons all the same.
macro_rules! optional {
    ($credential:ty, $borrowed:ty $(, $reason:ident)*) => {
        impl $crate::credential::sealed::Sealed for $credential {}
        $crate::credential::optional!(@impl
            $credential, Option<$credential>, Option<$borrowed>, Some,
            |reason| (![$(RejectionReason::$reason),*].contains(&reason)).then_some(None)
        );
        $crate::credential::optional!(@impl
            $credential, Result<$credential, RejectionReason>, Result<$borrowed, RejectionReason>, Ok,
            |reason| Some(Err(reason))
        );
    };
    (@impl $credential:ty, $yielded:ty, $borrowed:ty, $found:ident, |$reason:ident| $absent:expr) => {
        impl $crate::credential::sealed::Sealed for $yielded {}

        impl Credential for $yielded {
            type Ref<'h> = $borrowed;

            const AUTO_ERROR: bool = false;
            const KIND: SchemeKind = <$credential as Credential>::KIND;

            #[inline(always)]
            fn read<D: Declared + ?Sized, H: RequestHead + ?Sized>(
                head: &H,
            ) -> Result<Self, RejectionReason> {
                <$credential>::read::<D, H>(head).map($found)
            }

            #[inline(always)]
            fn read_ref<D: Declared + ?Sized, H: RequestHead + ?Sized>(
                head: &H,
            ) -> Result<Self::Ref<'_>, RejectionReason> {
                <$credential>::read_ref::<D, H>(head).map($found)
            }

            #[inline]
            fn absent($reason: RejectionReason) -> Option<Self> {
                $absent
            }

            #[inline]
            fn absent_ref<'h>($reason: RejectionReason) -> Option<Self::Ref<'h>> {
                $absent
            }
        }
    };
}
pub(crate) use optional;

mod sealed {
    pub trait Sealed {}
}
