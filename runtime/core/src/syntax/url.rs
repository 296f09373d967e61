//! The syntax of the URLs that programs compare: those of resources and issuers.

mod host;
pub(crate) mod well_known;

/// Splits a URL behind its scheme, host and port.
#[must_use]
pub fn split_after_host(url: &str) -> (&str, &str) {
    let host = url.find("://").map_or(0, |scheme| scheme.saturating_add(3));
    let rest = url.get(host..).unwrap_or_default();
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    url.split_at_checked(host.saturating_add(end)).unwrap_or((url, ""))
}

/// Returns `true` if two URLs name one resource: they are the same text, or the root of one host with
/// and without its slash ([RFC 3986, 6.2.3](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.3)).
#[must_use]
pub fn is_same(url: &str, other: &str) -> bool {
    let is_root = |url: &str| url.contains("://") && split_after_host(url).1.is_empty();
    let adds_slash = |url: &str, root: &str| url.strip_suffix('/') == Some(root) && is_root(root);
    url == other || adds_slash(url, other) || adds_slash(other, url)
}

/// Returns what is wrong with the URL of a resource, as the end of a sentence.
#[must_use]
pub const fn fault(url: &str) -> Option<&'static str> {
    let (rest, is_secure) = match url.as_bytes() {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', rest @ ..] => (rest, true),
        [b'h', b't', b't', b'p', b':', b'/', b'/', rest @ ..] => (rest, false),
        _ => return Some("must be an absolute URL; write one like `https://example.com`"),
    };
    let (host, rest) = match host::read(rest) {
        Ok(read) => read,
        Err(fault) => return Some(fault),
    };
    if !is_secure && !host::is_loopback(host) {
        return Some(
            "must be an `https` URL; `http` is for this machine alone, as in `http://localhost:8000`",
        );
    }
    let Some(rest) = after_port(rest) else {
        return Some("must have a number as its port; write one like `https://example.com:8443`");
    };
    if !matches!(rest, [] | [b'/' | b'?' | b'#', ..]) {
        return Some("must have a `/` before its path; write one like `https://example.com/v1`");
    }
    match fault_of_characters(rest) {
        None => fault_of_segments(rest),
        fault => fault,
    }
}

/// Returns what follows a port, if there is one from 1 to 65535.
#[allow(clippy::arithmetic_side_effects, reason = "a number of five digits")]
const fn after_port(rest: &[u8]) -> Option<&[u8]> {
    let [b':', tail @ ..] = rest else {
        return Some(rest);
    };
    let (mut rest, mut port, mut digits) = (tail, 0_u32, 0);
    while let [digit @ b'0'..=b'9', tail @ ..] = rest
        && digits < 5
    {
        (rest, port, digits) = (tail, port * 10 + (*digit - b'0') as u32, digits + 1);
    }
    if port == 0 || port > 65535 || matches!(rest, [b'0'..=b'9', ..]) {
        return None;
    }
    Some(rest)
}

/// Returns what is wrong with the characters of a path and a query.
const fn fault_of_characters(path: &[u8]) -> Option<&'static str> {
    let mut rest = path;
    while let [byte, tail @ ..] = rest {
        match byte {
            b'#' => return Some("must have no fragment; remove `#` and what follows it"),
            b'%' => match tail {
                [high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {}
                _ => return Some("must have two hexadecimal digits after each `%`"),
            },
            b'!' | b'$' | b'&'..=b';' | b'=' | b'?' | b'@' | b'_' | b'~' => {}
            byte if byte.is_ascii_alphanumeric() => {}
            _ => {
                return Some(
                    "must be visible ASCII; percent-encode spaces, quotes, brackets and other alphabets",
                );
            }
        }
        rest = tail;
    }
    None
}

/// Returns what is wrong with the segments of a path. A client resolves `.` and `..`, and routers
/// read `//`, `:` and `*` in their own way, so no client would find the metadata of such a path.
const fn fault_of_segments(path: &[u8]) -> Option<&'static str> {
    let mut rest = path;
    while let [b'/', tail @ ..] = rest {
        if matches!(tail, [b'/', ..]) {
            return Some("must have no empty segment in its path; write one `/` instead of `//`");
        }
        if matches!(tail, [b':' | b'*', ..]) {
            return Some(
                "must have no segment that begins with `:` or `*`; routers read them as patterns",
            );
        }
        let (mut after, mut has_dots, mut is_empty) = (tail, true, true);
        while let [byte, next @ ..] = after
            && !matches!(byte, b'/' | b'?')
        {
            after = match after {
                [b'%', b'2', b'e' | b'E', next @ ..] => next,
                _ => {
                    has_dots &= *byte == b'.';
                    next
                }
            };
            is_empty = false;
        }
        if has_dots && !is_empty {
            return Some("must have no `.` or `..` in its path, since clients resolve them");
        }
        rest = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resource_is_a_secure_url_without_a_fragment() {
        for (url, part) in [
            ("", "absolute URL"),
            ("api.example.com", "absolute URL"),
            ("/v1", "absolute URL"),
            ("HTTPS://api.example.com", "absolute URL"),
            ("ftp://api.example.com", "absolute URL"),
            ("https://", "must have a host;"),
            ("https:///v1", "must have a host;"),
            ("https://:8443", "must have a host;"),
            ("https://user@api.example.com", "no user name"),
            ("https://api_example.com", "letters, digits"),
            ("https://bücher.example", "letters, digits"),
            ("https://api.example.com:", "number as its port"),
            ("https://api.example.com:x", "number as its port"),
            ("https://api.example.com:123456", "number as its port"),
            ("https://api.example.com:80a", "`/` before its path"),
            ("https://[::1]a", "`/` before its path"),
            ("https://[]", "IPv6"),
            ("https://[::1", "IPv6"),
            ("https://a[::1]", "IPv6"),
            ("https://[::g]", "IPv6"),
            ("https://[...]", "IPv6"),
            ("https://[1.2.3.4]", "IPv6"),
            ("https://[::::]", "IPv6"),
            ("https://[1::2::3]", "IPv6"),
            ("https://[1:2:3:4:5:6:7]", "IPv6"),
            ("https://[1:2:3:4:5:6:7:8:9]", "IPv6"),
            ("https://[12345::]", "IPv6"),
            ("https://...", "letters, digits"),
            ("https://a..b", "letters, digits"),
            ("https://a.", "letters, digits"),
            ("https://-a", "letters, digits"),
            ("https://a-.b", "letters, digits"),
            ("https://1.2.3.4.5", "IPv4"),
            ("https://1.2.3.256", "IPv4"),
            ("https://a.1", "IPv4"),
            ("https://a:99999", "number as its port"),
            ("https://a:0", "number as its port"),
            ("https://a/../b", "`..` in its path"),
            ("https://a/.", "`..` in its path"),
            ("https://a/b/%2e%2E?c", "`..` in its path"),
            ("https://a//b", "empty segment"),
            ("https://a/:b", "patterns"),
            ("https://a/b/*c", "patterns"),
            ("http://127.", "letters, digits"),
            ("http://127.0.0.1.example.com", "`https` URL"),
            ("https://api.example.com/#top", "no fragment"),
            ("https://api.example.com#top", "no fragment"),
            ("https://api.example.com/%2", "two hexadecimal"),
            ("https://api.example.com/%zz", "two hexadecimal"),
            ("https://api.example.com/a b", "visible ASCII"),
            ("https://api.example.com/\"", "visible ASCII"),
            ("https://api.example.com/\\", "visible ASCII"),
            ("https://api.example.com/é", "visible ASCII"),
            ("http://api.example.com", "`https` URL"),
            ("http://notlocalhost", "`https` URL"),
            ("http://127.example.com", "`https` URL"),
            ("http://[::2]", "`https` URL"),
        ] {
            let fault = fault(url).unwrap_or_default();
            assert!(fault.contains(part), "{url}: {fault}");
        }
        for url in [
            "http://localhost",
            "http://api.localhost:3000/a",
            "http://127.0.0.1:8000",
            "http://[::1]:8000/",
            "http://[0:0:0:0:0:0:0:1]",
            "https://[1:2:3:4:5:6:7:8]",
            "https://[2001:db8::]/...a/b.c/",
            "https://API.example.com/%C3%A9?a=b&c=(d)",
        ] {
            assert_eq!(fault(url), None, "{url}");
        }
    }
}
