//! Fuzzes the verification of tokens. The input is a token, or the header and the claims of one, as
//! two lines of JSON. Those are signed, so that what follows the signature is reached.
#![no_main]

use std::pin::pin;
use std::sync::LazyLock;
use std::task::{Context, Poll, Waker};
use std::time::{SystemTime, UNIX_EPOCH};

use doorward::jwt::TokenVerifier;
use doorward::scheme::RejectionReason;
use doorward::testing::TestAuthority;
use doorward::verify::Verified;
use doorward::{BearerToken, SecurityScopes};
use libfuzzer_sys::fuzz_target;
use serde_json::{Map, Value};

const AUDIENCE: &str = "https://api.example.com";

static AUTHORITY: LazyLock<TestAuthority> =
    LazyLock::new(|| TestAuthority::new(AUDIENCE).expect("a backend is enabled"));

static TOKENS: LazyLock<TokenVerifier<Value>> =
    LazyLock::new(|| ready(AUTHORITY.verifier().build()).expect("the keys are good"));

/// The name of the authority's key.
static KEY_ID: LazyLock<Value> =
    LazyLock::new(|| AUTHORITY.token("johndoe").parts().0.remove("kid").expect("a key has a name"));

/// Returns the output of a future that waits for nothing.
fn ready<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing is fetched"),
    }
}

fn verify(token: &BearerToken) -> Result<Verified<Value>, RejectionReason> {
    let verified = ready(TOKENS.verify(token, SecurityScopes::NONE));
    verified.map_err(|error| error.reason())
}

/// Returns whether a signed token is taken, by RFC 7519 and RFC 9068.
fn is_good_by_the_book(header: &Map<String, Value>, claims: &Map<String, Value>) -> bool {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.expect("after 1970").as_secs_f64();
    let is_texts = |value: &Value| match value {
        Value::Array(texts) => texts.iter().all(Value::is_string),
        value => value.is_string() || value.is_null(),
    };
    let of = |part: &Map<String, Value>, name: &str| part.get(name).cloned().unwrap_or_default();
    let token_type = of(header, "typ");
    let token_type = token_type.as_str().unwrap_or_default().to_ascii_lowercase();
    let audience = of(claims, "aud");
    let is_ours = |audience: &Value| audience == AUDIENCE;
    let key_id = of(header, "kid");
    let time = |name: &str| of(claims, name);
    let is_time = |name: &str| time(name).is_number() || time(name).is_null();

    ["EdDSA", "Ed25519"].contains(&of(header, "alg").as_str().unwrap_or_default())
        && ["at+jwt", "application/at+jwt"].contains(&&*token_type)
        && (key_id.is_null() || key_id == *KEY_ID)
        && !header.contains_key("crit")
        && of(claims, "iss") == AUTHORITY.issuer()
        && is_texts(&audience)
        && (is_ours(&audience) || audience.as_array().is_some_and(|list| list.iter().any(is_ours)))
        && time("exp").as_f64().is_some_and(|exp| now < exp + 60.0)
        && is_time("nbf")
        && time("nbf").as_f64().is_none_or(|nbf| nbf <= now + 60.0)
        && !claims.contains_key("cnf")
        && (of(claims, "client_id").is_null() || of(claims, "client_id").is_string())
        && is_texts(&of(claims, "scope"))
        && is_texts(&of(claims, "scp"))
}

/// Returns an object whose members are all different.
fn object(line: Option<&str>) -> Option<Map<String, Value>> {
    serde_json::from_str(line?).ok()
}

fuzz_target!(|data: &[u8]| {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    if let Ok(token) = BearerToken::try_from(text) {
        // Nobody can guess a signature.
        assert_eq!(verify(&token).unwrap_err(), RejectionReason::Invalid);
    }
    let mut lines = text.lines();
    let (Some(header), Some(claims)) = (object(lines.next()), object(lines.next())) else {
        return;
    };
    let mut token = AUTHORITY.token("johndoe");
    for (name, value) in &header {
        token = token.header(name, value.clone());
    }
    for (name, value) in &claims {
        token = token.claim(name, value.clone());
    }
    let (header, claims) = token.parts();
    let expected = is_good_by_the_book(&header, &claims);
    let found = verify(&token.sign().expect("a backend is enabled"));
    assert_eq!(found.is_ok(), expected, "{header:?} {claims:?}");
});
