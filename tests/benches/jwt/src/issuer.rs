//! An issuer of tokens, with one key.

use std::time::{SystemTime, UNIX_EPOCH};

use aws_lc_rs::encoding::AsDer as _;
use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RsaKeyPair,
};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use jsonwebtoken::jwk::{Jwk, JwkSet, PublicKeyUse};
use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};
#[cfg(feature = "aws-lc")]
use {
    aws_lc_rs::digest::{SHA256, digest},
    base64::engine::general_purpose::URL_SAFE_NO_PAD,
    jsonwebtoken::jwk::{CommonParameters, ThumbprintHash},
};

/// The issuer of all tokens.
pub(crate) const ISSUER: &str = "https://id.example.com";
/// Whom all tokens are for.
pub(crate) const AUDIENCE: &str = "https://api.example.com";
/// The scope that is required.
pub(crate) const SCOPE: &str = "items:read";

/// An issuer that signs with one algorithm.
pub(crate) struct Issuer {
    pub(crate) algorithm: Algorithm,
    key: EncodingKey,
    /// The public key.
    pub(crate) jwk: Jwk,
}

impl Issuer {
    pub(crate) fn new(algorithm: Algorithm) -> Self {
        let random = SystemRandom::new();
        let key = match algorithm {
            Algorithm::RS256 => {
                let pair = RsaKeyPair::generate(KeySize::Rsa2048).expect("a key");
                let der = pair.as_der().expect("PKCS #8");
                let text = STANDARD.encode(der.as_ref());
                let pem =
                    format!("-----BEGIN PRIVATE KEY-----\n{text}\n-----END PRIVATE KEY-----\n");
                EncodingKey::from_rsa_pem(pem.as_bytes()).expect("a PEM")
            }
            Algorithm::ES256 => {
                let pair = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random);
                EncodingKey::from_ec_der(pair.expect("a key").as_ref())
            }
            Algorithm::EdDSA => {
                let pair = Ed25519KeyPair::generate_pkcs8v1(&random);
                EncodingKey::from_ed_der(pair.expect("a key").as_ref())
            }
            other => panic!("no key for {other:?}"),
        };
        let mut jwk = Jwk::from_encoding_key(&key, algorithm).expect("a public key");
        jwk.common.key_id = Some("2026-01".to_owned());
        jwk.common.public_key_use = Some(PublicKeyUse::Signature);
        Self { algorithm, key, jwk }
    }

    /// Returns the set with the public key, in JSON.
    pub(crate) fn jwks(&self) -> String {
        let set = JwkSet { keys: vec![self.jwk.clone()] };
        serde_json::to_string(&set).expect("JSON")
    }

    /// Signs a token of RFC 9068 about a user.
    pub(crate) fn token(&self, user: usize) -> String {
        self.token_with(user, json!({}))
    }

    /// Signs a token that is bound to the key of a client.
    #[cfg(feature = "aws-lc")]
    pub(crate) fn bound_token(&self, user: usize, client: &Self) -> String {
        let jkt = client.jwk.thumbprint(ThumbprintHash::SHA256).expect("a hash");
        self.token_with(user, json!({ "cnf": { "jkt": jkt } }))
    }

    /// Signs a proof for a `GET` with a token, as a client.
    #[cfg(feature = "aws-lc")]
    pub(crate) fn proof(&self, number: usize, url: &str, token: &str) -> String {
        let mut jwk = self.jwk.clone();
        jwk.common = CommonParameters::default();
        let header = Header {
            typ: Some("dpop+jwt".to_owned()),
            jwk: Some(jwk),
            ..Header::new(self.algorithm)
        };
        let hash = digest(&SHA256, token.as_bytes());
        let claims = json!({
            "jti": format!("2f0b81c6-5c6e-4b1c-8f57-{number:012}"),
            "htm": "GET",
            "htu": url,
            "iat": seconds(),
            "ath": URL_SAFE_NO_PAD.encode(hash.as_ref()),
        });
        jsonwebtoken::encode(&header, &claims, &self.key).expect("a proof")
    }

    fn token_with(&self, user: usize, more: Value) -> String {
        let header = Header {
            typ: Some("at+jwt".to_owned()),
            kid: self.jwk.common.key_id.clone(),
            ..Header::new(self.algorithm)
        };
        let now = seconds();
        let mut claims = json!({
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": format!("018f3c9e-7b2a-7c40-9d51-{user:012}"),
            "client_id": "web-shop",
            "iat": now,
            "exp": now + 3600,
            "jti": format!("f4c1d2aa-0b93-4c15-8f57-{user:012}"),
            "scope": "openid profile items:read items:write",
        });
        let (Value::Object(claims), Value::Object(more)) = (&mut claims, more) else {
            unreachable!("both are objects");
        };
        claims.extend(more);
        jsonwebtoken::encode(&header, &claims, &self.key).expect("a token")
    }
}

fn seconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.expect("a time after 1970").as_secs()
}
