//! Keys as JSON ([RFC 7517, 4](https://www.rfc-editor.org/rfc/rfc7517#section-4)).

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;
use serde_json::Value;

use crate::jwt::algorithm::Algorithm;
use crate::jwt::keys::{Key, USABLE};
use crate::jwt::public_key::PublicKey;
use crate::jwt::said::said;

/// The members that matter. Private parts are never looked at.
#[derive(Deserialize)]
struct Jwk {
    kty: String,
    kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    usage: Option<String>,
    key_ops: Option<Vec<String>>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

/// Reads a key.
///
/// # Errors
///
/// Returns why it cannot be used.
pub(crate) fn read(jwk: &Value) -> Result<Key, String> {
    let read = serde_path_to_error::deserialize::<_, Jwk>(jwk).map_err(|error| {
        let member = error.path().to_string();
        match &*member {
            "." => "it has no `kty`, or is no object".to_owned(),
            member => format!("its `{}` has another type", said(member)),
        }
    });
    read.and_then(key)
}

fn key(jwk: Jwk) -> Result<Key, String> {
    if let Some(usage) = jwk.usage.filter(|usage| usage != "sig") {
        return Err(format!("its `use` is `{}`, and not `sig`", said(&usage)));
    }
    if jwk.key_ops.is_some_and(|operations| !operations.iter().any(|name| name == "verify")) {
        return Err("its `key_ops` lack `verify`".to_owned());
    }
    let key = match (&*jwk.kty, jwk.crv.as_deref()) {
        ("RSA", _) => PublicKey::rsa(&decoded("n", jwk.n)?, &decoded("e", jwk.e)?)?,
        ("EC", Some("P-256")) => PublicKey::P256(point::<32, 65>(jwk.x, jwk.y)?),
        ("EC", Some("P-384")) => PublicKey::P384(point::<48, 97>(jwk.x, jwk.y)?),
        ("OKP", Some("Ed25519")) => PublicKey::ed25519(sized("x", jwk.x)?)?,
        ("EC", Some("P-521")) => return Err(format!("P-521 (ES512) is not supported; {USABLE}")),
        ("oct", _) => {
            return Err(
                "it is a shared secret (`oct`); give its `k`, decoded from base64url, to `secret`"
                    .to_owned(),
            );
        }
        (_, Some(curve)) => {
            return Err(format!("the curve `{}` is not supported; {USABLE}", said(curve)));
        }
        (kty, None) => {
            return Err(format!("the type `{}` is not supported; {USABLE}", said(kty)));
        }
    };
    let mut algorithms = key.algorithms().to_vec();
    if let Some(name) = &jwk.alg {
        let only = Algorithm::named(name);
        algorithms.retain(|algorithm| Some(*algorithm) == only);
        if algorithms.is_empty() {
            return Err(format!("its `alg` is `{}`, which is not for such a key", said(name)));
        }
    }
    Key::public(jwk.kid, algorithms, &key)
}

/// Decodes a value: base64url ([RFC 7515, 2](https://www.rfc-editor.org/rfc/rfc7515#section-2)).
/// Issuers also publish padding, and the characters of base64, which cannot mean anything else.
fn decoded(name: &str, value: Option<String>) -> Result<Vec<u8>, String> {
    let value = value.ok_or_else(|| format!("it has no `{name}`"))?;
    let value = value.trim_end_matches('=').replace('+', "-").replace('/', "_");
    URL_SAFE_NO_PAD.decode(value).map_err(|_| format!("its `{name}` is not base64url"))
}

/// Decodes a value of this many bytes.
fn sized<const BYTES: usize>(name: &str, value: Option<String>) -> Result<[u8; BYTES], String> {
    let decoded = decoded(name, value)?;
    let found = decoded.len();
    decoded.try_into().map_err(|_| format!("its `{name}` has {found} bytes, and not {BYTES}"))
}

/// Returns a point whose coordinates have this many bytes
/// ([RFC 7518, 6.2.1.2](https://www.rfc-editor.org/rfc/rfc7518#section-6.2.1.2)), as
/// [`PublicKey`] has it.
fn point<const BYTES: usize, const BOTH: usize>(
    x: Option<String>,
    y: Option<String>,
) -> Result<[u8; BOTH], String> {
    let (x, y) = (sized::<BYTES>("x", x)?, sized::<BYTES>("y", y)?);
    let mut point = [4; BOTH];
    let bytes = x.into_iter().chain(y);
    point.iter_mut().skip(1).zip(bytes).for_each(|(place, byte)| *place = byte);
    Ok(point)
}
