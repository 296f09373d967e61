use core::cell::Cell;
use std::fs;

use doorward_core::scheme::RejectionReason;
use doorward_core::verify::{ClientCertificate, Presented, Verify, VerifyError};
use doorward_core::{BearerToken, SecurityScopes, security_scopes};
use futures_util::FutureExt as _;
use http::header::WWW_AUTHENTICATE;
use http::{HeaderName, HeaderValue, Method, Request, Uri};
use serde_json::{Value, json};

use super::certificate::CertificateBound;
use super::destination::PublicUrl;
use super::key::KeyBound;
use super::proof;
use crate::authority::SigningKey;
use crate::authority::test_authority::{TestAuthority, TestToken};
use crate::authority::test_key::TestKey;
use crate::claims::rules::now;
use crate::jwt::algorithm::Algorithm;
use crate::jwt::verifier::TokenVerifier;

const RESOURCE: &str = "https://api.example.com";
const URL: &str = "https://api.example.com/items";

/// The proof of RFC 9449, 7.1, for the token there, which is bound to the key with this thumbprint.
const PROOF: &str = "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieCI6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSmFqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiJlMWozVl9iS2ljOC1MQUVCIiwiaHRtIjoiR0VUIiwiaHR1IjoiaHR0cHM6Ly9yZXNvdXJjZS5leGFtcGxlLm9yZy9wcm90ZWN0ZWRyZXNvdXJjZSIsImlhdCI6MTU2MjI2MjYxOCwiYXRoIjoiZlVIeU8ycjJaM0RaNTNFc05yV0JiMHhXWG9hTnk1OUlpS0NBcWtzbVFFbyJ9.2oW9RP35yRqzhrtNP86L-Ey71EOptxRimPPToA1plemAgR6pxHF8y6-yqyVnmcw6Fy1dqd-jfxSYoMxhAJpLjA";
const TOKEN: &str = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU";
const THUMBPRINT: &str = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
const IAT: f64 = 1_562_262_618.0;

thread_local! {
    static PASSED: Cell<f64> = const { Cell::new(0.0) };
}

/// Presents a token as `Authorization: DPoP …` or `Bearer`, by a scheme that takes both.
fn presented(scheme: &str, token: &str, request: http::request::Builder) -> Presented {
    let line = format!("{scheme} {token}");
    let head = request.header("authorization", line).body(()).unwrap().into_parts().0;
    let token = <Both as doorward_core::Scheme>::authenticate(&head).unwrap();
    Presented::of(token, head)
}

struct Both;

impl doorward_core::Scheme for Both {
    type Credential = BearerToken;
    const CONFIG: doorward_core::scheme::SchemeConfig =
        doorward_core::scheme::SchemeConfig::new::<BearerToken>("Both").with_dpop(true);
}

fn with_proof(token: &str, proof: &str) -> Presented {
    presented("DPoP", token, Request::get("/items").header("dpop", proof))
}

/// Checks a proof of the RFC at this time.
fn checked(
    proof: &str,
    token: &str,
    method: Method,
    target: &str,
    now: f64,
) -> Result<(), &'static str> {
    let url = PublicUrl::of("https://resource.example.org").unwrap();
    let request = Request::builder().method(method).uri(target).header("dpop", proof);
    let presented = presented("DPoP", token, request);
    let line = proof::line_of(&presented).map_err(|fault| fault.reason.as_str())?;
    let found = proof::check(&presented, line, THUMBPRINT, &url, 60.0, now);
    found.map(drop).map_err(|fault| fault.reason.as_str())
}

#[test]
fn the_proof_of_the_rfc_is_good() {
    let target = "/protectedresource";
    assert_eq!(checked(PROOF, TOKEN, Method::GET, target, IAT), Ok(()));
    for (token, method, target, now, expected) in [
        (TOKEN, Method::GET, "/protectedresource?a=b", IAT + 60.0, Ok(())),
        (TOKEN, Method::GET, target, IAT - 60.0, Ok(())),
        (
            TOKEN,
            Method::GET,
            target,
            IAT + 60.5,
            Err("the proof was made too long ago, or is of the future"),
        ),
        (
            TOKEN,
            Method::GET,
            target,
            IAT - 60.5,
            Err("the proof was made too long ago, or is of the future"),
        ),
        (
            TOKEN,
            Method::GET,
            target,
            f64::INFINITY,
            Err("the proof was made too long ago, or is of the future"),
        ),
        (TOKEN, Method::POST, target, IAT, Err("the proof is for another method")),
        (TOKEN, Method::GET, "/", IAT, Err("the proof is for another URL")),
        ("another", Method::GET, target, IAT, Err("the proof is for another token")),
    ] {
        assert_eq!(checked(PROOF, token, method, target, now), expected, "{token} {target} {now}");
    }
}

#[test]
fn every_altered_byte_is_refused() {
    let url = PublicUrl::of("https://resource.example.org").unwrap();
    for (place, byte) in PROOF.bytes().enumerate() {
        for other in [byte ^ 1, byte ^ 0x20, b'A', b'.', b'=', 0xff] {
            let mut altered = PROOF.as_bytes().to_vec();
            altered[place] = other;
            let Ok(altered) = HeaderValue::from_bytes(&altered) else { continue };
            if altered == PROOF {
                continue;
            }
            let request = Request::get("/protectedresource").header("dpop", altered);
            let presented = presented("DPoP", TOKEN, request);
            let line = proof::line_of(&presented).ok().unwrap();
            let found = proof::check(&presented, line, THUMBPRINT, &url, 60.0, IAT);
            assert!(found.is_err(), "{other} at {place}");
        }
    }
}

#[test]
fn every_algorithm_of_the_challenge_is_accepted() {
    let (bound, authority) = key_bound();
    let rsa = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/keys/rsa-2048.pem");
    let rsa = || SigningKey::pem(fs::read(rsa).unwrap());
    for key in [
        SigningKey::random(Algorithm::Es256).unwrap(),
        SigningKey::random(Algorithm::Es256).unwrap().id("a name of its own"),
        SigningKey::random(Algorithm::EdDsa).unwrap(),
        rsa(),
        rsa().algorithm(Algorithm::Ps256),
    ] {
        let key = TestKey::of(&key).unwrap();
        let token = token(&authority, &key);
        let proof = key.proof("GET", URL, &token).sign().unwrap();
        assert_eq!(bound.refusal(with_proof(token.as_str(), proof.as_str())), None);
    }
    for key in [SigningKey::random(Algorithm::Es384).unwrap(), rsa().algorithm(Algorithm::Rs512)] {
        let key = TestKey::of(&key).unwrap();
        let token = token(&authority, &key);
        let proof = key.proof("GET", URL, &token).sign().unwrap();
        let refused = bound.refusal(with_proof(token.as_str(), proof.as_str()));
        assert_eq!(refused.unwrap().0, "invalid_dpop_proof");
    }
}

type Tokens = KeyBound<TokenVerifier<Value>>;

fn key_bound() -> (Tokens, TestAuthority) {
    let authority = TestAuthority::new(RESOURCE).unwrap();
    let tokens = authority.verifier().build().now_or_never().unwrap().unwrap();
    (KeyBound::new(tokens, RESOURCE).unwrap(), authority)
}

fn token(authority: &TestAuthority, key: &TestKey) -> BearerToken {
    authority.token("johndoe").scopes(["items"]).bound_to(key).sign().unwrap()
}

trait Ask: Verify {
    /// Returns the error code of the challenge, and its scheme, if the token is refused.
    fn refusal(&self, presented: Presented) -> Option<(String, String)> {
        let refused = self.ask(presented, SecurityScopes::NONE)?;
        let challenge = refused.challenge().unwrap_or_default().into_owned();
        let (scheme, rest) = challenge.split_once(' ').unwrap_or_default();
        let code = rest.split_once("error=\"").and_then(|(_, rest)| rest.split_once('"'));
        Some((code.unwrap_or_default().0.to_owned(), scheme.to_owned()))
    }

    fn ask(&self, presented: Presented, scopes: SecurityScopes) -> Option<VerifyError> {
        self.verify(presented, scopes).now_or_never().unwrap().err()
    }
}

impl<V: Verify> Ask for V {}

#[test]
fn each_broken_proof_is_refused_and_has_a_row() {
    let page = include_str!("../../../docs/troubleshooting.md");
    let (authority, key) = (TestAuthority::new(RESOURCE).unwrap(), TestKey::new().unwrap());
    let other = TestKey::new().unwrap();
    let token = token(&authority, &key);
    let another = authority.token("johndoe").bound_to(&key).sign().unwrap();
    let good = || key.proof("GET", URL, &token);
    let changed = |change: fn(TestToken<'_>) -> TestToken<'_>| {
        vec![change(good()).sign().unwrap().as_str().to_owned()]
    };
    let signed = |proof: TestToken<'_>| vec![proof.sign().unwrap().as_str().to_owned()];
    let private = {
        let jwk = good().parts().0.remove("jwk").unwrap();
        move |name: &str| {
            let mut jwk = jwk.clone();
            jwk[name] = "AA".into();
            jwk
        }
    };
    let url = PublicUrl::of(RESOURCE).unwrap();
    let signature = {
        let [one, two] = [good(), good()].map(|proof| proof.sign().unwrap());
        let (message, _) = one.as_str().rsplit_once('.').unwrap();
        let (_, signature) = two.as_str().rsplit_once('.').unwrap();
        format!("{message}.{signature}")
    };
    let mut cases: Vec<(Vec<String>, &str)> = vec![
        (vec![], "the request has no proof"),
        ([signed(good()), signed(good())].concat(), "the request has more than one proof"),
        (vec!["a".repeat(8193)], "the proof is too long"),
        (vec![String::new()], "the proof is not a JSON Web Token, or a malformed one"),
        (vec!["a.b".into()], "the proof is not a JSON Web Token, or a malformed one"),
        (changed(|proof| proof.header("typ", "JWT")), "the proof has another type"),
        (
            changed(|proof| proof.header("typ", "application/dpop+jwt")),
            "the proof has another type",
        ),
        (changed(|proof| proof.header("typ", "DPoP+JWT")), "the proof has another type"),
        (
            changed(|proof| proof.header("typ", Value::Null)),
            "the proof is not a JSON Web Token, or a malformed one",
        ),
        (
            changed(|proof| proof.header("jwk", Value::Null)),
            "the proof is not a JSON Web Token, or a malformed one",
        ),
        (
            changed(|proof| proof.header("jwk", "a")),
            "the proof is not a JSON Web Token, or a malformed one",
        ),
        (
            changed(|proof| proof.header("crit", json!(["b64"]))),
            "the proof is not a JSON Web Token, or a malformed one",
        ),
        (changed(|proof| proof.header("alg", "none")), "the algorithm of the proof is not allowed"),
        (
            changed(|proof| proof.header("alg", "HS256")),
            "the algorithm of the proof is not allowed",
        ),
        (
            changed(|proof| proof.header("alg", "ES384")),
            "the algorithm of the proof is not allowed",
        ),
        (changed(|proof| proof.header("alg", "EdDSA")), "the key of the proof cannot be used"),
        (changed(|proof| proof.claim("htm", "POST")), "the proof is for another method"),
        (changed(|proof| proof.claim("htm", "get")), "the proof is for another method"),
        (
            changed(|proof| proof.claim("htu", "https://evil.example/items")),
            "the proof is for another URL",
        ),
        (
            changed(|proof| proof.claim("iat", 0)),
            "the proof was made too long ago, or is of the future",
        ),
        (
            changed(|proof| proof.claim("iat", now() + 70.0)),
            "the proof was made too long ago, or is of the future",
        ),
        (changed(|proof| proof.claim("ath", Value::Null)), "the proof is for another token"),
        (signed(key.proof("GET", URL, &another)), "the proof is for another token"),
        (
            signed(other.proof("GET", URL, &token)),
            "the proof is of another key than that of the token",
        ),
        (
            signed(good().header("jwk", other.proof("", "", &token).parts().0["jwk"].clone())),
            "the proof is of another key than that of the token",
        ),
        (
            signed(good().header("jwk", json!({ "kty": "oct" }))),
            "the proof is of another key than that of the token",
        ),
        (vec![signature], "the signature of the proof is wrong"),
    ];
    for name in ["d", "p", "q", "dp", "dq", "qi", "oth", "k"] {
        cases.push((signed(good().header("jwk", private(name))), "the proof has a private key"));
    }
    for (name, value) in [
        ("jti", json!(null)),
        ("jti", json!(1)),
        ("jti", json!("")),
        ("htm", json!(null)),
        ("htu", json!(null)),
        ("htu", json!([URL])),
        ("iat", json!(null)),
        ("iat", json!("1")),
        ("ath", json!(1)),
    ] {
        cases.push((
            signed(good().claim(name, value)),
            "the proof lacks a claim, or one has another type",
        ));
    }
    let encryption = {
        let mut jwk = good().parts().0.remove("jwk").unwrap();
        jwk["use"] = "enc".into();
        signed(good().header("jwk", jwk))
    };
    cases.push((encryption, "the key of the proof cannot be used"));
    let tokens = authority.verifier::<Value>().build().now_or_never().unwrap().unwrap();
    let bound = KeyBound::new(tokens, RESOURCE).unwrap();
    for (lines, expected) in cases {
        let request =
            lines.iter().fold(Request::get("/items"), |request, line| request.header("dpop", line));
        let presented = presented("DPoP", token.as_str(), request);
        let found = proof::line_of(&presented).and_then(|line| {
            proof::check(&presented, line, &key.thumbprint(), &url, 60.0, now()).map(drop)
        });
        assert_eq!(found.unwrap_err().reason.as_str(), expected, "{lines:?}");
        assert!(
            page.lines().any(|line| line.starts_with(&format!("| {expected} |"))),
            "{expected}"
        );
        let refusal = bound.refusal(presented);
        assert_eq!(refusal, Some(("invalid_dpop_proof".into(), "DPoP".into())), "{expected}");
    }
    for reason in [
        "the proof was used before",
        "the token was presented without its request",
        "the method or the target of the request could not be read",
    ] {
        assert!(page.lines().any(|line| line.starts_with(&format!("| {reason} |"))), "{reason}");
    }
    // Without any fault, it is good once.
    let good = good().sign().unwrap();
    let again = || with_proof(token.as_str(), good.as_str());
    assert_eq!(bound.refusal(again()), None);
    assert_eq!(bound.refusal(again()).unwrap().0, "invalid_dpop_proof");
}

/// For each `iat` that is good when the proof comes, at each later second.
#[test]
fn a_proof_is_good_once_at_every_second_of_the_window() {
    let (mut bound, authority) = key_bound();
    let key = TestKey::new().unwrap();
    let token = token(&authority, &key);
    let start = now().floor();
    thread_local!(static START: Cell<f64> = const { Cell::new(0.0) });
    START.set(start);
    bound.now = || START.get() + PASSED.get();
    for offset in [-60, -59, -1, 0, 1, 30, 59, 60] {
        let iat = start + f64::from(offset);
        let proof = || key.proof("GET", URL, &token).claim("iat", iat).sign().unwrap();
        let used = proof();
        PASSED.set(0.0);
        assert_eq!(bound.refusal(with_proof(token.as_str(), used.as_str())), None, "{offset}");
        for second in 0..=130 {
            PASSED.set(f64::from(second));
            let again = bound.refusal(with_proof(token.as_str(), used.as_str()));
            assert_eq!(again.unwrap().0, "invalid_dpop_proof", "{offset} {second}");
            // A new one is good until the end of the window.
            if ![0, offset + 59, offset + 60, offset + 61, 130].contains(&second) {
                continue;
            }
            let new = bound.refusal(with_proof(token.as_str(), proof().as_str()));
            assert_eq!(new.is_none(), second <= offset + 60, "{offset} {second}");
        }
    }
}

#[test]
fn another_key_may_have_the_same_jti() {
    let (bound, authority) = key_bound();
    for _ in 0..2 {
        let key = TestKey::new().unwrap();
        let token = token(&authority, &key);
        for is_new in [true, false] {
            // Even with another `iat`.
            let proof =
                key.proof("GET", URL, &token).claim("jti", "1").claim("iat", now()).sign().unwrap();
            assert_eq!(bound.refusal(with_proof(token.as_str(), proof.as_str())).is_none(), is_new);
        }
    }
}

#[test]
fn a_proof_is_used_up_only_if_all_else_is_right() {
    let (bound, authority) = key_bound();
    let key = TestKey::new().unwrap();
    let token = token(&authority, &key);
    let proof = key.proof("GET", URL, &token).sign().unwrap();
    let presented = || with_proof(token.as_str(), proof.as_str());
    let refused = bound.ask(presented(), security_scopes!["others"]).unwrap();
    assert_eq!(refused.reason(), RejectionReason::InsufficientScope);
    assert!(refused.challenge().unwrap().starts_with("DPoP error=\"insufficient_scope\""));
    assert_eq!(bound.refusal(presented()), None);
    let expired = authority.token("johndoe").bound_to(&key).expired().sign().unwrap();
    let proof = key.proof("GET", URL, &expired).sign().unwrap();
    let refused = bound.refusal(with_proof(expired.as_str(), proof.as_str()));
    assert_eq!(refused, Some(("invalid_token".into(), "DPoP".into())));
}

/// A layer and a handler, or a guard and a value.
#[test]
fn one_request_may_show_its_proof_twice() {
    let (bound, authority) = key_bound();
    let key = TestKey::new().unwrap();
    let token = token(&authority, &key);
    let proof = key.proof("GET", URL, &token).sign().unwrap();
    let presented = with_proof(token.as_str(), proof.as_str());
    assert_eq!(bound.refusal(presented.clone()), None);
    assert_eq!(bound.refusal(presented.clone()), None);
    // Another verifier has its own memory.
    let (another, _) = key_bound();
    assert_eq!(another.refusal(presented).unwrap().0, "invalid_token");
    assert_eq!(
        bound.refusal(with_proof(token.as_str(), proof.as_str())).unwrap().0,
        "invalid_dpop_proof"
    );
}

#[test]
fn a_full_memory_answers_503() {
    let (bound, authority) = key_bound();
    let bound = bound.remember_proofs(0);
    let key = TestKey::new().unwrap();
    let token = token(&authority, &key);
    // There is room for one in each of 16 parts.
    let answers = (0..200).map(|_| {
        let proof = key.proof("GET", URL, &token).sign().unwrap();
        bound.ask(with_proof(token.as_str(), proof.as_str()), SecurityScopes::NONE).map(|error| {
            let response = error.clone().into_http_response::<String>();
            let wait: u64 = response.headers()["retry-after"].to_str().unwrap().parse().unwrap();
            assert!((1..=60).contains(&wait));
            error.status().as_u16()
        })
    });
    let answers = Vec::from_iter(answers);
    assert_eq!(answers.iter().filter(|answer| answer.is_none()).count(), 16);
    assert!(answers.iter().flatten().all(|status| *status == 503));
}

#[test]
fn what_a_token_is_bound_to_decides() {
    let (bound, authority) = key_bound();
    let key = TestKey::new().unwrap();
    let of = |cnf: Value| authority.token("johndoe").claim("cnf", cnf).sign().unwrap();
    let jkt = key.thumbprint();
    let plain = of(Value::Null);
    let certificate = ClientCertificate::from_der(&b"DER"[..]);
    let both = authority.token("johndoe").bound_to_certificate(b"DER").parts().1["cnf"]["x5t#S256"]
        .clone();
    let required = KeyBound::new(
        authority.verifier::<Value>().build().now_or_never().unwrap().unwrap(),
        RESOURCE,
    )
    .unwrap()
    .required();
    for (cnf, by_bearer, by_dpop) in [
        (json!({ "jkt": jkt }), Some("invalid_token"), None),
        (json!({ "jkt": jkt, "kid": "a" }), Some("invalid_token"), None),
        (json!({ "jkt": jkt, "x5t#S256": both }), Some("invalid_token"), Some("invalid_token")),
        (json!({ "jkt": 1 }), Some("invalid_token"), Some("invalid_dpop_proof")),
        (json!({ "jkt": "" }), Some("invalid_token"), Some("invalid_dpop_proof")),
        (json!({ "x5t#S256": both }), Some("invalid_token"), Some("invalid_token")),
        (json!({}), Some("invalid_token"), Some("invalid_token")),
        (json!("a"), Some("invalid_token"), Some("invalid_token")),
    ] {
        let token = of(cnf.clone());
        for (scheme, expected) in
            [("Bearer", by_bearer), ("bearer", by_bearer), ("DPoP", by_dpop), ("dpop", by_dpop)]
        {
            for bound in [&bound, &required] {
                let proof = key.proof("GET", URL, &token).sign().unwrap();
                let request = Request::get("/items")
                    .header("dpop", proof.as_str())
                    .extension(certificate.clone());
                let refusal = bound.refusal(presented(scheme, token.as_str(), request));
                let expected = expected.map(|code| {
                    (code.to_owned(), if scheme.len() == 4 { "DPoP" } else { "Bearer" }.to_owned())
                });
                assert_eq!(refusal, expected, "{cnf} {scheme}");
            }
        }
        // A verifier that is not wrapped takes none of them, not even one that is remembered.
        assert_eq!(
            bound.verifier().ask((&token).into(), SecurityScopes::NONE).unwrap().status(),
            401
        );
    }
    for (bound, by_bearer) in
        [(&bound, None), (&required, Some(("invalid_token".to_owned(), "Bearer".to_owned())))]
    {
        let proof = key.proof("GET", URL, &plain).sign().unwrap();
        assert_eq!(
            bound.refusal(with_proof(plain.as_str(), proof.as_str())),
            Some(("invalid_token".into(), "DPoP".into()))
        );
        assert_eq!(bound.refusal((&plain).into()), by_bearer);
        assert_eq!(
            bound.refusal(presented("Bearer", plain.as_str(), Request::get("/other"))),
            by_bearer
        );
    }
    // Both challenges below a scheme that takes both are in `behaviour::bound`.
    let bare = bound.ask((&of(json!({ "jkt": jkt }))).into(), SecurityScopes::NONE).unwrap();
    assert_eq!(
        bare.into_http_response::<String>().headers()[WWW_AUTHENTICATE],
        "Bearer error=\"invalid_token\""
    );
}

#[test]
fn a_certificate_is_compared() {
    let authority = TestAuthority::new(RESOURCE).unwrap();
    let tokens = || authority.verifier::<Value>().build().now_or_never().unwrap().unwrap();
    let strict = CertificateBound::new(tokens());
    let lenient = CertificateBound::new(tokens()).or_unbound();
    let name = HeaderName::from_static("client-cert");
    let behind = CertificateBound::new(tokens()).header(name);
    let bound =
        authority.token("johndoe").scopes(["items"]).bound_to_certificate(b"DER").sign().unwrap();
    let of_key = authority.token("johndoe").bound_to(&TestKey::new().unwrap()).sign().unwrap();
    let of_none =
        authority.token("johndoe").claim("cnf", json!({ "x5t#S256": "" })).sign().unwrap();
    let plain = authority.token("johndoe").sign().unwrap();
    let shown = |token: &BearerToken, certificate: Option<&'static [u8]>, header: Option<&str>| {
        let mut request = Request::get("/");
        if let Some(der) = certificate {
            request = request.extension(ClientCertificate::from_der(der));
        }
        if let Some(header) = header {
            request = request.header("client-cert", header);
        }
        Presented::of(token.clone(), request.body(()).unwrap().into_parts().0)
    };
    let (der, other) = (Some(&b"DER"[..]), Some(&b"DEr"[..]));
    let header = Some(":REVS:");
    for (token, certificate, line, expected) in [
        (&bound, der, None, [true, true, false]),
        (&bound, other, None, [false, false, false]),
        (&bound, None, None, [false, false, false]),
        (&bound, None, header, [false, false, true]),
        (&bound, other, header, [false, false, true]),
        (&bound, der, Some(":REVs:"), [true, true, false]),
        (&of_key, der, header, [false, false, false]),
        (&of_none, der, header, [false, false, false]),
        (&of_none, Some(b""), Some("::"), [false, false, false]),
        (&plain, der, header, [false, true, false]),
        (&plain, None, None, [false, true, false]),
    ] {
        let found = [&strict, &lenient, &behind].map(|tokens| {
            let refused = tokens.refusal(shown(token, certificate, line));
            assert!(
                refused
                    .clone()
                    .is_none_or(|refused| refused == ("invalid_token".into(), "Bearer".into()))
            );
            refused.is_none()
        });
        assert_eq!(found, expected, "{certificate:?} {line:?}");
    }
    assert!(strict.refusal((&bound).into()).is_some());
    let missing = strict.ask(shown(&bound, der, None), security_scopes!["others"]).unwrap();
    assert_eq!(missing.reason(), RejectionReason::InsufficientScope);
    assert!(strict.ask(shown(&bound, der, None), security_scopes!["items"]).is_none());
}

#[test]
fn a_proof_is_for_one_url() {
    let (bound, authority) = key_bound();
    let bound = bound.public_path("/svc2").unwrap();
    let key = TestKey::new().unwrap();
    let token = token(&authority, &key);
    for (url, is_good) in [(URL, false), ("https://api.example.com/svc2/items", true)] {
        let proof = key.proof("GET", url, &token).sign().unwrap();
        // What the request says of its host is not read.
        let request = Request::get(Uri::from_static("https://other.example/items"))
            .header("host", "other.example")
            .header("x-forwarded-host", "other.example")
            .header("dpop", HeaderValue::from_str(proof.as_str()).unwrap());
        assert_eq!(
            bound.refusal(presented("DPoP", token.as_str(), request)).is_none(),
            is_good,
            "{url}"
        );
    }
}
