//! The metadata of an issuer, which says where its keys are, and where it answers about tokens
//! ([OpenID Connect Discovery](https://openid.net/specs/openid-connect-discovery-1_0.html),
//! [RFC 8414](https://www.rfc-editor.org/rfc/rfc8414)).

use doorward_core::__tokens::url::split_after_host;
use serde::Deserialize;

use crate::build_error::BuildError;
use crate::fetch::documents::{self, AnyFetch};

#[derive(Deserialize)]
struct Metadata {
    issuer: String,
    jwks_uri: Option<String>,
    introspection_endpoint: Option<String>,
}

/// The URL for which metadata are read.
#[derive(Clone, Copy)]
pub(crate) enum Sought {
    Keys,
    Introspection,
}

impl Sought {
    /// The member of the metadata, and the function that takes its value instead.
    const fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Keys => ("jwks_uri", "jwks_url"),
            Self::Introspection => ("introspection_endpoint", "at"),
        }
    }

    fn of(self, metadata: Metadata) -> Option<String> {
        match self {
            Self::Keys => metadata.jwks_uri,
            Self::Introspection => metadata.introspection_endpoint,
        }
    }
}

/// Returns the URL that the metadata of an issuer have.
pub(crate) async fn find(
    sought: Sought,
    issuer: &str,
    fetch: &dyn AnyFetch,
) -> Result<String, BuildError> {
    let mut mistakes = Vec::new();
    for url in urls(issuer) {
        match documents::fetch(fetch, url.clone()).await {
            Ok(fetched) => match read(sought, &fetched.body) {
                Ok((named, found)) => return checked(sought, issuer, &url, named, found),
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

/// Reads the issuer that metadata name, and the URL that is sought.
fn read(sought: Sought, body: &[u8]) -> Result<(String, String), String> {
    let metadata: Metadata = serde_json::from_slice(body).map_err(|error| error.to_string())?;
    let issuer = metadata.issuer.clone();
    let (member, _) = sought.names();
    let url = sought.of(metadata).ok_or_else(|| format!("missing field `{member}`"))?;
    Ok((issuer, url))
}

/// Returns the URL, if the metadata are those of the issuer.
fn checked(
    sought: Sought,
    issuer: &str,
    url: &str,
    found: String,
    sought_url: String,
) -> Result<String, BuildError> {
    if found == issuer {
        return Ok(sought_url);
    }
    // Entra ID answers so for `common` and `organizations`.
    let hint = if found.contains("{tenantid}") {
        "this address is for all tenants, and each has its own issuer: write the one of your tenant"
            .to_owned()
    } else {
        let (asked, _) = split_after_host(url);
        let (named, path) = split_after_host(&sought_url);
        // In a network of containers, an issuer may name the host that a browser on the machine
        // reaches, which in another container is that container itself.
        let is_of_issuer = named == split_after_host(&found).0;
        let there = format!("{}{path}", if is_of_issuer { asked } else { named });
        let (_, function) = sought.names();
        let issuer = match sought {
            Sought::Keys => format!("\"{found}\", "),
            Sought::Introspection => String::new(),
        };
        format!(
            "write it exactly as the issuer does; if its tokens have that `iss`, and no metadata is below it, write \
             `{function}({issuer}\"{there}\", …)`"
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
            let url = "http://keycloak:8080/r/.well-known/openid-configuration";
            let (issuer, keys) = (issuer.to_owned(), jwks_uri.to_owned());
            checked(Sought::Keys, "http://keycloak:8080/r", url, issuer, keys)
                .unwrap_err()
                .to_string()
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
