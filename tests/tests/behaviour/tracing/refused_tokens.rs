//! The event of a refused token: the check that failed, what was expected and found, and what to
//! set. Nothing is found of claims before the signature is right.

use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use doorward::jwt::{
    Algorithm, Issuers, SigningKey, TokenAuthority, TokenVerifier, TokenVerifierBuilder,
};
use doorward::testing::{TestAuthority, TestToken};
use doorward::verify::Fetched;
use doorward::{BearerToken, SecurityScopes, security_scopes};
use serde_json::{Value, json};

use super::log_of_async;

const AUDIENCE: &str = "https://api.example.com";

#[derive(serde::Deserialize)]
struct Claims {
    #[expect(dead_code, reason = "it is read")]
    tenant: Option<u32>,
}

/// Returns what the log says of a token, from the reason on, with `KID` instead of the key's name.
fn events(
    authority: &TestAuthority,
    tokens: TokenVerifierBuilder<Claims>,
    token: &BearerToken,
    scopes: SecurityScopes,
) -> String {
    let log = log_of_async(async {
        let tokens = tokens.build().await.unwrap();
        let _ = tokens.verify(token, scopes).await;
    });
    let jwks: Value = serde_json::from_str(authority.jwks()).unwrap();
    let lines = log.lines().filter_map(|line| line.split_once("a token was refused "));
    let lines =
        lines.map(|(_, event)| event.replace(jwks["keys"][0]["kid"].as_str().unwrap(), "KID"));
    lines.collect::<Vec<_>>().join("\n")
}

fn event_of(
    set: impl FnOnce(TokenVerifierBuilder<Claims>) -> TokenVerifierBuilder<Claims>,
    change: impl FnOnce(TestToken<'_>) -> TestToken<'_>,
) -> String {
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let token = change(authority.token("johndoe")).sign().unwrap();
    events(&authority, set(authority.verifier()), &token, SecurityScopes::NONE)
}

type Set = fn(TokenVerifierBuilder<Claims>) -> TokenVerifierBuilder<Claims>;
type Change = fn(TestToken<'_>) -> TestToken<'_>;

#[test]
fn each_reason_says_what_was_expected_and_found() {
    let as_is: Set = |tokens| tokens;
    let cases: [(Set, Change, &str); 22] = [
        (
            as_is,
            |token| token.header("crit", "exp"),
            r#"reason="the token has a critical header parameter, and none is understood" expected="none" found="one""#,
        ),
        (
            as_is,
            |token| token.header("alg", "ES512"),
            r#"reason="the algorithm of the token is not allowed" expected="`RS256`, `RS384`, `RS512`, `PS256`, `PS384`, `PS512`, `ES256`, `ES384`, …" found="`ES512`""#,
        ),
        (
            |tokens| tokens.algorithms([Algorithm::EdDsa]),
            |token| token.header("alg", "RS256"),
            r#"reason="the algorithm of the token is not allowed" expected="`EdDSA`" found="`RS256`" setting="algorithms" also="`alg`: expected EdDSA, which the key `KID` is for, found `RS256`""#,
        ),
        (
            as_is,
            |token| token.header("typ", "JWT"),
            r#"reason="the token has another type" expected="`at+jwt`" found="`JWT`" setting="token_type""#,
        ),
        (
            |tokens| tokens.token_types(["at+jwt", "JWT"]),
            |token| token.header("typ", Value::Null),
            r#"reason="the token has another type" expected="`at+jwt`, `JWT`" found="none" setting="any_token_type""#,
        ),
        (
            as_is,
            |token| token.header("kid", "another"),
            r#"reason="no known key made the signature of the token" expected="one of the keys `KID`" found="the key `another`, for EdDSA" setting="jwks""#,
        ),
        (
            as_is,
            |token| token.claim("iss", "https://other.example"),
            r#"reason="the token is from another issuer" expected="`https://authority.test`" found="`https://other.example`" setting="issuer""#,
        ),
        (
            as_is,
            |token| token.claim("iss", Value::Null),
            r#"reason="the token has no issuer" expected="`https://authority.test`" found="none" setting="without_issuer""#,
        ),
        (
            as_is,
            |token| token.claim("aud", json!(["account", "web"])),
            r#"reason="the token is for another audience" expected="`https://api.example.com`" found="`account`, `web`" setting="audience""#,
        ),
        (
            as_is,
            |token| token.claim("aud", Value::Null).claim("azp", "https://app.example.com"),
            r#"reason="the token is for another audience" expected="`https://api.example.com`" found="no `aud`, and `client_id` or `azp` `https://app.example.com`" setting="client_id""#,
        ),
        (
            as_is,
            |token| token.claim("exp", Value::Null),
            r#"reason="the token has no time at which it expires" expected="a time in seconds since 1970" found="none" setting="without_expiry""#,
        ),
        (
            |tokens| tokens.without_audience(),
            |token| token.claim("aud", Value::Null).claim("azp", "web"),
            r#"reason="the token is for another audience" expected="`https://api.example.com`" found="no `aud`, and `client_id` or `azp` `web`" setting="any_client""#,
        ),
        (
            as_is,
            |token| token.claim("cnf", json!({ "jkt": "s3cret" })),
            r#"reason="the token is bound to a key, and this is not proved" expected="a token that is not bound to a key of the client" found="a bound one""#,
        ),
        (
            as_is,
            |token| token.claim("tenant", "s3cret"),
            r#"reason="the claims of the token are not as expected" expected="`tenant`: u32" found="another type or value""#,
        ),
        (
            as_is,
            |token| token.claim("scope", json!({ "s3cret": 1 })),
            r#"reason="the claims of the token are not as expected" expected="`scope` or `scp`: a text, or a list of texts" found="another type" setting="scopes_in""#,
        ),
        (
            as_is,
            |token| token.claim("exp", "s3cret"),
            r#"reason="the claims of the token are not as expected" expected="`exp`: a number" found="another type or value""#,
        ),
        (
            as_is,
            |token| token.claim("aud", json!(["s3cret", 1])),
            r#"reason="the claims of the token are not as expected" expected="`aud`: a text, or a list of texts" found="another type""#,
        ),
        (
            as_is,
            |token| token.claim("aud", Value::Null),
            r#"reason="the token is for another audience" expected="`https://api.example.com`" found="no `aud`, `client_id` or `azp`" setting="without_audience""#,
        ),
        (
            as_is,
            |token| token.header("kid", 7),
            r#"reason="the token is not a JSON Web Token, or a malformed one" expected="a text as `kid` of the header" found="another type""#,
        ),
        (
            as_is,
            |token| token.header("alg", "HS256"),
            r#"reason="the algorithm of the token is not allowed" expected="`RS256`, `RS384`, `RS512`, `PS256`, `PS384`, `PS512`, `ES256`, `ES384`, …" found="`HS256`" setting="secret""#,
        ),
        (
            |tokens| tokens.refuse_if(|_| true),
            |token| token,
            r#"reason="the service itself refuses the token""#,
        ),
        // A token as Keycloak writes it by default.
        (
            as_is,
            |token| token.header("typ", "JWT").claim("aud", "account").claim("azp", "web"),
            r#"reason="the token has another type" expected="`at+jwt`" found="`JWT`" setting="token_type" also="`aud`: expected `https://api.example.com`, found `account`, see `audience`""#,
        ),
    ];
    for (set, change, expected) in cases {
        assert_eq!(event_of(set, change), expected);
    }
}

/// The user looks for a key that is there.
#[test]
fn a_key_that_was_left_out_is_named_with_its_reason() {
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let set: Value = serde_json::from_str(authority.jwks()).unwrap();
    let good = &set["keys"][0];
    let number = |bytes: usize| "_".repeat(bytes * 4 / 3);
    let rsa = |more: Value| {
        let mut key = json!({ "kty": "RSA", "n": number(258), "e": "AQAB" });
        key.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        key
    };
    let cases = [
        (1, rsa(json!({ "use": "enc" })), "its `use` is `enc`, and not `sig`"),
        (1, rsa(json!({ "use": "jwt-svid" })), "its `use` is `jwt-svid`, and not `sig`"),
        (1, rsa(json!({ "key_ops": ["sign"] })), "its `key_ops` lack `verify`"),
        (1, json!({}), "it has no `kty`, or is no object"),
        (1, rsa(json!({ "n": 7 })), "its `n` has another type"),
        (1, rsa(json!({ "n": null })), "it has no `n`"),
        (1, rsa(json!({ "n": "!" })), "its `n` is not base64url"),
        (1, rsa(json!({ "n": "AQ" })), "its modulus has 1 bits; 2048 to 4096 can be used"),
        (1, rsa(json!({ "e": "AQ" })), "its exponent has 1 bits; 2 to 33 can be used"),
        (1, rsa(json!({ "e": "AQAC" })), "its exponent is even"),
        (1, rsa(json!({ "alg": "ES256" })), "its `alg` is `ES256`, which is not for such a key"),
        (
            1,
            json!({ "kty": "EC", "crv": "P-256", "x": number(30), "y": number(33) }),
            "its `x` has 30 bytes, and not 32",
        ),
        (
            1,
            json!({ "kty": "EC", "crv": "P-256", "x": "A".repeat(43), "y": "A".repeat(43) }),
            "its point is not on the curve",
        ),
        (
            1,
            json!({ "kty": "OKP", "crv": "Ed25519", "x": "A".repeat(43) }),
            "its `x` is of small order, or not canonical",
        ),
        (1, json!({ "kty": "EC", "crv": "P-521" }), "P-521 (ES512) is not supported; "),
        (1, json!({ "kty": "OKP", "crv": "Ed448" }), "the curve `Ed448` is not supported; "),
        (1, json!({ "kty": "AKP" }), "the type `AKP` is not supported; "),
        (1, json!({ "kty": "oct", "k": "s3cret" }), "it is a shared secret (`oct`); "),
        (100, good.clone(), "it comes after 100 others; no set has as many"),
    ];
    for (others, mut key, why) in cases {
        key["kid"] = "left".into();
        let mut keys = vec![good.clone(); others];
        keys.push(key);
        let set = json!({ "keys": keys }).to_string();
        let token = authority.token("johndoe").header("kid", "left").sign().unwrap();
        let log = log_of_async(async {
            let tokens = TokenVerifier::<Claims>::jwks(authority.issuer(), set);
            let tokens = tokens.audience(AUDIENCE).build().await.unwrap();
            assert!(tokens.verify(&token, SecurityScopes::NONE).await.is_err());
        });
        let found = format!("found=\"the key `left`, which was left out: {why}");
        assert!(log.contains(&found), "{found}: {log}");
        // Keys that encrypt are next to those that sign in many sets.
        let warning = format!("reason=\"key `left`: {why}");
        assert_eq!(log.contains(&warning), !why.contains("`enc`"), "{why}: {log}");
        assert!(!log.contains("s3cret"));
    }
}

/// What is not fetched yet is not called unknown.
#[test]
fn keys_that_are_not_fetched_yet_are_said() {
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let token = authority.token("johndoe").header("typ", "JWT").sign().unwrap();
    let jwks = authority.jwks().to_owned();
    let fetch = move |url| {
        let jwks = jwks.clone();
        async move { Ok(Fetched::new(url, jwks)) }
    };
    let tokens = TokenVerifier::jwks_url(authority.issuer(), "https://authority.test/jwks", fetch);
    let event = events(&authority, tokens.audience(AUDIENCE), &token, SecurityScopes::NONE);
    let rest = r#"also="the rest: expected the keys of the issuer, which are fetched when a token gets as far as here, found none yet""#;
    assert!(event.contains(r#"setting="token_type""#) && event.ends_with(rest), "{event}");
}

#[test]
fn the_length_of_a_token_is_said() {
    let event = event_of(|tokens| tokens.max_bytes(10), |token| token);
    let expected = r#"reason="the token is too long" expected="at most 10 bytes" found=""#;
    assert!(
        event.starts_with(expected) && event.ends_with(r#"bytes" setting="max_bytes""#),
        "{event}"
    );
}

#[test]
fn times_are_said_with_the_difference_to_the_clock() {
    // More leeway is not what helps against a token that has expired.
    let cases: [(Change, &str, &str, bool); 2] = [
        (|token| token.expired(), "the token has expired", "which was 3600 s ago", false),
        (|token| token.not_yet_valid(), "the token is not valid yet", "which is in 3600 s", true),
    ];
    for (change, reason, found, is_leeway) in cases {
        let event = event_of(|tokens| tokens, change);
        for part in [reason, found, "with a leeway of 60 s"] {
            assert!(event.contains(part), "{part} is not in\n{event}");
        }
        assert_eq!(event.contains(r#"setting="leeway""#), is_leeway, "{event}");
    }
}

#[test]
fn missing_scopes_name_the_claims_that_found_nothing() {
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let cases: [(Set, Change, &str); 7] = [
        (|tokens| tokens, |token| token.scopes(["other"]), "one scope at `scope`"),
        (|tokens| tokens, |token| token.claim("scope", ""), "0 scopes at `scope`"),
        (|tokens| tokens, |token| token.claim("scp", json!(["a", "b"])), "2 scopes at `scp`"),
        (|tokens| tokens, |token| token, "no `scope` or `scp`"),
        (
            |tokens| tokens.scopes_in("roles").scopes_in("a.b"),
            |token| token.claim("roles", "other"),
            "one scope at `roles`, no `a.b`",
        ),
        (
            |tokens| tokens.scopes_in("roles"),
            |token| token.claim("roles", "s3cret"),
            "one scope at `roles`",
        ),
        (
            |tokens| tokens.scopes_in("authorities"),
            |token| token.claim("authorities", json!([{ "authority": "items" }])),
            "`authorities` of another type",
        ),
    ];
    for (set, change, found_there) in cases {
        let token = change(authority.token("johndoe")).sign().unwrap();
        let found =
            events(&authority, set(authority.verifier()), &token, security_scopes!["items"]);
        assert_eq!(
            found,
            format!(
                r#"reason="the token does not grant the required scopes" expected="items" found="{found_there}" setting="scopes_in""#
            )
        );
    }
}

#[test]
fn what_is_no_token_is_said_by_its_shape() {
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let good = authority.token("johndoe").sign().unwrap();
    let good = good.as_str();
    for (token, found) in [
        ("s3cret".to_owned(), "one part: an opaque token"),
        ("a.b".to_owned(), "2 parts"),
        ("a.b.c.d.e".to_owned(), "five parts: an encrypted token"),
        ("a.b.c".to_owned(), "three parts, of which one is not base64url, or the first not JSON"),
        (format!("{good}=="), "padding (`=`), which no part of a token has"),
    ] {
        let token = BearerToken::try_from(&*token).unwrap();
        let event = events(&authority, authority.verifier(), &token, SecurityScopes::NONE);
        assert!(event.contains(&format!("found=\"{found}\"")), "{event}");
    }
}

/// The word that makes the verifier take the token is said.
#[test]
fn a_secret_that_is_not_for_the_algorithm_is_said() {
    let issuer = "https://a.example";
    let of = |bytes: usize, algorithm| {
        let key = SigningKey::secret("s".repeat(bytes)).algorithm(algorithm);
        TokenAuthority::builder(issuer, key).build().unwrap()
    };
    let token = |algorithm| of(64, algorithm).token("ann").sign().unwrap();
    let verifier = |bytes| TokenVerifier::secret(issuer, "s".repeat(bytes)).audience(issuer);
    let not_allowed = "the algorithm of the token is not allowed";
    let short = r#"expected="a secret of at least 64 bytes for HS512" found="a shared secret that is too short: 32 bytes" setting="accept_short_secret_until""#;
    let cases: [(TokenVerifierBuilder<Claims>, _, _, _); 6] = [
        (
            of(64, Algorithm::Hs256).verifier(),
            Algorithm::Hs512,
            not_allowed,
            r#"expected="`HS256`" found="`HS512`" setting="SigningKey::secret(…).algorithm(Algorithm::Hs512)""#,
        ),
        (
            of(64, Algorithm::Hs512).verifier(),
            Algorithm::Hs384,
            not_allowed,
            r#"expected="`HS512`" found="`HS384`" setting="SigningKey::secret(…).algorithm(Algorithm::Hs384)""#,
        ),
        (of(32, Algorithm::Hs256).verifier(), Algorithm::Hs512, not_allowed, short),
        (verifier(32), Algorithm::Hs512, not_allowed, short),
        (
            verifier(32).algorithms([Algorithm::Hs256, Algorithm::Hs512]),
            Algorithm::Hs512,
            "no known key made the signature of the token",
            short,
        ),
        (
            verifier(64).algorithms([Algorithm::Hs256]),
            Algorithm::Hs512,
            not_allowed,
            r#"expected="`HS256`" found="`HS512`" setting="algorithms""#,
        ),
    ];
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    for (tokens, algorithm, reason, expected) in cases {
        let event = events(&authority, tokens, &token(algorithm), SecurityScopes::NONE);
        assert_eq!(event, format!(r#"reason="{reason}" {expected}"#));
    }
}

/// Most services that sign their tokens have one secret, and write no `kid`.
#[test]
fn a_signature_that_is_not_of_the_only_key_is_wrong() {
    let issuer = "https://a.example";
    let _ = jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER.install_default();
    let key = jsonwebtoken::EncodingKey::from_secret("another".repeat(8).as_bytes());
    let claims = json!({ "iss": issuer, "aud": issuer, "exp": 4_000_000_000_u64 });
    let token = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap();
    let token = BearerToken::try_from(&*token).unwrap();
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let one = || {
        let tokens = TokenVerifier::<Claims>::secret(issuer, "s".repeat(32));
        tokens.audience(issuer).token_type("JWT")
    };
    for (tokens, expected) in [
        (
            one(),
            r#"reason="the signature of the token is wrong" expected="a signature by the only key" found="another signature""#,
        ),
        (
            one().accept_secret("t".repeat(32)),
            r#"reason="no known key made the signature of the token" expected="a signature by a key that is known, for HS256" found="no `kid`, for HS256" setting="secret""#,
        ),
    ] {
        assert_eq!(events(&authority, tokens, &token, SecurityScopes::NONE), expected);
    }
}

#[test]
fn a_short_secret_is_a_warning_at_each_start_and_its_end_is_said() {
    let issuer = "https://a.example";
    let by_hs512 = |secret: &str| {
        let _ = jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER.install_default();
        let mut header = jsonwebtoken::Header::new(jsonwebtoken::Algorithm::HS512);
        header.typ = Some("at+jwt".to_owned());
        let claims = json!({ "iss": issuer, "aud": issuer, "exp": 4_000_000_000_u64 });
        let key = jsonwebtoken::EncodingKey::from_secret(secret.as_bytes());
        let token = jsonwebtoken::encode(&header, &claims, &key).unwrap();
        BearerToken::try_from(&*token).unwrap()
    };
    let secret = "t0ps3cret".repeat(4);
    let log = |secret: &str, until: u64, token: &BearerToken| {
        let date = SystemTime::UNIX_EPOCH + Duration::from_secs(until);
        let tokens = TokenVerifier::<Claims>::secret(issuer, secret).audience(issuer);
        log_of_async(async {
            let tokens = tokens.accept_short_secret_until(date).build().await.unwrap();
            let _ = tokens.verify(token, SecurityScopes::NONE).await;
        })
    };
    let warning = "WARN doorward::trace: tokens of a shared secret that is too short are accepted until a date; anyone who has one can guess \
                   the secret, and sign others until=";
    for (until, event) in [
        (3_000_000_000, None),
        (
            1,
            Some(
                r#"reason="the secret of the token is too short, and the date until which it is accepted is over" expected="before 1, in seconds since 1970" found=""#,
            ),
        ),
    ] {
        let log = log(&secret, until, &by_hs512(&secret));
        assert!(log.contains(&format!("{warning}{until}")), "{log}");
        assert_eq!(event.is_some(), log.contains("a token was refused"), "{log}");
        assert!(log.contains(event.unwrap_or_default()), "{log}");
        assert!(!log.contains("t0ps3cret"), "{log}");
    }
    // Of a token that the secret has not signed, the date says nothing.
    let forged = log(&secret, 1, &by_hs512(&"another".repeat(8)));
    assert!(forged.contains("the signature of the token is wrong") && !forged.contains("the date"));
    let long = "s".repeat(64);
    let log = log(&long, 1, &by_hs512(&long));
    assert!(!log.contains("too short") && !log.contains("refused"), "{log}");
}

/// Of several issuers, the log has what is known of a token that none of them has issued, and no
/// refusal of a verifier that has not decided.
#[test]
fn a_token_of_several_issuers_is_one_event() {
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let of = |name: &str| TestAuthority::new(AUDIENCE).unwrap().with_issuer(name);
    let stranger = of("https://t0ps3cret.example").token("johndoe").sign().unwrap();
    let nobody = authority.token("johndoe").claim("iss", Value::Null).sign().unwrap();
    let good = authority.token("johndoe").sign().unwrap();
    let long = BearerToken::try_from(&*"a".repeat(20_000)).unwrap();
    let opaque = BearerToken::try_from("s3cret").unwrap();
    for (token, expected) in [
        (&good, ""),
        (
            &stranger,
            r#"reason="the token is from another issuer" expected="`https://authority.test`, `https://authority.test`" setting="issuer""#,
        ),
        (
            &nobody,
            r#"reason="the token has no issuer" expected="`https://authority.test`, `https://authority.test`" setting="without_issuer""#,
        ),
        (
            &long,
            r#"reason="the token is too long" expected="at most 16384 bytes" found="20000 bytes" setting="max_bytes""#,
        ),
        (
            &opaque,
            r#"reason="the token is not a JSON Web Token, or a malformed one" expected="three parts of base64url without padding, the first of which is JSON" found="one part: an opaque token""#,
        ),
    ] {
        let log = log_of_async(async {
            let first = of("https://authority.test").verifier().build().await.unwrap();
            let second = authority.verifier().build().await.unwrap();
            let tokens: Issuers<Value> = Issuers::new([first, second]);
            let _ = tokens.verify(token, SecurityScopes::NONE).await;
        });
        let events = log.lines().filter_map(|line| line.split_once("a token was refused "));
        assert_eq!(Vec::from_iter(events.map(|(_, event)| event)).join("\n"), expected);
    }
}

/// A caller without a token of the issuer writes nothing into the log but the header.
#[test]
fn nothing_is_said_of_claims_before_the_signature_is_right() {
    let stranger =
        TestAuthority::new("t0ps3cret").unwrap().with_issuer("https://t0ps3cret.example");
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    for claim in ["iss", "aud", "azp", "client_id", "sub", "scope", "tenant"] {
        let token = stranger.token("t0ps3cret").claim(claim, "t0ps3cret").header("typ", "JWT");
        let token = token.sign().unwrap();
        let event = events(&authority, authority.verifier(), &token, security_scopes!["items"]);
        assert!(event.contains("the token has another type"), "{event}");
        assert!(!event.contains("t0ps3cret"), "{event}");
    }
}

/// Of a token of the issuer, only claims that a setting names are said, cut and escaped.
#[test]
fn claims_that_no_setting_names_are_not_said() {
    let hostile = format!("m4rker\n\u{1b}[31m\u{202e}{}", "é".repeat(5000));
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    for (claim, is_said) in [
        ("iss", true),
        ("aud", true),
        ("azp", true),
        ("client_id", true),
        ("sub", false),
        ("scope", false),
        ("scp", false),
        ("roles", false),
        ("tenant", false),
        ("jti", false),
        ("exp", false),
        ("nbf", false),
        ("cnf", false),
        ("email", false),
    ] {
        for typ in ["at+jwt", "JWT"] {
            let token = authority.token("johndoe").header("typ", typ);
            let token = if matches!(claim, "azp" | "client_id") {
                token.claim("aud", Value::Null)
            } else {
                token
            };
            let token = token.claim(claim, &*hostile).sign().unwrap();
            let tokens = authority.verifier().max_bytes(64 * 1024).scopes_in("roles");
            let event = events(&authority, tokens, &token, security_scopes!["items"]);
            assert_eq!(event.contains("m4rker"), is_said, "{claim}: {event}");
            assert!(event.len() < 1000 && event.lines().count() == 1, "{claim}: {event}");
            assert!(!event.contains(['\u{1b}', '\u{202e}']), "{claim}: {event}");
        }
    }
}

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "they are read")]
struct Detailed {
    accounts: HashMap<String, u32>,
    address: Address,
    levels: Vec<u32>,
    kind: Kind,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "it is read")]
struct Address {
    city: u32,
}

#[derive(serde::Deserialize)]
enum Kind {
    Person,
}

/// A claim that the service does not read as it is may be data of a user, and so may its name.
#[test]
fn neither_a_key_nor_a_value_of_a_claim_is_in_the_log() {
    const SECRET: &str = "s3cret-mail@example.com";
    let good = || json!({ "accounts": { SECRET: 1 }, "address": { "city": 1 }, "levels": [1], "kind": "Person", SECRET: SECRET });
    let wrong = [
        ("accounts", json!({ SECRET: SECRET })),
        ("accounts", json!({ SECRET: { SECRET: 1 } })),
        ("accounts", json!([SECRET])),
        ("accounts", json!(SECRET)),
        ("address", json!({ SECRET: 1 })),
        ("address", json!({ "city": SECRET })),
        ("address", json!({ "city": 1, SECRET: 1 })),
        ("levels", json!([1, SECRET])),
        ("levels", json!({ SECRET: [1] })),
        ("kind", json!(SECRET)),
        ("kind", json!({ SECRET: SECRET })),
        ("scope", json!({ SECRET: SECRET })),
    ];
    let authority = TestAuthority::new(AUDIENCE).unwrap();
    let refused = |claims: &Value, name: &str| {
        let names = claims.as_object().unwrap().iter();
        let token = names.fold(authority.token("johndoe"), |token, (name, value)| {
            token.claim(name, value.clone())
        });
        let token = token.sign().unwrap();
        let log = log_of_async(async {
            let tokens = authority.verifier::<Detailed>().build().await.unwrap();
            assert!(tokens.verify(&token, SecurityScopes::NONE).await.is_err(), "{claims}");
            let any = authority.verifier::<HashMap<String, u32>>().build().await.unwrap();
            assert!(any.verify(&token, SecurityScopes::NONE).await.is_err(), "{claims}");
        });
        assert_eq!(log.matches("a token was refused").count(), 2, "{log}");
        assert!(!log.contains("s3cret"), "{log}");
        assert!(log.contains(&format!("`{name}`")), "{log}");
    };
    for (name, value) in wrong {
        let mut claims = good();
        claims[name] = value;
        refused(&claims, name);
    }
    let mut claims = good();
    claims.as_object_mut().unwrap().remove("levels");
    refused(&claims, "levels");
}
