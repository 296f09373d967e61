//! The rejections of a scheme, and their challenges.

use std::borrow::Cow;

use http::StatusCode;

use crate::credential::kind::SchemeKind;
use crate::credential::reason::RejectionReason;
use crate::refusal::bearer_challenge::{BearerChallenge, BearerCode};
use crate::refusal::challenge::{Challenge, Challenges};
use crate::refusal::rejection::Rejection;
use crate::scheme::config::SchemeConfig;

impl SchemeConfig {
    /// Returns the response to a request that the scheme refuses for this reason. It is a `500` if
    /// a value of the configuration has a mistake.
    #[must_use]
    pub const fn rejection_of(&'static self, reason: RejectionReason) -> Rejection {
        let rejection = match self.replacement(reason) {
            Some(rejection) => *rejection,
            None if self.fault.is_some() => Rejection::INTERNAL_SERVER_ERROR,
            None => self.default_rejection(reason),
        };
        rejection.because(reason).challenged_by(self.challenge_of(reason))
    }

    /// Returns the challenge of this response.
    const fn challenge_of(&'static self, reason: RejectionReason) -> Challenge {
        match self.replacement(reason) {
            Some(rejection) => rejection.challenges(),
            None if self.fault.is_some() => Challenge::None,
            // The error type of the service is shown the challenge, even if it is not sent.
            None if self.has_challenge || self.own_error.is_some() => {
                self.default_challenge(reason)
            }
            None => Challenge::None,
        }
    }

    /// Adds the challenges of this response, with those among its further headers. A complete one
    /// names these scopes.
    pub(crate) fn add_challenges(
        &'static self,
        reason: RejectionReason,
        scopes: &dyn Fn() -> Vec<&'static str>,
        add: &mut dyn FnMut(Cow<'static, str>),
    ) {
        match self.challenge_of(reason).checked() {
            Challenge::Of { .. } => {
                let scopes = scopes();
                add(self.complete_challenge(reason, &scopes, false).into());
                if self.dpop && self.has_bearer_challenge() {
                    add(self.complete_challenge(reason, &scopes, true).into());
                }
            }
            challenge => challenge.each(add),
        }
        for line in self.replacement(reason).into_iter().flat_map(Rejection::further_challenges) {
            add(line.into());
        }
    }

    /// Returns the response that is set for this reason.
    const fn replacement(&self, reason: RejectionReason) -> Option<&Rejection> {
        let mut rejections = self.rejections;
        while let [(of, rejection), others @ ..] = rejections {
            if *of as u8 == reason as u8 {
                return Some(rejection);
            }
            rejections = others;
        }
        self.rejection.as_ref()
    }

    /// Returns the default response without its challenge. A strict bearer scheme says what was
    /// wrong ([RFC 6750, 3.1](https://www.rfc-editor.org/rfc/rfc6750#section-3.1)). Any other
    /// scheme says only that the request is not authenticated.
    const fn default_rejection(&self, reason: RejectionReason) -> Rejection {
        let refused = Rejection::NOT_AUTHENTICATED.challenged_by(Challenge::None);
        match reason {
            RejectionReason::CrossSite => Rejection::CROSS_SITE,
            RejectionReason::Repeated if self.strict => {
                refused.with_status(StatusCode::BAD_REQUEST)
            }
            _ => refused,
        }
    }

    /// Returns the challenge of the default response.
    const fn default_challenge(&'static self, reason: RejectionReason) -> Challenge {
        let has_realm = self.realm.is_some();
        match self.kind {
            _ if matches!(reason, RejectionReason::CrossSite) => Challenge::None,
            _ if self.has_space() => Challenge::Of { challenges: self, reason, optional: true },
            SchemeKind::HttpBasic if has_realm => {
                Challenge::Of { challenges: self, reason, optional: true }
            }
            SchemeKind::HttpBasic => Challenge::Text("Basic"),
            SchemeKind::Http { scheme } => Challenge::Text(scheme),
            SchemeKind::ApiKey(_) => Challenge::Text("APIKey"),
            SchemeKind::OAuth2
            | SchemeKind::OAuth2Bearer
            | SchemeKind::OpenIdConnect { .. }
            | SchemeKind::HttpBearer { .. } => Challenge::Text(match self.code_of(reason) {
                Some(BearerCode::InvalidToken) => r#"Bearer error="invalid_token""#,
                Some(BearerCode::InvalidRequest) => r#"Bearer error="invalid_request""#,
                _ => "Bearer",
            }),
        }
    }

    /// Returns the error code of the default challenge, which only a strict scheme has, for `Bearer`.
    const fn code_of(&self, reason: RejectionReason) -> Option<BearerCode> {
        match reason {
            // It could be in the challenge of the scheme that the client has not used.
            _ if self.dpop => None,
            RejectionReason::Malformed if self.strict => Some(BearerCode::InvalidToken),
            RejectionReason::Repeated if self.strict => Some(BearerCode::InvalidRequest),
            _ => None,
        }
    }

    /// Returns the complete challenge: for a bearer scheme, with these scopes.
    fn complete_challenge(
        &self,
        reason: RejectionReason,
        scopes: &[&str],
        is_dpop: bool,
    ) -> String {
        let realm = self.usable_realm().unwrap_or_default();
        if matches!(self.kind, SchemeKind::HttpBasic) {
            return match realm {
                Some(realm) if self.has_charset => {
                    format!("Basic realm=\"{realm}\", charset=\"UTF-8\"")
                }
                Some(realm) => format!("Basic realm=\"{realm}\""),
                None => "Basic".to_owned(),
            };
        }
        let code = self.code_of(reason);
        let challenge = BearerChallenge {
            is_dpop,
            realm,
            code,
            description: code.map(BearerCode::description),
            scopes,
            resource: self.usable_resource().unwrap_or_default(),
            ..BearerChallenge::default()
        };
        challenge.text()
    }
}

/// The challenges of a scheme outside a plan, where no scopes are required.
impl Challenges for SchemeConfig {
    fn each(
        &'static self,
        reason: RejectionReason,
        _: bool,
        add: &mut dyn FnMut(Cow<'static, str>),
    ) {
        self.add_challenges(reason, &Vec::new, add);
    }
}
