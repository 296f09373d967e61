//! The checks on a proof
//! ([RFC 9449, 4.3](https://www.rfc-editor.org/rfc/rfc9449#section-4.3)), each with what the log says
//! of it. The cheap ones come first.

use std::borrow::Cow;

use doorward_core::__tokens::DPOP_ALGORITHMS;
use doorward_core::SecurityScopes;
use doorward_core::verify::{Presented, VerifyError};
use http::HeaderValue;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::authority::signer::{digest, thumbprint_of};
use crate::bound::destination::{PublicUrl, is_same};
use crate::bound::used_proofs::Id;
use crate::claims::{self, is_there};
use crate::jwt::algorithm::Algorithm;
use crate::jwt::backend::sha256;
use crate::jwt::finding::quoted;
use crate::jwt::jose::Parts;
use crate::jwt::keys::{Key, KeySet};
use crate::reason::Reason;
use crate::trace;

/// The length of a proof at most. One with the longest RSA key has 2 KiB.
const MAX_BYTES: usize = 8 * 1024;

/// The members of a key that only its owner may have.
const PRIVATE: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// Why a token or its proof is refused.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) reason: Reason,
    expected: Option<String>,
    found: Option<String>,
    setting: Option<&'static str>,
}

impl From<Reason> for Fault {
    fn from(reason: Reason) -> Self {
        Self { reason, expected: None, found: None, setting: None }
    }
}

impl Fault {
    /// Records the refusal, and returns the answer.
    pub(super) fn refuse(self, scopes: SecurityScopes) -> VerifyError {
        let details = trace::Details {
            expected: self.expected.as_deref(),
            found: self.found.as_deref(),
            setting: self.setting,
            also: None,
        };
        self.reason.refuse_with(scopes, &details)
    }
}

/// A proof that is good, if it was not used before.
pub(super) struct Checked {
    pub(super) id: Id,
    /// In seconds since 1970.
    pub(super) until: f64,
}

#[derive(Deserialize)]
struct Header<'h> {
    #[serde(borrow, rename = "typ")]
    token_type: Cow<'h, str>,
    #[serde(borrow, rename = "alg")]
    algorithm: Cow<'h, str>,
    jwk: Map<String, Value>,
    #[serde(default, rename = "crit", deserialize_with = "is_there")]
    is_critical: bool,
}

#[derive(Deserialize)]
struct Claims<'c> {
    #[serde(borrow)]
    jti: Cow<'c, str>,
    #[serde(borrow)]
    htm: Cow<'c, str>,
    #[serde(borrow)]
    htu: Cow<'c, str>,
    iat: f64,
    #[serde(borrow, default)]
    ath: Option<Cow<'c, str>>,
}

fn fault(check: &'static str) -> Fault {
    Reason::Proof(check).into()
}

/// Returns the proof of a request, if it has one.
pub(super) fn line_of(presented: &Presented) -> Result<&HeaderValue, Fault> {
    let headers =
        presented.headers().ok_or_else(|| fault("the token was presented without its request"))?;
    let mut lines = headers.get_all("dpop").iter();
    match (lines.next(), lines.next()) {
        (Some(line), None) => Ok(line),
        (None, _) => Err(fault("the request has no proof")),
        (Some(_), Some(_)) => Err(fault("the request has more than one proof")),
    }
}

/// Checks the proof of a token that is bound to the key with this thumbprint.
pub(super) fn check(
    presented: &Presented,
    line: &HeaderValue,
    thumbprint: &str,
    url: &PublicUrl,
    window: f64,
    now: f64,
) -> Result<Checked, Fault> {
    let (Some(method), Some(target)) = (presented.method(), presented.target()) else {
        return Err(fault("the method or the target of the request could not be read"));
    };
    if line.len() > MAX_BYTES {
        return Err(fault("the proof is too long"));
    }
    let malformed = || fault("the proof is not a JSON Web Token, or a malformed one");
    let text = line.to_str().map_err(|_| malformed())?;
    let parts = Parts::of(text).map_err(|_| malformed())?;
    let header: Header<'_> = parts.header().map_err(|_| malformed())?;
    if header.is_critical {
        return Err(malformed());
    }
    if header.token_type != "dpop+jwt" {
        return Err(fault("the proof has another type"));
    }
    let algorithm = Algorithm::named(&header.algorithm)
        .filter(|named| DPOP_ALGORITHMS.split(' ').any(|name| name == named.name()));
    let algorithm = algorithm.ok_or_else(|| fault("the algorithm of the proof is not allowed"))?;
    if PRIVATE.iter().any(|name| header.jwk.contains_key(*name)) {
        return Err(fault("the proof has a private key"));
    }
    let signed = parts.signed(algorithm).map_err(|_| malformed())?;
    let claims = claims::read::<Claims<'_>>(&signed.payload).ok();
    let claims = claims.filter(|claims| !claims.jti.is_empty());
    let claims = claims.ok_or_else(|| fault("the proof lacks a claim, or one has another type"))?;
    if claims.htm != method.as_str() {
        return Err(Fault {
            expected: Some(quoted(method.as_str())),
            found: Some(quoted(&claims.htm)),
            ..fault("the proof is for another method")
        });
    }
    let expected = url.of_request(target);
    if !is_same(&claims.htu, &expected) {
        return Err(Fault {
            expected: Some(quoted(&expected)),
            found: Some(quoted(&claims.htu)),
            setting: Some("resource"),
            ..fault("the proof is for another URL")
        });
    }
    if (now - claims.iat).abs() > window {
        return Err(Fault {
            expected: Some(format!("within {window} s of {now:.0}")),
            found: Some(claims.iat.to_string()),
            setting: Some("window"),
            ..fault("the proof was made too long ago, or is of the future")
        });
    }
    if claims.ath.as_deref() != Some(&*digest(presented.token().as_bytes())) {
        return Err(fault("the proof is for another token"));
    }
    if thumbprint_in(&header.jwk).as_deref() != Some(thumbprint) {
        return Err(fault("the proof is of another key than that of the token"));
    }
    let mut jwk = header.jwk;
    // The key is made ready for one algorithm.
    jwk.entry("alg").or_insert_with(|| algorithm.name().into());
    let key = Key::of_json(&jwk.into()).map_err(|why| Fault {
        found: Some(why),
        ..fault("the key of the proof cannot be used")
    })?;
    if KeySet::of_keys(vec![key]).verify(&signed).is_err() {
        return Err(fault("the signature of the proof is wrong"));
    }
    let hash = sha256(format!("{thumbprint}.{}", claims.jti).as_bytes());
    let id = hash.first_chunk().copied().ok_or_else(malformed)?;
    Ok(Checked { id, until: claims.iat + window })
}

/// Returns the thumbprint of a key as it is written
/// ([RFC 7638, 3](https://www.rfc-editor.org/rfc/rfc7638#section-3)).
fn thumbprint_in(jwk: &Map<String, Value>) -> Option<String> {
    let text = |name: &str| jwk.get(name).and_then(Value::as_str);
    let names: &[_] = match text("kty")? {
        "EC" => &["crv", "kty", "x", "y"],
        "OKP" => &["crv", "kty", "x"],
        "RSA" => &["e", "kty", "n"],
        _ => return None,
    };
    let members = names.iter().map(|name| Some(((*name).to_owned(), text(name)?.into())));
    let members: Option<Map<_, _>> = members.collect();
    Some(thumbprint_of(&members?.into()))
}
