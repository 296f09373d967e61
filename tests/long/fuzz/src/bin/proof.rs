//! Fuzzes the check of a proof of possession. The input is a proof, or a target, and the header and
//! the claims of a proof, as three lines. Those are signed, so that all checks are reached. The slow model compares URLs by the grammar of RFC 3986.
#![no_main]

use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};
use std::time::{SystemTime, UNIX_EPOCH};

use doorward::jwt::TokenVerifier;
use doorward::testing::{TestAuthority, TestKey};
use doorward::verify::{KeyBound, Presented, Verify};
use doorward::{BearerToken, Scheme, SecurityScopes, http_bearer};
use http::{HeaderValue, Request, Uri};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

const RESOURCE: &str = "https://api.example.com";

type Tokens = KeyBound<TokenVerifier<Value>>;

#[http_bearer(dpop, verified = Value, by = Tokens)]
struct Api;

static AUTHORITY: LazyLock<TestAuthority> =
    LazyLock::new(|| TestAuthority::new(RESOURCE).expect("a backend is enabled"));

static KEY: LazyLock<TestKey> = LazyLock::new(|| TestKey::new().expect("a backend is enabled"));

static TOKENS: LazyLock<Tokens> = LazyLock::new(|| {
    let tokens = ready(AUTHORITY.verifier().build()).expect("the keys are good");
    KeyBound::new(tokens, RESOURCE).expect("a URL")
});

static TOKEN: LazyLock<BearerToken> = LazyLock::new(|| {
    // It lasts longer than the run.
    let token = AUTHORITY.token("johndoe").bound_to(&KEY).claim("exp", 4_000_000_000_u64);
    token.sign().expect("a backend is enabled")
});

/// Returns the output of a future that waits for nothing.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing is fetched"),
    }
}

fn is_accepted(target: &Uri, proof: &HeaderValue) -> bool {
    let request = Request::get(target)
        .header("authorization", format!("DPoP {}", TOKEN.as_str()))
        .header("dpop", proof);
    let head = request.body(()).expect("a head").into_parts().0;
    let token = Api::authenticate(&head).expect("there is one");
    ready(TOKENS.verify(Presented::of(token, head), SecurityScopes::NONE)).is_ok()
}

/// Returns whether a signed proof is taken that was not used before, by RFC 9449, 4.3. `good` are the
/// parts of a good one.
fn is_good_by_the_book(
    target: &Uri,
    (header, claims): (&Map<String, Value>, &Map<String, Value>),
    good: &(Map<String, Value>, Map<String, Value>),
) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).expect("after 1970").as_secs_f64();
    let text = |name: &str| claims.get(name).and_then(Value::as_str);
    let key = |jwk: &Map<String, Value>| {
        ["kty", "crv", "x", "y"].map(|name| jwk.get(name).cloned().unwrap_or_default())
    };
    let object = |part: &Map<String, Value>| part.get("jwk").and_then(Value::as_object).cloned();
    let (Some(jwk), Some(own)) = (object(header), object(&good.0)) else {
        return false;
    };
    let private = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];
    let is_null_or = |value: Option<&Value>, accepted: &[&str]| {
        value.is_none_or(|value| value.is_null() || accepted.iter().any(|text| value == text))
    };
    let is_for_signatures = jwk.get("key_ops").is_none_or(|operations| {
        operations.is_null()
            || operations.as_array().is_some_and(|all| {
                all.iter().all(Value::is_string)
                    && all.iter().any(|operation| operation == "verify")
            })
    });
    let is_of_text =
        |name: &str| jwk.get(name).is_none_or(|value| value.is_null() || value.is_string());
    header.get("typ") == Some(&Value::from("dpop+jwt"))
        && header.get("alg") == Some(&Value::from("ES256"))
        && !header.contains_key("crit")
        && key(&jwk) == key(&own)
        && is_null_or(jwk.get("use"), &["sig"])
        && is_null_or(jwk.get("alg"), &["ES256"])
        && is_for_signatures
        && ["kid", "n", "e"].iter().all(|name| is_of_text(name))
        && private.iter().all(|name| !jwk.contains_key(*name))
        && text("htm") == Some("GET")
        && text("htu").is_some_and(|htu| is_same_url(htu, target.path()))
        && claims.get("iat").and_then(Value::as_f64).is_some_and(|iat| (now - iat).abs() <= 60.0)
        && text("ath").is_some_and(|ath| Some(ath) == good.1["ath"].as_str())
        && text("jti").is_some_and(|jti| !jti.is_empty())
}

/// A character of a path: as it is, or percent-encoded because it has to be.
#[derive(Clone, Debug, PartialEq)]
enum Character {
    Plain(u8),
    Encoded(u8),
}

/// Returns whether a URL is that of a path of the service, by RFC 3986, 6.2.2 and 6.2.3.
fn is_same_url(url: &str, path: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    let Some(rest) = lower.strip_prefix("https://") else {
        return false;
    };
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let is_ours = match rest[..end].split_once(':') {
        None => &rest[..end] == "api.example.com",
        Some((host, port)) => {
            let digits = port.trim_start_matches('0');
            host == "api.example.com" && (port.is_empty() || digits == "443")
        }
    };
    let rest = &url["https://".len() + end..];
    let found = rest.split(['?', '#']).next().unwrap_or_default();
    let found = if found.is_empty() { "/" } else { found };
    let (own, expected) = (characters(found), characters(path));
    is_ours
        && format!("https://a{found}").parse::<Uri>().is_ok()
        && (own == expected || without_dots(own) == expected)
}

fn characters(path: &str) -> Vec<Character> {
    let (bytes, mut at, mut characters) = (path.as_bytes(), 0, Vec::new());
    while let Some(byte) = bytes.get(at) {
        let digit = |place: usize| char::from(*bytes.get(place)?).to_digit(16);
        let (character, length) = match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                let byte = u8::try_from(high * 16 + low).expect("two digits");
                let is_plain = byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
                (if is_plain { Character::Plain(byte) } else { Character::Encoded(byte) }, 3)
            }
            _ => (Character::Plain(*byte), 1),
        };
        characters.push(character);
        at += length;
    }
    characters
}

/// Moves a path from one buffer to another, as RFC 3986, 5.2.4 has it.
fn without_dots(mut input: Vec<Character>) -> Vec<Character> {
    let text = |text: &str| Vec::from_iter(text.bytes().map(Character::Plain));
    let slash = Character::Plain(b'/');
    let mut output = Vec::new();
    while !input.is_empty() {
        let starts = |prefix: &str| input.starts_with(&text(prefix));
        if starts("../") {
            input.drain(..3);
        } else if starts("./") || starts("/./") {
            input.drain(..2);
        } else if input == text("/.") {
            input = text("/");
        } else if starts("/../") || input == text("/..") {
            input.splice(..input.len().min(4), text("/"));
            let end = output.iter().rposition(|character| *character == slash);
            output.truncate(end.unwrap_or(0));
        } else if input == text(".") || input == text("..") {
            input.clear();
        } else {
            let end = input.iter().skip(1).position(|character| *character == slash);
            output.extend(input.drain(..end.map_or(input.len(), |end| end + 1)));
        }
    }
    output
}

/// Returns an object whose members are all different.
fn object(line: Option<&str>) -> Option<Map<String, Value>> {
    serde_json::from_str(line?).ok()
}

fuzz_target!(|data: &[u8]| {
    if let Ok(proof) = HeaderValue::from_bytes(data) {
        // Nobody can guess a signature.
        assert!(!is_accepted(&Uri::from_static("/items"), &proof));
    }
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let mut lines = text.lines();
    let target = lines.next().and_then(|line| line.parse::<Uri>().ok());
    let (Some(target), Some(header), Some(claims)) =
        (target, object(lines.next()), object(lines.next()))
    else {
        return;
    };
    let url = format!("{RESOURCE}{}", target.path());
    let good = KEY.proof("GET", &url, &TOKEN);
    let mut proof = good.clone();
    for (name, value) in &header {
        proof = proof.header(name, value.clone());
    }
    for (name, value) in &claims {
        // A proof that was used before is the subject of another test.
        if name != "jti" || !value.is_string() {
            proof = proof.claim(name, value.clone());
        }
    }
    let (header, claims) = proof.parts();
    let proof = proof.sign().expect("a backend is enabled");
    let expected = proof.as_str().len() <= 8192
        && is_good_by_the_book(&target, (&header, &claims), &good.parts());
    let line = HeaderValue::from_str(proof.as_str()).expect("a JSON Web Token");
    let found = is_accepted(&target, &line);
    assert_eq!(found, expected, "{target} {header:?} {claims:?}");
    assert!(!is_accepted(&target, &line), "a proof is good once");
});
