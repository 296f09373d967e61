//! The URL for which a proof is good, as the client has written it
//! ([RFC 9449, 4.3](https://www.rfc-editor.org/rfc/rfc9449#section-4.3)).
//!
//! What a service sees of its own URL is not that of the client: `Host` and `X-Forwarded-*` are what
//! a caller writes, and a proxy may take a prefix of the path away. So the service says it.

use doorward_core::__tokens::url;
use http::Uri;

use crate::build_error::BuildError;

/// The public URL of a service.
#[derive(Debug)]
pub(super) struct PublicUrl {
    origin: String,
    /// The path, without a slash at its end.
    path: String,
    /// `true` if a proxy takes the path away from each request, and `false` if one may do so.
    is_taken: bool,
}

impl PublicUrl {
    pub(super) fn of(resource: &str) -> Result<Self, BuildError> {
        let fault = url::fault(resource);
        let found = split(resource).filter(|_| fault.is_none());
        let fault = || fault.unwrap_or("must be an absolute URL");
        let (origin, path) =
            found.ok_or_else(|| BuildError::new(format!("the resource {}", fault())))?;
        Ok(Self { origin, path: path.trim_end_matches('/').to_owned(), is_taken: false })
    }

    /// Sets the path that a proxy takes away.
    pub(super) fn with_path(self, path: &str) -> Result<Self, BuildError> {
        let is_path = path.starts_with('/') && !path.contains('?');
        if !is_path || url::fault(&format!("{}{path}", self.origin)).is_some() {
            let mistake = "a public path begins with `/` and has no query; write one like `/svc2`";
            return Err(BuildError::new(mistake));
        }
        let path = normalized(path).trim_end_matches('/').to_owned();
        Ok(Self { path, is_taken: true, ..self })
    }

    /// Returns the URL of a request as the client has written it, normalized. A target that is below
    /// the path already was not shortened.
    pub(super) fn of_request(&self, target: &Uri) -> String {
        let target = normalized(target.path());
        let below = target.strip_prefix(&*self.path);
        let is_below = below.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        let taken = if is_below && !self.is_taken { "" } else { &self.path };
        format!("{}{taken}{target}", self.origin)
    }
}

/// Returns `true` if a URL is one that is normalized
/// ([RFC 3986, 6.2.2 and 6.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2)). A router does
/// not resolve `..` in a target, so only the URL may have it resolved.
pub(super) fn is_same(url: &str, normalized: &str) -> bool {
    let Some((origin, path)) = split(url) else { return false };
    let rest = normalized.strip_prefix(&*origin);
    rest.is_some_and(|rest| path == rest || without_dots(&path) == rest)
}

/// Splits a URL into its origin and its path, both normalized, without query and fragment.
fn split(url: &str) -> Option<(String, String)> {
    let url: Uri = url.split(['?', '#']).next()?.parse().ok()?;
    // `http` has both names in lower case, and `PublicUrl` is of one of them.
    let (scheme, authority) = (url.scheme_str()?, url.authority()?);
    let usual = if scheme == "https" { "443" } else { "80" };
    // A user name is before the host.
    let port = authority.as_str().strip_prefix(authority.host())?.trim_start_matches(':');
    let port = if port.is_empty() { usual } else { port.trim_start_matches('0') };
    let port = if port == usual { String::new() } else { format!(":{port}") };
    let host = authority.host().to_ascii_lowercase();
    Some((format!("{scheme}://{host}{port}"), normalized(url.path())))
}

/// Decodes the percent-encoding of characters that need none, and writes any other in capitals.
fn normalized(path: &str) -> String {
    let mut parts = path.split('%');
    let mut normalized = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..2).filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let (code, rest) = part.split_at_checked(code.map_or(0, str::len)).unwrap_or_default();
        match u8::from_str_radix(code, 16) {
            Ok(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                normalized.push(byte.into());
            }
            _ => normalized.extend(["%", &code.to_ascii_uppercase()]),
        }
        normalized.push_str(rest);
    }
    normalized
}

/// Resolves the segments `.` and `..` of a path
/// ([RFC 3986, 5.2.4](https://www.rfc-editor.org/rfc/rfc3986#section-5.2.4)).
fn without_dots(path: &str) -> String {
    let (mut kept, mut ends_in_dots) = (Vec::new(), false);
    for segment in path.split('/').skip(1) {
        ends_in_dots = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => drop(kept.pop()),
            segment => kept.push(segment),
        }
    }
    kept.extend(ends_in_dots.then_some(""));
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equivalent_urls_are_the_same_and_no_others() {
        let url = PublicUrl::of("https://api.example.com").unwrap();
        for (target, found, expected) in [
            ("/a", "https://api.example.com/a", true),
            ("/a?b=c", "https://api.example.com/a", true),
            ("/a", "https://api.example.com/a?b=c#d", true),
            ("/a", "HTTPS://API.Example.COM:443/a", true),
            ("/a", "https://api.example.com:/a", true),
            ("/a", "https://api.example.com:0443/a", true),
            ("/", "https://api.example.com", true),
            ("/", "https://api.example.com?a", true),
            ("/%7ea/%c3%a9/b%2fc", "https://api.example.com/~a/%C3%A9/b%2Fc", true),
            ("/~a", "https://api.example.com/%7Ea", true),
            ("/a/b", "https://api.example.com/a/./x/../b", true),
            ("/a/", "https://api.example.com/a/b/..", true),
            ("/a/../b", "https://api.example.com/a/../b", true),
            ("/%", "https://api.example.com/%", true),
            ("/%2", "https://api.example.com/%2", true),
            ("/a/../b", "https://api.example.com/b", false),
            ("/%zz", "https://api.example.com/%ZZ", false),
            ("/a", "https://api.example.com/a/", false),
            ("/a/", "https://api.example.com/a", false),
            ("/a", "https://api.example.com/A", false),
            ("/a", "https://api.example.com//a", false),
            ("/b%2fc", "https://api.example.com/b/c", false),
            ("/a", "https://api.example.com:8443/a", false),
            ("/a", "https://api.example.com:80/a", false),
            ("/a", "https://api.example.com:65979/a", false),
            ("/a", "https://api.example.com:+443/a", false),
            ("/a", "http://api.example.com/a", false),
            ("/a", "http://api.example.com:443/a", false),
            ("/a", "https://api.example.com./a", false),
            ("/a", "https://evil.example/a", false),
            ("/a", "https://api.example.com@evil.example/a", false),
            ("/a", "https://user@api.example.com/a", false),
            ("/a", "https://api.example.com\\@evil.example/a", false),
            ("/a", "//api.example.com/a", false),
            ("/a", "/a", false),
            ("/a", "ws://api.example.com/a", false),
            ("/a", " https://api.example.com/a", false),
            ("/a", "", false),
            ("*", "https://api.example.com/", false),
        ] {
            let expected_url = url.of_request(&target.parse().unwrap());
            assert_eq!(is_same(found, &expected_url), expected, "{target} {found}");
        }
        let local = PublicUrl::of("http://[::1]:8000").unwrap();
        let expected = local.of_request(&Uri::from_static("/a"));
        assert!(is_same("http://[::1]:8000/a", &expected) && !is_same("http://[::1]/a", &expected));
    }

    #[test]
    fn a_path_may_be_taken_away() {
        let url = |resource| PublicUrl::of(resource).unwrap();
        for (url, target, expected) in [
            (url("https://a.test/v1"), "/items", "https://a.test/v1/items"),
            (url("https://a.test/v1/"), "/v1/items", "https://a.test/v1/items"),
            (url("https://a.test/v1"), "/v1", "https://a.test/v1"),
            (url("https://a.test/v1"), "/v1items", "https://a.test/v1/v1items"),
            (url("https://a.test:8443"), "/items", "https://a.test:8443/items"),
            (url("http://localhost"), "/", "http://localhost/"),
            (url("https://a.test").with_path("/svc2").unwrap(), "/", "https://a.test/svc2/"),
            (
                url("https://a.test/v1").with_path("/v1/").unwrap(),
                "/v1/a",
                "https://a.test/v1/v1/a",
            ),
            (url("https://a.test/v1").with_path("/").unwrap(), "/items", "https://a.test/items"),
        ] {
            let target = target.parse().unwrap();
            assert_eq!(url.of_request(&target), expected);
            assert!(is_same(expected, expected));
        }
        for path in ["", "svc2", "/a?b", "/a#b", "/a b", "/../a", ":8000/a", "//a"] {
            assert!(url("https://a.test").with_path(path).is_err(), "{path}");
        }
        for resource in ["", "/a", "api.example.com", "http://api.example.com", "https://a@b"] {
            let error = PublicUrl::of(resource).unwrap_err().to_string();
            assert!(error.starts_with("the resource must "), "{error}");
        }
    }
}
