//! Makes the tokens of the issuer ISSUER, in a folder: `tokens ISSUER FOLDER`.
//!
//! `RS256.txt` and `ES256.txt` have a token for each user, one a line; `jwks.json` has the keys.
//! For each algorithm, `refused.json` has the tokens that every app must refuse, and `probes.json`
//! those that a careful app refuses, by what is wrong with them.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, fs};

use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, RsaKeyPair};
use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, EncodingKey, crypto};
use serde_json::{Value, json};

/// The number of tokens with each algorithm.
const TOKENS: usize = 10_000;
/// Whom the tokens are for.
const AUDIENCE: &str = "https://api.example.com";

fn main() -> Result<(), Box<dyn Error>> {
    let (issuer, folder) = (env::args().nth(1), env::args().nth(2));
    let (issuer, folder) = issuer.zip(folder).ok_or("tokens ISSUER FOLDER")?;
    let folder = Path::new(&folder);
    let mut keys = Vec::new();
    let (mut refused, mut probes) = (BTreeMap::new(), BTreeMap::new());
    for (name, algorithm) in [("RS256", Algorithm::RS256), ("ES256", Algorithm::ES256)] {
        let signer = Signer::new(name, algorithm)?;
        let mut tokens = String::new();
        for user in 0..TOKENS {
            tokens += &signer.sign(&signer.header(), &claims(&issuer, user)?)?;
            tokens.push('\n');
        }
        fs::write(folder.join(format!("{name}.txt")), tokens)?;
        refused.insert(name, signer.refused(&issuer)?);
        probes.insert(name, signer.probes(&issuer)?);
        keys.push(signer.jwk);
    }
    fs::write(folder.join("jwks.json"), serde_json::to_vec(&JwkSet { keys })?)?;
    fs::write(folder.join("refused.json"), serde_json::to_vec(&refused)?)?;
    fs::write(folder.join("probes.json"), serde_json::to_vec(&probes)?)?;
    Ok(())
}

/// The claims of a user's token ([RFC 9068](https://www.rfc-editor.org/rfc/rfc9068#section-2.2)).
fn claims(issuer: &str, user: usize) -> Result<Value, Box<dyn Error>> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs();
    Ok(json!({
        "iss": issuer,
        "aud": AUDIENCE,
        "sub": format!("018f3c9e-7b2a-7c40-9d51-{user:012}"),
        "client_id": "web-shop",
        "iat": now,
        "exp": now + 24 * 3600, // longer than any run
        "jti": format!("f4c1d2aa0b93-{user:012}"),
        "scope": "openid profile items",
    }))
}

/// Tokens by their names.
type Named = BTreeMap<&'static str, String>;

/// A key pair.
struct Signer {
    key: EncodingKey,
    algorithm: Algorithm,
    /// The public key.
    jwk: Jwk,
}

impl Signer {
    fn new(name: &str, algorithm: Algorithm) -> Result<Self, Box<dyn Error>> {
        let key = if algorithm == Algorithm::RS256 {
            let pair = RsaKeyPair::generate(KeySize::Rsa2048)?;
            let text = STANDARD.encode(pair.as_der()?.as_ref());
            let pem = format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n");
            EncodingKey::from_rsa_pem(pem.as_bytes())?
        } else {
            let curve = &ECDSA_P256_SHA256_FIXED_SIGNING;
            let der = EcdsaKeyPair::generate_pkcs8(curve, &SystemRandom::new())?;
            EncodingKey::from_ec_der(der.as_ref())
        };
        let mut jwk = Jwk::from_encoding_key(&key, algorithm)?;
        jwk.common.key_id = Some(format!("{name}-2026"));
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        Ok(Self { key, algorithm, jwk })
    }

    fn header(&self) -> Value {
        json!({ "alg": self.algorithm, "typ": "at+jwt", "kid": self.jwk.common.key_id })
    }

    fn sign(&self, header: &Value, claims: &Value) -> Result<String, Box<dyn Error>> {
        let part = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
        let message = format!("{}.{}", part(header), part(claims));
        let signature = crypto::sign(message.as_bytes(), &self.key, self.algorithm)?;
        Ok(format!("{message}.{signature}"))
    }

    /// Signs a token with some members of its header and claims replaced. `null` removes a member.
    fn altered(
        &self,
        issuer: &str,
        header: &Value,
        claims: &Value,
    ) -> Result<String, Box<dyn Error>> {
        let alter = |mut whole: Value, members: &Value| {
            for (name, value) in members.as_object().into_iter().flatten() {
                whole[name] = value.clone();
            }
            whole.as_object_mut().expect("an object").retain(|_, value| !value.is_null());
            whole
        };
        self.sign(&alter(self.header(), header), &alter(self::claims(issuer, 0)?, claims))
    }

    fn refused(&self, issuer: &str) -> Result<Named, Box<dyn Error>> {
        let [token, another] = [0, 1].map(|user| claims(issuer, user));
        let (token, another) =
            (self.sign(&self.header(), &token?)?, self.sign(&self.header(), &another?)?);
        let (message, _) = token.rsplit_once('.').ok_or("no signature")?;
        let (_, signature) = another.rsplit_once('.').ok_or("no signature")?;
        let unsigned = self.altered(issuer, &json!({ "alg": "none" }), &json!({}))?;
        let (unsigned, _) = unsigned.rsplit_once('.').ok_or("no signature")?;
        let past = json!({ "iat": 1_700_000_000, "exp": 1_700_003_600 });
        Ok(BTreeMap::from([
            ("forged", format!("{message}.{signature}")),
            ("unsigned", format!("{unsigned}.")),
            ("expired", self.altered(issuer, &json!({}), &past)?),
        ]))
    }

    fn probes(&self, issuer: &str) -> Result<Named, Box<dyn Error>> {
        let none = json!({});
        let later = claims(issuer, 0)?["exp"].clone();
        let probes = [
            ("another `typ`", json!({ "typ": "JWT" }), none.clone()),
            ("`crit`", json!({ "crit": ["x"], "x": true }), none.clone()),
            ("another `iss`", none.clone(), json!({ "iss": "https://other.example.com" })),
            ("no `iss`", none.clone(), json!({ "iss": null })),
            ("another `aud`", none.clone(), json!({ "aud": "https://other.example.com" })),
            ("no `aud`", none.clone(), json!({ "aud": null })),
            ("no `exp`", none.clone(), json!({ "exp": null })),
            ("`nbf` in the future", none.clone(), json!({ "nbf": later })),
            (
                "`cnf`",
                none.clone(),
                json!({ "cnf": { "jkt": "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2Hg" } }),
            ),
            ("no `scope`", none, json!({ "scope": "openid profile" })),
        ];
        let sign = |(name, header, claims)| Ok((name, self.altered(issuer, &header, &claims)?));
        probes.into_iter().map(sign).collect()
    }
}
