//! Recognizes a text that was given instead of a public key, so that the error can name it.

/// Returns what a text is that is no PEM of a public key, as the end of a sentence, and what to do.
pub(crate) fn instead_of_pem(pasted: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(pasted);
    let has = |part: &str| text.contains(part);
    Some(if is_path(&text) {
        PATH
    } else if text.trim_start().starts_with(PEM_IN_BASE64) {
        "is in base64 as a whole; decode it first"
    } else if has("PRIVATE KEY-----") {
        "is a private key, which only the issuer may have; give the public one: `openssl pkey -pubout -in key.pem`"
    } else if has("ssh-rsa ") || has("ssh-ed25519 ") || has("ecdsa-sha2-") {
        "is a key of ssh; convert it: `ssh-keygen -e -m PKCS8 -f key.pub`"
    } else if has("BEGIN OPENSSH") || has("BEGIN SSH2") {
        "is a key of ssh; convert it: `ssh-keygen -i -m PKCS8 -f key.pub`"
    } else if has("-----BEGIN") && has("\\n") {
        "has line ends as the two characters `\\n`; write real line ends, or replace them: `pem.replace(\"\\\\n\", \"\\n\")`"
    } else if text.trim_start().starts_with('{') {
        "is JSON; give a JWK Set to `jwks`"
    } else if !has("-----BEGIN") && is_base64(&text) {
        "lacks its first and last line; write `-----BEGIN PUBLIC KEY-----` above it, and `-----END PUBLIC KEY-----` below"
    } else if text.trim().starts_with("http") {
        "is a URL; give that of a JWK Set to `jwks_url`"
    } else {
        return None;
    })
}

/// Returns what a text is that is no JWK Set, as the end of a sentence, and what to do.
pub(crate) fn instead_of_jwks(pasted: &[u8]) -> Option<&'static str> {
    let text = String::from_utf8_lossy(pasted);
    let is_key = |value: &serde_json::Value| value.get("kty").is_some();
    let is_certificate = |value: &serde_json::Value| {
        value.as_str().is_some_and(|text| text.contains("-----BEGIN CERTIFICATE"))
    };
    Some(match serde_json::from_slice::<serde_json::Value>(pasted) {
        Ok(value) if is_key(&value) => "is a single JWK; write a set of it: `{\"keys\":[…]}`",
        Ok(value) if value.as_array().is_some_and(|keys| keys.iter().any(is_key)) => {
            "is a list of keys; write a set of them: `{\"keys\":[…]}`"
        }
        Ok(value) if value.get("jwks_uri").is_some() => {
            "is the metadata of an issuer; use `discover`, or give its `jwks_uri` to `jwks_url`"
        }
        Ok(value) if value.as_object().is_some_and(|all| all.values().any(is_certificate)) => {
            "is an object of certificates; take the URL that the issuer has for a JWK Set, or give each certificate to `pem`"
        }
        Err(_) if is_path(&text) => PATH,
        Err(_) if text.trim_start().starts_with(OBJECT_IN_BASE64) => {
            "is in base64 as a whole; decode it first"
        }
        Err(_) if text.contains("-----BEGIN") => "is PEM; give it to `pem`",
        Err(_) if text.trim().starts_with("http") => "is a URL; give it to `jwks_url`",
        _ => return None,
    })
}

/// How `-----BEGIN` and `{"` begin in base64.
const PEM_IN_BASE64: &str = "LS0tLS1CRUdJ";
const OBJECT_IN_BASE64: &str = "ey";

const PATH: &str = "is the path of a file; give what is in it: `std::fs::read(path)?`";

/// Returns `true` if a text is a path, which no key in base64 is: one begins with `M`.
fn is_path(text: &str) -> bool {
    let text = text.trim();
    let is_one_line = !text.contains(char::is_whitespace);
    let ends = [".pem", ".key", ".crt", ".cer", ".json", ".jwks"];
    let is_named = ends.iter().any(|end| text.ends_with(end)) && !text.starts_with("http");
    is_one_line && (text.starts_with('/') || text.starts_with("./") || is_named)
}

fn is_base64(text: &str) -> bool {
    let mut bytes = text.bytes().filter(|byte| !byte.is_ascii_whitespace()).peekable();
    let is_there = bytes.peek().is_some();
    is_there && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+/=".contains(&byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_pasted_is_named() {
        for (pasted, expected) in [
            ("-----BEGIN PRIVATE KEY-----\nMC4C\n-----END PRIVATE KEY-----", "is a private key"),
            ("-----BEGIN RSA PRIVATE KEY-----\\nMC4C", "is a private key"),
            ("ssh-ed25519 AAAAC3Nz john@example.com", "is a key of ssh"),
            ("---- BEGIN SSH2 PUBLIC KEY ----", "is a key of ssh"),
            ("-----BEGIN PUBLIC KEY-----\\nMCow\\n-----END PUBLIC KEY-----", "two characters"),
            ("{\"kty\":\"RSA\"}", "is JSON"),
            ("MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A\nMIIB+/==", "lacks its first and last line"),
            ("https://id.example.com/jwks", "is a URL"),
            ("https://id.example.com/key.pem", "is a URL"),
            ("/run/secrets/key", "is the path of a file"),
            ("keys/public.pem\n", "is the path of a file"),
            ("LS0tLS1CRUdJTiBQVUJMSUMgS0VZLS0tLS0K", "is in base64 as a whole"),
        ] {
            let found = instead_of_pem(pasted.as_bytes()).unwrap_or_default();
            assert!(found.contains(expected), "{pasted}: {found}");
        }
        for (pasted, expected) in [
            (r#"{"kty":"RSA"}"#, "is a single JWK"),
            (r#"[{"kty":"RSA"}]"#, "is a list of keys"),
            (r#"{"issuer":"a","jwks_uri":"b"}"#, "is the metadata"),
            ("-----BEGIN PUBLIC KEY-----", "is PEM"),
            ("https://id.example.com/jwks.json", "is a URL"),
            ("/etc/jwks.json", "is the path of a file"),
            ("eyJrZXlzIjpbXX0=", "is in base64 as a whole"),
            (r#"{"a":"-----BEGIN CERTIFICATE-----\nMIIC"}"#, "is an object of certificates"),
        ] {
            let found = instead_of_jwks(pasted.as_bytes()).unwrap_or_default();
            assert!(found.contains(expected), "{pasted}: {found}");
        }
        assert_eq!(instead_of_pem(b""), None);
        assert_eq!(instead_of_jwks(br#"{"keys":[]}"#), None);
    }
}
