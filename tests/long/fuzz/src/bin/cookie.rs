//! Fuzzes an API key in a cookie. A line of the input is a `Cookie` line, or another header with
//! its name.
#![no_main]

use doorward::scheme::RejectionReason;
use doorward::{Rejection, Scheme, api_key};
use doorward_fuzz::without_blanks;
use http::{HeaderValue, Method, Request};
use libfuzzer_sys::fuzz_target;

#[api_key(cookie = "key")]
struct Key;

#[api_key(cookie = "key", auto_error = false)]
struct Optional;

#[api_key(cookie = "key", cross_site)]
struct CrossSite;

#[api_key(cookie = "key", cross_site, repeated = "first")]
struct First;

type Line<'d> = (&'static str, &'d [u8]);

fn header(line: &[u8]) -> Line<'_> {
    for name in ["origin", "host", "sec-fetch-site", "upgrade"] {
        let value = line.strip_prefix(name.as_bytes());
        if let Some(value) = value.and_then(|value| value.strip_prefix(b":")) {
            return (name, value);
        }
    }
    ("cookie", line)
}

/// Returns the keys in the only cookie of the name, and in the first one (RFC 6265, 4.1.1 and 4.2.1).
fn keys_by_the_book(lines: &[Line<'_>]) -> [Option<String>; 2] {
    let mut values = Vec::new();
    for (_, line) in lines.iter().filter(|(name, _)| *name == "cookie") {
        for pair in line.split(|byte| *byte == b';') {
            let mut halves = pair.splitn(2, |byte| *byte == b'=');
            let name = halves.next().unwrap_or_default();
            if without_blanks(name) == b"key" {
                values.extend(halves.next().map(|value| (*line, value)));
            }
        }
    }
    let first = values.first().and_then(|(line, value)| key_in(line, value));
    [first.clone().filter(|_| values.len() == 1), first]
}

/// Returns the key in the value of a cookie.
fn key_in(line: &[u8], value: &[u8]) -> Option<String> {
    if line.iter().any(|byte| byte.is_ascii_control() && *byte != b'\t') {
        return None;
    }
    let value = String::from_utf8(without_blanks(value).to_vec()).ok()?;
    let inside = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    let value = inside.unwrap_or(&value);
    let is_octet = |octet: char| octet.is_ascii_graphic() && !"\",;\\".contains(octet);
    (!value.is_empty() && value.chars().all(is_octet)).then(|| value.to_owned())
}

/// Returns whether another site may have caused the request.
fn is_cross_site_by_the_book(method: &str, lines: &[Line<'_>]) -> bool {
    let all = |wanted: &str| {
        let found = lines.iter().filter(|(name, _)| *name == wanted);
        found.map(|(_, line)| *line).collect::<Vec<_>>()
    };
    let protocols = all("upgrade").join(&b',').to_ascii_lowercase();
    let upgrades =
        protocols.split(|byte| *byte == b',').any(|protocol| protocol.trim_ascii() == b"websocket");
    if ["GET", "HEAD", "OPTIONS"].contains(&method) && !upgrades {
        return false;
    }
    let sites = all("sec-fetch-site");
    if !sites.is_empty() {
        return sites.iter().any(|site| ![&b"same-origin"[..], b"none"].contains(site));
    }
    let hosts = all("host");
    all("origin").iter().any(|origin| {
        let [host] = *hosts else { return true };
        // The name of the scheme is in lower case, as a browser sends it.
        let is_same = |scheme: &[u8], default_port: &[u8]| {
            let with_port = |authority: &[u8]| {
                let authority = authority.to_ascii_lowercase();
                let port = match authority.ends_with(default_port) {
                    true => &[],
                    false => default_port,
                };
                [&authority, port].concat()
            };
            let authority = with_port(origin.strip_prefix(scheme).unwrap_or_default());
            authority != default_port && authority == with_port(host)
        };
        !is_same(b"https://", b":443") && !is_same(b"http://", b":80")
    })
}

fn check(found: Result<Option<String>, Rejection>, expected: &Result<Option<String>, u16>) {
    let found = found.map_err(|rejection| {
        let is_cross_site = rejection.reason() == Some(RejectionReason::CrossSite);
        let response: http::Response<String> = rejection.into();
        let status = response.status().as_u16();
        assert_eq!(is_cross_site, status == 403);
        assert_eq!(response.headers().contains_key("www-authenticate"), status == 401);
        status
    });
    assert_eq!(&found, expected);
}

fuzz_target!(|data: &[u8]| {
    let lines: Vec<_> = data.split(|byte| *byte == b'\n').map(header).collect();
    let raw = lines.as_slice();
    let [key, first] = keys_by_the_book(raw);
    let required = key.clone().map(Some).ok_or(401);
    let or_403 = |method: &str, expected: Result<Option<String>, u16>| {
        let is_cross_site = is_cross_site_by_the_book(method, raw);
        if is_cross_site { Err(403) } else { expected }
    };

    check(
        Key::authenticate_ref(raw).map(|key| Some(key.into_owned())),
        &or_403("", required.clone()),
    );
    let optional = Optional::authenticate_ref(raw).map(|key| key.map(Into::into));
    check(optional, &or_403("", Ok(key.clone())));
    let anywhere = CrossSite::authenticate_ref(raw).map(|key| Some(key.into_owned()));
    check(anywhere, &required);
    let found = First::authenticate_ref(raw).map(|key| Some(key.into_owned()));
    check(found, &first.map(Some).ok_or(401));

    for method in [Method::GET, Method::POST] {
        let mut request = Request::new(());
        *request.method_mut() = method.clone();
        for (name, line) in raw {
            let Ok(line) = HeaderValue::from_bytes(line) else {
                return;
            };
            request.headers_mut().append(*name, line);
        }
        let found = Key::authenticate(&request);
        if let Ok(key) = &found {
            assert!(key.secret_eq(key.as_str()) && !key.secret_eq(""));
            assert_eq!(format!("{key:?}"), "ApiKey(<redacted>)");
        }
        check(
            found.map(|key| Some(key.as_str().to_owned())),
            &or_403(method.as_str(), required.clone()),
        );
    }
});
