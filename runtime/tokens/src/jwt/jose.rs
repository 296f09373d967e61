//! The three parts of a signed token
//! ([RFC 7515, 7.1](https://www.rfc-editor.org/rfc/rfc7515#section-7.1)).

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use crate::claims::is_there;
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

/// The parameters of the header that matter. Keys and URLs of keys in it are never looked at.
#[derive(Deserialize)]
struct Header<'h> {
    #[serde(borrow)]
    alg: Cow<'h, str>,
    #[serde(borrow, default)]
    typ: Option<Cow<'h, str>>,
    #[serde(borrow, default)]
    kid: Option<Cow<'h, str>>,
    /// `true` if there is a parameter that has to be understood.
    #[serde(default, deserialize_with = "is_there")]
    crit: bool,
}

impl<'t> Jose<'t> {
    pub(crate) fn read(token: &'t str) -> Result<Self, Reason> {
        let (message, signature) = token.rsplit_once('.').ok_or(Reason::Malformed)?;
        let (header, payload) = message.split_once('.').ok_or(Reason::Malformed)?;
        let header = decoded(header)?;
        // A structure is read from an array as well.
        if !header.trim_ascii_start().starts_with(b"{") {
            return Err(Reason::Malformed);
        }
        let header: Header<'_> = serde_json::from_slice(&header).map_err(|_| Reason::Malformed)?;
        if header.crit {
            return Err(Reason::Critical);
        }
        Ok(Self {
            algorithm: Algorithm::named(&header.alg).ok_or(Reason::Algorithm)?,
            token_type: header.typ.map(Cow::into_owned),
            key_id: header.kid.map(Cow::into_owned),
            message: message.as_bytes(),
            payload: decoded(payload)?,
            signature: decoded(signature)?,
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
