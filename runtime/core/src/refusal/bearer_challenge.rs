//! The text of a `Bearer` challenge, or of one for `DPoP`
//! ([RFC 6750, 3](https://www.rfc-editor.org/rfc/rfc6750#section-3),
//! [RFC 9449, 7.1](https://www.rfc-editor.org/rfc/rfc9449#section-7.1),
//! [RFC 9728, 5.1](https://www.rfc-editor.org/rfc/rfc9728#section-5.1),
//! [RFC 9470, 3](https://www.rfc-editor.org/rfc/rfc9470#section-3)).

use core::fmt::{self, Write};

use crate::syntax::url::well_known::MetadataUrl;

/// The algorithms of proofs that are accepted, as a challenge lists them.
pub const DPOP_ALGORITHMS: &str = "ES256 RS256 PS256 EdDSA";

/// An error code of a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BearerCode {
    InvalidRequest,
    InvalidToken,
    InsufficientScope,
    InsufficientUserAuthentication,
    InvalidDpopProof,
}

impl BearerCode {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::InvalidRequest => "invalid_request",
            Self::InvalidToken => "invalid_token",
            Self::InsufficientScope => "insufficient_scope",
            Self::InsufficientUserAuthentication => "insufficient_user_authentication",
            Self::InvalidDpopProof => "invalid_dpop_proof",
        }
    }

    /// Returns the `error_description` of a complete challenge.
    pub(crate) const fn description(self) -> &'static str {
        match self {
            Self::InvalidRequest => "The request is malformed",
            Self::InvalidToken => {
                "The access token is expired, revoked, malformed or otherwise invalid"
            }
            Self::InsufficientScope => {
                "The request requires more scopes than the access token grants"
            }
            Self::InsufficientUserAuthentication => {
                "The request requires another or a more recent authentication of the user"
            }
            Self::InvalidDpopProof => {
                "The DPoP proof is missing, malformed, repeated, or not for this request"
            }
        }
    }
}

/// The parameters of a challenge. A parameter that is empty is left out.
#[derive(Clone, Copy, Default)]
pub(crate) struct BearerChallenge<'c> {
    /// `true` for `DPoP`, and `false` for `Bearer`.
    pub(crate) is_dpop: bool,
    pub(crate) realm: Option<&'c str>,
    pub(crate) code: Option<BearerCode>,
    pub(crate) description: Option<&'c str>,
    pub(crate) scopes: &'c [&'c str],
    /// The identifier of the resource, whose metadata is named.
    pub(crate) resource: Option<&'c str>,
    pub(crate) acr_values: &'c str,
    /// In seconds.
    pub(crate) max_age: Option<u64>,
}

impl BearerChallenge<'_> {
    /// Returns the text, in one allocation of its exact size: a header value takes it over without
    /// another one.
    pub(crate) fn text(&self) -> String {
        let mut length = Length(0);
        let mut text = String::new();
        // Writing into a number or a string cannot fail.
        let _ = write!(length, "{self}");
        text.reserve_exact(length.0);
        let _ = write!(text, "{self}");
        text
    }
}

/// Counts the bytes of a text.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.saturating_add(text.len());
        Ok(())
    }
}

impl fmt::Display for BearerChallenge<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_dpop { "DPoP" } else { "Bearer" })?;
        let mut parameters = ParameterList { f, separator: " " };
        parameters.add("realm", self.realm)?;
        parameters.add("error", self.code.map(BearerCode::as_str))?;
        // It describes the error code, and says nothing without one.
        parameters.add("error_description", self.code.and(self.description))?;
        let scopes = Some(Joined(self.scopes)).filter(|Joined(scopes)| !scopes.is_empty());
        parameters.add("scope", scopes)?;
        parameters.add("resource_metadata", self.resource.map(MetadataUrl))?;
        let acr_values = Some(self.acr_values).filter(|values| !values.is_empty());
        parameters.add("acr_values", acr_values)?;
        parameters.add("max_age", self.max_age)?;
        parameters.add("algs", self.is_dpop.then_some(DPOP_ALGORITHMS))
    }
}

struct ParameterList<'p, 'f> {
    f: &'p mut fmt::Formatter<'f>,
    separator: &'static str,
}

impl ParameterList<'_, '_> {
    /// Adds a parameter, if it has a value.
    fn add(&mut self, name: &str, value: Option<impl fmt::Display>) -> fmt::Result {
        let Some(value) = value else { return Ok(()) };
        let separator = core::mem::replace(&mut self.separator, ", ");
        write!(self.f, "{separator}{name}=\"{value}\"")
    }
}

/// Texts, separated by single spaces.
struct Joined<'j>(&'j [&'j str]);

impl fmt::Display for Joined<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        self.0.iter().try_for_each(|text| {
            let separator = core::mem::replace(&mut separator, " ");
            write!(f, "{separator}{text}")
        })
    }
}
