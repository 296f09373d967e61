//! The metadata of an issuer, which says where its keys are
//! ([OpenID Connect Discovery](https://openid.net/specs/openid-connect-discovery-1_0.html),
//! [RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)).

use serde::Deserialize;

use crate::jwt::build_error::BuildError;
use crate::jwt::documents::AnyFetch;
use crate::url::split_after_host;

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: String,
}

/// Returns the URL of an issuer's keys.
pub(super) async fn keys_of(issuer: &str, fetch: &dyn AnyFetch) -> Result<String, BuildError> {
    let mut mistakes = Vec::new();
    for url in urls(issuer) {
        match fetch.fetch_boxed(url.clone()).await {
            Ok(fetched) => match serde_json::from_slice::<Metadata>(&fetched.body) {
                Ok(metadata) => return checked(issuer, &url, metadata),
                Err(error) => mistakes.push(format!("{url}: {error}")),
            },
            Err(error) => mistakes.push(error),
        }
    }
    Err(BuildError::new(format!(
        "the metadata of the issuer cannot be fetched: {}",
        mistakes.join("; ")
    )))
}

fn checked(issuer: &str, url: &str, metadata: Metadata) -> Result<String, BuildError> {
    let found = metadata.issuer;
    if found == issuer {
        return Ok(metadata.jwks_uri);
    }
    // Entra ID answers so for `common` and `organizations`.
    let hint = if found.contains("{tenantid}") {
        "this address is for all tenants, and each has its own issuer: write the one of your tenant"
            .to_owned()
    } else {
        let (asked, _) = split_after_host(url);
        let (named, path) = split_after_host(&metadata.jwks_uri);
        // In a network of containers, an issuer may name the host that a browser on the machine
        // reaches, which in another container is that container itself.
        let is_of_issuer = named == split_after_host(&found).0;
        let keys = format!("{}{path}", if is_of_issuer { asked } else { named });
        format!(
            "write it exactly as the issuer does; if its tokens have that `iss`, and no metadata is below it, write \
             `jwks_url(\"{found}\", \"{keys}\", …)`"
        )
    };
    Err(BuildError::new(format!(
        "{url} is the metadata of the issuer `{found}`, not of `{issuer}`; {hint}"
    )))
}

/// Returns the URLs at which the metadata may be: that of OpenID Connect, whose well-known path
/// ends the URL, and that of RFC 8414, whose path follows the host.
fn urls(issuer: &str) -> [String; 2] {
    let trimmed = issuer.trim_end_matches('/');
    let (origin, path) = split_after_host(trimmed);
    [
        format!("{trimmed}/.well-known/openid-configuration"),
        format!("{origin}/.well-known/oauth-authorization-server{path}"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_issuer_is_an_error_that_says_how_to_reach_its_keys() {
        let hint = |issuer: &str, jwks_uri: &str| {
            let metadata = Metadata { issuer: issuer.to_owned(), jwks_uri: jwks_uri.to_owned() };
            let url = "http://keycloak:8080/r/.well-known/openid-configuration";
            checked("http://keycloak:8080/r", url, metadata).unwrap_err().to_string()
        };
        for (issuer, keys, expected) in [
            ("https://a.example/r", "https://keys.example/k", "https://keys.example/k"),
            // This host is the container itself, seen from another one.
            ("http://localhost:8080/r", "http://localhost:8080/r/k", "http://keycloak:8080/r/k"),
        ] {
            let line = format!("`jwks_url(\"{issuer}\", \"{expected}\", …)`");
            let hint = hint(issuer, keys);
            assert!(hint.contains(&line), "{hint}");
        }
    }

    #[test]
    fn the_metadata_is_at_one_of_two_urls() {
        assert_eq!(
            urls("https://id.example.com/realms/main"),
            [
                "https://id.example.com/realms/main/.well-known/openid-configuration",
                "https://id.example.com/.well-known/oauth-authorization-server/realms/main",
            ]
        );
        assert_eq!(
            urls("https://id.example.com/"),
            [
                "https://id.example.com/.well-known/openid-configuration",
                "https://id.example.com/.well-known/oauth-authorization-server",
            ]
        );
    }
}
