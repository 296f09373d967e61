//! The URL of a metadata document: of a protected resource
//! ([RFC 9728, 3](https://www.rfc-editor.org/rfc/rfc9728#section-3)), and of an authorization server
//! ([RFC 8414, 3](https://www.rfc-editor.org/rfc/rfc8414#section-3)).

use core::fmt;

use crate::syntax::url::split_after_host;

/// The path of the metadata of a protected resource.
pub(crate) const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";

/// The path of the metadata of an authorization server.
pub(crate) const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";

/// The URL of the metadata document of a resource.
pub(crate) struct MetadataUrl<'r>(pub(crate) &'r str);

impl fmt::Display for MetadataUrl<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (origin, rest) = around_well_known(self.0);
        write!(f, "{origin}{PROTECTED_RESOURCE}{rest}")
    }
}

/// Returns the path of the metadata document of a resource or an issuer, without the query.
pub(crate) fn metadata_path(well_known: &str, url: &str) -> String {
    let (_, rest) = around_well_known(url);
    let (path, _) = rest.split_once('?').unwrap_or((rest, ""));
    [well_known, path].concat()
}

/// Splits the identifier of a resource into the parts around the well-known path
/// ([RFC 9728, 3.1](https://www.rfc-editor.org/rfc/rfc9728#section-3.1)): scheme and host, and path
/// and query. A slash that only ends the host is dropped.
fn around_well_known(url: &str) -> (&str, &str) {
    let (origin, rest) = split_after_host(url);
    let rest = match rest.strip_prefix('/') {
        Some(query) if query.is_empty() || query.starts_with('?') => query,
        _ => rest,
    };
    (origin, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::url::fault;

    #[test]
    fn the_well_known_path_is_between_host_and_path() {
        for (url, metadata) in [
            ("https://r.example.com", "https://r.example.com/W"),
            ("https://r.example.com/", "https://r.example.com/W"),
            ("https://r.example.com/resource1", "https://r.example.com/W/resource1"),
            ("https://r.example.com/resource1/", "https://r.example.com/W/resource1/"),
            ("https://r.example.com/a/b?c=d", "https://r.example.com/W/a/b?c=d"),
            ("https://r.example.com?c=/d", "https://r.example.com/W?c=/d"),
            ("https://r.example.com/?c=d", "https://r.example.com/W?c=d"),
            ("https://r.example.com:8443/a", "https://r.example.com:8443/W/a"),
            ("https://[2001:db8::1]:8443/a", "https://[2001:db8::1]:8443/W/a"),
            ("https://[::1]", "https://[::1]/W"),
            ("http://localhost:8000/mcp", "http://localhost:8000/W/mcp"),
            ("https://r.example.com/a:b@c", "https://r.example.com/W/a:b@c"),
        ] {
            assert_eq!(fault(url), None, "{url}");
            let found = MetadataUrl(url).to_string();
            assert_eq!(found.replace(PROTECTED_RESOURCE, "/W"), metadata, "{url}");
        }
    }
}
