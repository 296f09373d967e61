//! Tokens verified by hand with `jsonwebtoken`, with keys that are fetched once.

use std::collections::HashMap;
use std::error::Error;

use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, Validation, decode, decode_header};

/// The claims that the service reads.
#[derive(Clone, serde::Deserialize)]
pub(crate) struct Claims {
    pub(crate) sub: String,
    scope: String,
}

impl Claims {
    pub(crate) fn has_scope(&self, scope: &str) -> bool {
        self.scope.split(' ').any(|granted| granted == scope)
    }
}

/// The issuer's keys by their names, each with what is checked.
pub(crate) struct Keys(HashMap<String, (DecodingKey, Validation)>);

impl Keys {
    pub(crate) async fn fetch(issuer: &str) -> Result<Self, Box<dyn Error>> {
        let set = reqwest::get(format!("{issuer}/.well-known/jwks.json")).await?;
        let set: JwkSet = set.json().await?;
        let mut keys = HashMap::new();
        for jwk in set.keys {
            let algorithm = jwk.common.key_algorithm.ok_or("a key without `alg`")?;
            let mut validation = Validation::new(algorithm.to_string().parse()?);
            validation.set_issuer(&[issuer]);
            validation.set_audience(&["https://api.example.com"]);
            validation.set_required_spec_claims(&["exp", "iss", "aud"]);
            validation.validate_nbf = true;
            let name = jwk.common.key_id.clone().ok_or("a key without `kid`")?;
            keys.insert(name, (DecodingKey::from_jwk(&jwk)?, validation));
        }
        Ok(Self(keys))
    }

    pub(crate) fn verify(&self, token: &str) -> Option<Claims> {
        let (key, validation) = self.0.get(&decode_header(token).ok()?.kid?)?;
        Some(decode(token, key, validation).ok()?.claims)
    }
}
