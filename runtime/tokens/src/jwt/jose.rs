//! The three parts of a signed token
//! ([RFC 7515, 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1)).

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use crate::claims::{self, is_there};
use crate::jwt::algorithm::Algorithm;
use crate::reason::Reason;

/// A token whose parts are decoded. Nothing in it is trusted yet.
pub(crate) struct Jose<'t> {
    pub(crate) algorithm: Algorithm,
    pub(crate) token_type: Option<String>,
    pub(crate) key_id: Option<String>,
    /// The bytes that are signed.
    pub(crate) message: &'t [u8],
    pub(crate) payload: Vec<u8>,
    pub(crate) signature: Vec<u8>,
}

/// The parts of a token, of which the header is decoded.
pub(crate) struct Parts<'t> {
    header: Vec<u8>,
    payload: &'t str,
    message: &'t str,
    signature: &'t str,
}

/// The parameters of the header that matter. Keys and URLs of keys in it are never looked at.
#[derive(Deserialize)]
pub(crate) struct Header<'h> {
    #[serde(borrow, rename = "alg")]
    pub(crate) algorithm: Cow<'h, str>,
    #[serde(borrow, default, rename = "typ")]
    pub(crate) token_type: Option<Cow<'h, str>>,
    #[serde(borrow, default, rename = "kid")]
    key_id: Option<Cow<'h, str>>,
    /// `true` if there is a parameter that has to be understood.
    #[serde(default, rename = "crit", deserialize_with = "is_there")]
    pub(crate) is_critical: bool,
}

impl<'t> Parts<'t> {
    pub(crate) fn of(token: &'t str) -> Result<Self, Reason> {
        let (message, signature) = token.rsplit_once('.').ok_or(Reason::Malformed)?;
        let (header, payload) = message.split_once('.').ok_or(Reason::Malformed)?;
        Ok(Self { header: decoded(header)?, payload, message, signature })
    }

    pub(crate) fn header<'h, H: Deserialize<'h>>(&'h self) -> Result<H, Reason> {
        claims::read(&self.header).map_err(|_| Reason::Malformed)
    }

    /// Decodes the rest of a token whose header this is.
    pub(crate) fn decoded(
        &self,
        header: Header<'_>,
        algorithm: Algorithm,
    ) -> Result<Jose<'t>, Reason> {
        Ok(Jose {
            token_type: header.token_type.map(Cow::into_owned),
            key_id: header.key_id.map(Cow::into_owned),
            ..self.signed(algorithm)?
        })
    }

    /// Decodes the rest of a token of which the algorithm alone matters.
    pub(crate) fn signed(&self, algorithm: Algorithm) -> Result<Jose<'t>, Reason> {
        Ok(Jose {
            algorithm,
            token_type: None,
            key_id: None,
            message: self.message.as_bytes(),
            payload: decoded(self.payload)?,
            signature: decoded(self.signature)?,
        })
    }
}

/// Decodes a part. The decoder accepts only one text for each value, so no other token has the
/// same parts.
fn decoded(part: &str) -> Result<Vec<u8>, Reason> {
    URL_SAFE_NO_PAD.decode(part).map_err(|_| Reason::Malformed)
}

/// Returns the issuer that a token names, before anything of it is trusted.
pub(crate) fn issuer_of(token: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Claims {
        iss: String,
    }
    let payload = token.split('.').nth(1)?;
    let claims = serde_json::from_slice::<Claims>(&decoded(payload).ok()?);
    Some(claims.ok()?.iss)
}
