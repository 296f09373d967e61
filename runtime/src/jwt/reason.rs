//! The check that a token has failed, which the log gets, and not the caller.

use core::time::Duration;

use crate::plan::security_scopes::SecurityScopes;
use crate::trace;
use crate::verify::VerifyError;

/// When a caller may come back if the service could not decide about a token.
const UNDECIDED: Duration = Duration::from_secs(5);

/// The check that a token has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    TooLong,
    Malformed,
    Critical,
    Algorithm,
    Type,
    UnknownKey,
    Signature,
    Claims,
    Issuer,
    WithoutIssuer,
    Audience,
    NoExpiry,
    Expired,
    NotYetValid,
    Bound,
    Refused,
    Undecided,
    Unavailable(Duration),
    TooManyNewIssuers(Duration),
    NoAudience,
}

impl Reason {
    /// Refuses a token with this reason.
    pub(super) fn refuse(self, scopes: SecurityScopes) -> VerifyError {
        if self == Self::NoAudience {
            trace::no_audience();
            return VerifyError::misconfigured();
        }
        trace::token_refused(self.as_str());
        match self {
            Self::Undecided => {
                trace::refusal_not_decided();
                VerifyError::unavailable(UNDECIDED)
            }
            Self::Unavailable(retry_after) | Self::TooManyNewIssuers(retry_after) => {
                VerifyError::unavailable(retry_after)
            }
            Self::Expired => VerifyError::expired_token(scopes),
            _ => VerifyError::invalid_token(scopes),
        }
    }

    const fn as_str(self) -> &'static str {
        match self {
            Self::TooLong => "the token is too long",
            Self::Malformed => "the token is not a JSON Web Token, or a malformed one",
            Self::Critical => "the token has a critical header parameter, and none is understood",
            Self::Algorithm => "the algorithm of the token is not allowed",
            Self::Type => "the token has another type",
            Self::UnknownKey => "no known key made the signature of the token",
            Self::Signature => "the signature of the token is wrong",
            Self::Claims => "the claims of the token are not as expected",
            Self::Issuer => "the token is from another issuer",
            Self::WithoutIssuer => {
                "the token has no issuer and no audience, and the date until which such tokens are accepted is over"
            }
            Self::Audience => "the token is for another audience",
            Self::NoExpiry => "the token has no time at which it expires",
            Self::Expired => "the token has expired",
            Self::NotYetValid => "the token is not valid yet",
            Self::Bound => "the token is bound to a key, and this is not proved",
            Self::Refused => "the service itself refuses the token",
            Self::Undecided => "the service cannot say now whether it refuses the token",
            Self::Unavailable(_) => {
                "no keys are known, or they are too old, and the issuer cannot be reached"
            }
            Self::TooManyNewIssuers(_) => {
                "too many issuers that never had a verifier were asked in a minute"
            }
            Self::NoAudience => "no audience is known",
        }
    }
}
