//! The check that a token has failed, which the log gets, and not the caller.

use core::time::Duration;

use doorward_core::SecurityScopes;
use doorward_core::verify::VerifyError;

use crate::trace;

/// When a caller may come back if the service could not decide about a token.
pub(crate) const UNDECIDED: Duration = Duration::from_secs(5);

/// The check that a token has failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    TooLong,
    Malformed,
    Critical,
    Algorithm,
    Type,
    UnknownKey,
    Signature,
    ShortSecret,
    Claims,
    Issuer,
    NoIssuer,
    Audience,
    NoExpiry,
    Milliseconds,
    Expired,
    NotYetValid,
    Bound,
    NotBound,
    BoundOtherwise,
    NoCertificate,
    OtherCertificate,
    AsBearer,
    /// A check of the proof, as the log says it.
    Proof(&'static str),
    TooManyProofs(Duration),
    Refused,
    Undecided,
    Unavailable(Duration),
    TooManyNewIssuers(Duration),
    NoAudience,
    NotBearer,
    Inactive,
    Answer,
    NotAccess,
    NotAnswered(Duration),
    TooManyQuestions(Duration),
}

impl Reason {
    /// Returns `true` if another verifier of the issuer may be the one that a token is for.
    pub(crate) const fn may_be_of_another(self) -> bool {
        matches!(
            self,
            Self::Algorithm | Self::Type | Self::UnknownKey | Self::Signature | Self::Audience
        )
    }

    /// Refuses a token of which no more is known than this reason.
    pub(crate) fn refuse(self, scopes: SecurityScopes) -> VerifyError {
        self.refuse_with(scopes, &trace::Details::default())
    }

    /// Records the refusal of a token, and returns the answer.
    pub(crate) fn refuse_with(
        self,
        scopes: SecurityScopes,
        details: &trace::Details<'_>,
    ) -> VerifyError {
        trace::token_refused(self.as_str(), details);
        self.answer(scopes)
    }

    /// Returns the answer to a token that is refused with this reason.
    pub(crate) fn answer(self, scopes: SecurityScopes) -> VerifyError {
        match self {
            Self::NoAudience => {
                trace::no_audience();
                VerifyError::misconfigured()
            }
            Self::Undecided => {
                trace::refusal_not_decided();
                VerifyError::unavailable(UNDECIDED)
            }
            Self::Unavailable(retry_after)
            | Self::TooManyNewIssuers(retry_after)
            | Self::NotAnswered(retry_after)
            | Self::TooManyProofs(retry_after)
            | Self::TooManyQuestions(retry_after) => VerifyError::unavailable(retry_after),
            Self::Expired => VerifyError::expired_token(scopes),
            Self::Proof(_) => VerifyError::invalid_token(scopes).of_dpop(true),
            _ => VerifyError::invalid_token(scopes),
        }
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::TooLong => "the token is too long",
            Self::Malformed => "the token is not a JSON Web Token, or a malformed one",
            Self::Critical => "the token has a critical header parameter, and none is understood",
            Self::Algorithm => "the algorithm of the token is not allowed",
            Self::Type => "the token has another type",
            Self::UnknownKey => "no known key made the signature of the token",
            Self::Signature => "the signature of the token is wrong",
            Self::ShortSecret => {
                "the secret of the token is too short, and the date until which it is accepted is over"
            }
            Self::Claims => "the claims of the token are not as expected",
            Self::Issuer => "the token is from another issuer",
            Self::NoIssuer => "the token has no issuer",
            Self::Audience => "the token is for another audience",
            Self::NoExpiry => "the token has no time at which it expires",
            Self::Milliseconds => "the token expires at a time in milliseconds, and not in seconds",
            Self::Expired => "the token has expired",
            Self::NotYetValid => "the token is not valid yet",
            Self::Bound => "the token is bound to a key, and this is not proved",
            Self::NotBound => "the token is not bound to its client",
            Self::BoundOtherwise => "the token is bound to something else, or to more",
            Self::NoCertificate => {
                "the token is bound to a certificate, and the client has shown none"
            }
            Self::OtherCertificate => "the token is bound to another certificate",
            Self::AsBearer => "the token is bound to a key, and came as a bearer token",
            Self::Proof(check) => check,
            Self::TooManyProofs(_) => "there is no room for one more proof that is still good",
            Self::Refused => "the service itself refuses the token",
            Self::Undecided => "the service cannot say now whether it refuses the token",
            Self::Unavailable(_) => {
                "no keys are known, or they are too old, and the issuer cannot be asked"
            }
            Self::TooManyNewIssuers(_) => {
                "too many issuers that never had a verifier were asked in a minute"
            }
            Self::NoAudience => "no audience is known",
            Self::NotBearer => "the token has a character that no bearer token has",
            Self::Inactive => "the issuer says that the token is not active",
            Self::Answer => "the issuer's answer does not say whether the token is active",
            Self::NotAccess => "the token is not an access token, or its answer does not say so",
            Self::NotAnswered(_) => "the issuer cannot be asked about the token",
            Self::TooManyQuestions(_) => "too many tokens are looked up at once",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LATER: Duration = Duration::ZERO;

    /// Returns the reason after another one, so that none is forgotten.
    const fn after(reason: Reason) -> Option<Reason> {
        Some(match reason {
            Reason::TooLong => Reason::Malformed,
            Reason::Malformed => Reason::Critical,
            Reason::Critical => Reason::Algorithm,
            Reason::Algorithm => Reason::Type,
            Reason::Type => Reason::UnknownKey,
            Reason::UnknownKey => Reason::Signature,
            Reason::Signature => Reason::ShortSecret,
            Reason::ShortSecret => Reason::Claims,
            Reason::Claims => Reason::Issuer,
            Reason::Issuer => Reason::NoIssuer,
            Reason::NoIssuer => Reason::Audience,
            Reason::Audience => Reason::NoExpiry,
            Reason::NoExpiry => Reason::Milliseconds,
            Reason::Milliseconds => Reason::Expired,
            Reason::Expired => Reason::NotYetValid,
            Reason::NotYetValid => Reason::Bound,
            Reason::Bound => Reason::NotBound,
            Reason::NotBound => Reason::BoundOtherwise,
            Reason::BoundOtherwise => Reason::NoCertificate,
            Reason::NoCertificate => Reason::OtherCertificate,
            Reason::OtherCertificate => Reason::AsBearer,
            // Those of proofs are in `bound::tests`.
            Reason::AsBearer | Reason::Proof(_) => Reason::TooManyProofs(LATER),
            Reason::TooManyProofs(_) => Reason::Refused,
            Reason::Refused => Reason::Undecided,
            Reason::Undecided => Reason::Unavailable(LATER),
            Reason::Unavailable(_) => Reason::TooManyNewIssuers(LATER),
            Reason::TooManyNewIssuers(_) => Reason::NoAudience,
            Reason::NoAudience => Reason::NotBearer,
            Reason::NotBearer => Reason::Inactive,
            Reason::Inactive => Reason::Answer,
            Reason::Answer => Reason::NotAccess,
            Reason::NotAccess => Reason::NotAnswered(LATER),
            Reason::NotAnswered(_) => Reason::TooManyQuestions(LATER),
            Reason::TooManyQuestions(_) => return None,
        })
    }

    #[test]
    fn the_page_about_refused_tokens_has_a_row_for_each_reason() {
        let page = include_str!("../../docs/troubleshooting.md");
        let mut next = Some(Reason::TooLong);
        while let Some(reason) = next {
            let row = format!("| {} |", reason.as_str());
            assert!(page.lines().any(|line| line.starts_with(&row)), "{row}");
            next = after(reason);
        }
    }
}
