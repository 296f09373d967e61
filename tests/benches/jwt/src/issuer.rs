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
use serde_json::json;

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
        let header = Header {
            typ: Some("at+jwt".to_owned()),
            kid: self.jwk.common.key_id.clone(),
            ..Header::new(self.algorithm)
        };
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now = now.expect("a time after 1970").as_secs();
        let claims = json!({
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": format!("018f3c9e-7b2a-7c40-9d51-{user:012}"),
            "client_id": "web-shop",
            "iat": now,
            "exp": now + 3600,
            "jti": format!("f4c1d2aa-0b93-4c15-8f57-{user:012}"),
            "scope": "openid profile items:read items:write",
        });
        jsonwebtoken::encode(&header, &claims, &self.key).expect("a token")
    }
}
