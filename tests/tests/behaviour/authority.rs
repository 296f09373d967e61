//! Tokens that a service signs itself, and verifies.

use std::collections::HashSet;
use std::time::{Duration, SystemTime};

use base64::Engine as _;
use doorward::jwt::{
    Algorithm, BuildError, SigningKey, TokenAuthority, TokenAuthorityBuilder, TokenVerifier,
    TokenVerifierBuilder, UnsignedToken,
};
use doorward::metadata::AuthorizationServerMetadata;
use doorward::secrecy::{ExposeSecret, SecretString};
use doorward::verify::{FetchError, Fetched, Verified, VerifyError};
use doorward::{
    BearerToken, SecurityScopes, Shared, dependency, http_bearer, oauth2_password_bearer, plan,
    security_scopes,
};
use futures_util::FutureExt as _;
use jsonwebtoken::jwk::JwkSet;
use jsonwebtoken::{DecodingKey, EncodingKey, Header, Validation};
use serde::Serialize;
use serde_json::{Value, json};

const SERVICE: &str = "https://notes.example.com";
const SECRET: &str = "hunter2-hunter2-hunter2-hunter2-hunter2-hunter2-hunter2-hunter2-";
const OLD_SECRET: &str = "a secret that the service had before it had an authority";

fn builder(key: SigningKey) -> TokenAuthorityBuilder {
    TokenAuthority::builder(SERVICE, key)
}

fn authority() -> TokenAuthority {
    builder(SigningKey::secret(SECRET)).build().unwrap()
}

fn built(builder: TokenVerifierBuilder<Value>) -> TokenVerifier<Value> {
    builder.build().now_or_never().unwrap().unwrap()
}

fn verify(tokens: &TokenVerifier<Value>, token: &BearerToken) -> Result<Value, VerifyError> {
    let verified = tokens.verify(token, SecurityScopes::NONE).now_or_never();
    Ok(verified.unwrap()?.claims().clone())
}

fn accepts(tokens: &TokenVerifier<Value>, token: &BearerToken) -> bool {
    let verified = verify(tokens, token).map_err(|error| assert_eq!(error.status(), 401));
    verified.is_ok()
}

fn claims(tokens: &TokenVerifier<Value>, token: &BearerToken) -> Value {
    verify(tokens, token).unwrap()
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// Another library, which the service had before.
fn of_another_library() {
    let _ = jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER.install_default();
}

fn signed_by_hand(secret: &str, claims: &impl Serialize) -> BearerToken {
    of_another_library();
    let key = EncodingKey::from_secret(secret.as_bytes());
    let token = jsonwebtoken::encode(&Header::default(), claims, &key).unwrap();
    BearerToken::try_from(&*token).unwrap()
}

fn is_accepted_by_hand(secret: &str, token: &BearerToken) -> bool {
    of_another_library();
    let key = DecodingKey::from_secret(secret.as_bytes());
    let mut validation = Validation::new(jsonwebtoken::Algorithm::HS256);
    validation.validate_aud = false;
    jsonwebtoken::decode::<Value>(token.as_str(), &key, &validation).is_ok()
}

/// Each type of key, with the algorithm that it has by default.
fn keys() -> [(Algorithm, SigningKey); 11] {
    let rsa = || SigningKey::pem(include_str!("../../data/keys/rsa-2048.pem"));
    let long = || SigningKey::secret(SECRET);
    [
        (Algorithm::Hs256, long()),
        (Algorithm::Hs384, long().algorithm(Algorithm::Hs384).id("a")),
        (Algorithm::Hs512, long().algorithm(Algorithm::Hs512)),
        (Algorithm::Es256, SigningKey::pem(include_str!("../../data/keys/p256.pem"))),
        (Algorithm::Es384, SigningKey::pem(include_bytes!("../../data/keys/p384.pem"))),
        (
            Algorithm::EdDsa,
            SigningKey::pem(SecretString::from(include_str!("../../data/keys/ed25519.pem"))),
        ),
        (Algorithm::Rs256, rsa()),
        (Algorithm::Ps512, rsa().algorithm(Algorithm::Ps512)),
        (Algorithm::Es256, SigningKey::random(Algorithm::Es256).unwrap()),
        (Algorithm::Es384, SigningKey::random(Algorithm::Es384).unwrap().id("b")),
        (Algorithm::EdDsa, SigningKey::random(Algorithm::EdDsa).unwrap()),
    ]
}

#[test]
fn what_an_authority_signs_it_verifies() {
    for (algorithm, key) in keys() {
        let authority = builder(key.clone()).lifetime(Duration::from_secs(60));
        let authority = authority.build().unwrap();
        let tokens = built(authority.verifier());
        let before = now();
        let token = authority.token("johndoe").scopes(["me", "items"]);
        let token = token.claim("client_id", "web").sign().unwrap();
        let after = now();
        let verified = tokens.verify(&token, security_scopes!["items"]);
        let verified = verified.now_or_never().unwrap().unwrap();
        assert_eq!(verified.scopes(), ["me", "items"]);
        let found = verified.claims();
        let iat = found["iat"].as_u64().unwrap();
        assert!((before..=after).contains(&iat));
        assert_eq!(found["exp"], iat + 60);
        for (name, expected) in [
            ("iss", SERVICE),
            ("aud", SERVICE),
            ("sub", "johndoe"),
            ("client_id", "web"),
            ("scope", "me items"),
        ] {
            assert_eq!(found[name], expected, "{algorithm:?}");
        }
        assert_eq!(found["jti"].as_str().unwrap().len(), 22);

        // Another library reads the same, with the published key.
        of_another_library();
        let header = jsonwebtoken::decode_header(token.as_str()).unwrap();
        assert_eq!(header.typ.as_deref(), Some("at+jwt"));
        assert_eq!(format!("{:?}", header.alg).to_uppercase(), {
            format!("{algorithm:?}").to_uppercase()
        });
        let published: JwkSet = serde_json::from_str(authority.jwks()).unwrap();
        let key = if matches!(algorithm, Algorithm::Hs256 | Algorithm::Hs384 | Algorithm::Hs512) {
            assert_eq!(authority.jwks(), r#"{"keys":[]}"#);
            DecodingKey::from_secret(SECRET.as_bytes())
        } else {
            let jwk = &published.keys[0];
            let id = jwk.thumbprint(jsonwebtoken::jwk::ThumbprintHash::SHA256);
            if header.kid.as_deref() != Some("b") {
                assert_eq!(header.kid, Some(id.unwrap()));
            }
            DecodingKey::from_jwk(published.find(header.kid.as_ref().unwrap()).unwrap()).unwrap()
        };
        let mut validation = Validation::new(header.alg);
        validation.set_audience(&[SERVICE]);
        let read = jsonwebtoken::decode::<Value>(token.as_str(), &key, &validation).unwrap();
        assert_eq!(&read.claims, found);
    }
}

#[test]
fn a_stored_key_is_the_same_key() {
    let key = SigningKey::random(Algorithm::Es256).unwrap();
    let stored = key.expose_secret().to_vec();
    let before = builder(key).build().unwrap();
    let after = builder(SigningKey::der(stored)).build().unwrap();
    let token = before.token("johndoe").sign().unwrap();
    assert!(accepts(&built(after.verifier()), &token));
    assert_eq!(before.jwks(), after.jwks());
    assert!(!before.jwks().contains("\"d\""), "{}", before.jwks());
}

#[test]
fn only_its_own_tokens_are_accepted() {
    let ours = authority();
    let tokens = built(ours.verifier());
    let key = || SigningKey::secret(SECRET);
    assert!(accepts(&tokens, &ours.token("a").sign().unwrap()));
    for other in [
        TokenAuthority::builder("https://id.example.com", key()).audience(SERVICE),
        TokenAuthority::builder(SERVICE, key()).audience("https://id.example.com"),
        builder(key()).token_type("JWT"),
        builder(key().algorithm(Algorithm::Hs512)),
        builder(SigningKey::secret(OLD_SECRET)),
    ] {
        let text = format!("{other:?}");
        let token = other.build().unwrap().token("a").sign().unwrap();
        assert!(!accepts(&tokens, &token), "{text}");
    }
}

/// A service goes on with the issuers that it has written for years, one for each purpose.
#[test]
fn any_text_is_an_issuer() {
    for issuer in ["https://vault.example.com|login", "https://vault.example.com|invite", "notes"] {
        let builder = TokenAuthority::builder(issuer, SigningKey::secret(SECRET));
        let authority = builder.build().unwrap();
        let token = authority.token("johndoe").sign().unwrap();
        assert_eq!(claims(&built(authority.verifier()), &token)["iss"], issuer);
        let other = TokenVerifier::secret("https://vault.example.com", SECRET).audience(issuer);
        assert!(!accepts(&built(other), &token), "{issuer}");
        // Nobody can fetch metadata from such a text.
        assert!(AuthorizationServerMetadata::of::<Invited>(issuer).is_err(), "{issuer}");
    }
    let served = AuthorizationServerMetadata::of::<Invited>("https://vault.example.com");
    assert!(served.is_ok(), "{served:?}");
}

enum Opened {}
enum Invitation {}

#[http_bearer(verified = Value, by = TokenVerifier<Value, Opened>)]
struct Session;

#[dependency]
async fn invited(
    #[security(Invited)] token: BearerToken,
    invitations: Shared<TokenVerifier<Value, Invitation>>,
) -> Result<Verified<Value>, VerifyError> {
    invitations.verify(&token, SecurityScopes::NONE).await
}

#[http_bearer]
struct Invited;

/// Both verifiers yield the same claims, and each is found by its type.
#[test]
fn verifiers_of_two_purposes_are_told_apart_by_a_type() {
    let of = |purpose| {
        let issuer = format!("{SERVICE}|{purpose}");
        TokenAuthority::builder(issuer, SigningKey::secret(SECRET)).build().unwrap()
    };
    let [login, invitation] = ["login", "invite"].map(of);
    let logins: TokenVerifier<Value, Opened> = built(login.verifier()).for_purpose();
    let invitations = built(invitation.verifier()).for_purpose::<Invitation>();
    let (logins, invitations) = (Shared::new(logins), Shared::new(invitations));
    for (authority, is_login) in [(&login, true), (&invitation, false)] {
        let token = authority.token("johndoe").sign().unwrap();
        let line = format!("Bearer {}", token.as_str());
        let request = doorward::http::Request::get("/").header("authorization", line);
        let request = request.extension(logins.clone()).extension(invitations.clone());
        let (mut head, ()) = request.body(()).unwrap().into_parts();
        let is_of = |found: Option<Result<Verified<Value>, _>>| found.unwrap().is_ok();
        assert_eq!(is_of(plan!(Session).resolve(&mut head).now_or_never()), is_login);
        assert_eq!(is_of(plan!(invited).resolve(&mut head).now_or_never()), !is_login);
    }
}

#[test]
fn a_token_in_a_body_is_verified_in_one_line() {
    type Subject = Result<String, Box<dyn std::error::Error>>;

    async fn subject(tokens: &TokenVerifier<Value>, body: &Value) -> Subject {
        let text = body["token"].as_str().unwrap();
        let found = tokens.verify(&BearerToken::try_from(text)?, SecurityScopes::NONE).await?;
        Ok(found["sub"].to_string())
    }

    let authority = authority();
    let tokens = built(authority.verifier());
    let good = authority.token("johndoe").sign().unwrap();
    for (text, is_good) in [(good.as_str(), true), ("", false), ("a\nb", false), ("é", false)] {
        let found = subject(&tokens, &json!({ "token": text })).now_or_never().unwrap();
        assert_eq!(found.ok().as_deref(), is_good.then_some("\"johndoe\""), "{text:?}");
    }
}

#[test]
fn a_key_is_exchanged_without_a_gap() {
    for [old, new] in [
        [SECRET, OLD_SECRET].map(SigningKey::secret),
        [Algorithm::Es256, Algorithm::EdDsa].map(|kind| SigningKey::random(kind).unwrap()),
    ] {
        let first = builder(old.clone()).build().unwrap();
        let announced = builder(old.clone()).accept_key(new.clone());
        let announced = announced.build().unwrap();
        let exchanged = builder(new.clone()).accept_key(old).build().unwrap();
        let last = builder(new).build().unwrap();
        let keys = |authority: &TokenAuthority| {
            let set: JwkSet = serde_json::from_str(authority.jwks()).unwrap();
            let ids = set.keys.into_iter().map(|key| key.common.key_id.unwrap());
            ids.collect::<HashSet<_>>()
        };
        assert_eq!(keys(&announced), keys(&exchanged));
        assert!(keys(&announced).is_superset(&keys(&first)));

        let [of_old, of_announced, of_new] =
            [&first, &announced, &exchanged].map(|by| by.token("a").sign().unwrap());
        for (authority, expected) in [
            (&first, [true, true, false]),
            (&announced, [true, true, true]),
            (&exchanged, [true, true, true]),
            (&last, [false, false, true]),
        ] {
            let tokens = built(authority.verifier());
            let found = [&of_old, &of_announced, &of_new].map(|token| accepts(&tokens, token));
            assert_eq!(found, expected);
        }
    }
}

/// The claims of a ported project, in its access tokens and in its refresh tokens.
#[derive(Serialize)]
struct OfBoth {
    sub: &'static str,
    kind: &'static str,
    exp: u64,
}

const DAY: u64 = 24 * 60 * 60;

#[test]
fn a_refresh_token_is_no_access_token() {
    // The hole: one secret, one form of claims, and a verifier that looks at nothing else.
    let old = |kind, exp| {
        let sub = "johndoe";
        signed_by_hand(OLD_SECRET, &OfBoth { sub, kind, exp })
    };
    let [access, refresh] = [old("access", now() + 900), old("refresh", now() + 30 * DAY)];
    assert!(is_accepted_by_hand(OLD_SECRET, &access));
    assert!(is_accepted_by_hand(OLD_SECRET, &refresh));

    // It is closed by the type.
    let key = || SigningKey::secret(SECRET);
    let for_routes = builder(key()).build().unwrap();
    let for_refreshing = builder(key()).token_type("rt+jwt");
    let for_refreshing = for_refreshing.lifetime(Duration::from_secs(30 * DAY));
    let for_refreshing = for_refreshing.build().unwrap();
    let of_routes = for_routes.token("johndoe").sign().unwrap();
    let of_refreshing = for_refreshing.token("johndoe").sign().unwrap();
    assert!(is_accepted_by_hand(SECRET, &of_routes));
    assert!(is_accepted_by_hand(SECRET, &of_refreshing));
    let [routes, refreshing] = [&for_routes, &for_refreshing].map(|one| built(one.verifier()));
    assert!(accepts(&routes, &of_routes) && !accepts(&routes, &of_refreshing));
    assert!(accepts(&refreshing, &of_refreshing) && !accepts(&refreshing, &of_routes));

    // The old ones look alike, but for their claims.
    let moved = builder(key()).accept_key(SigningKey::secret(OLD_SECRET)).build().unwrap();
    let verifier = || moved.verifier::<Value>().without_issuer();
    let tokens = built(verifier());
    assert!(accepts(&tokens, &access) && accepts(&tokens, &refresh));
    let tokens = built(verifier().refuse_if(|claims| claims["kind"] == "refresh"));
    assert!(accepts(&tokens, &access) && !accepts(&tokens, &refresh));
    assert!(!accepts(&tokens, &of_refreshing));
}

#[test]
fn a_token_without_an_issuer_is_accepted_by_a_verifier_that_says_so() {
    let verifier = || {
        let builder = builder(SigningKey::secret(SECRET));
        builder.accept_key(SigningKey::secret(OLD_SECRET)).build().unwrap().verifier()
    };
    let old = |more: Value| {
        let mut claims = json!({ "sub": "johndoe", "exp": now() + 900 });
        let more = more.as_object().unwrap().clone();
        claims.as_object_mut().unwrap().extend(more);
        signed_by_hand(OLD_SECRET, &claims)
    };
    let (tokens, never) = (built(verifier().without_issuer()), built(verifier()));
    let token = old(json!({}));
    // It is remembered as any other.
    for _ in 0..2 {
        assert_eq!(claims(&tokens, &token)["sub"], "johndoe");
    }
    assert!(!accepts(&never, &token));
    for more in [
        json!({ "iss": SERVICE }),
        json!({ "aud": "https://other.example.com" }),
        json!({ "iss": SERVICE, "aud": SERVICE }),
        json!({ "exp": now() - 900 }),
        json!({ "exp": null }),
        json!({ "nbf": now() + 900 }),
    ] {
        assert!(!accepts(&tokens, &old(more.clone())), "{more}");
    }
    let forged = signed_by_hand(SERVICE, &json!({ "sub": "a", "exp": now() + 900 }));
    assert!(!accepts(&tokens, &forged));
    // A service that has an authority goes on with it.
    let current = authority().token("johndoe").sign().unwrap();
    assert!(accepts(&tokens, &current) && accepts(&never, &current));
}

/// A token as another library has signed it, with a secret of any length.
/// The old nodes of a service go on until none of them runs, and so do the tokens.
#[test]
fn a_token_is_signed_for_nodes_that_refuse_its_audience_or_its_issuer() {
    let plain = || builder(SigningKey::secret(SECRET));
    for (set, absent, stays) in [
        (TokenAuthorityBuilder::without_audience as fn(_) -> _, "aud", "iss"),
        (TokenAuthorityBuilder::without_issuer, "iss", "aud"),
    ] {
        let before = set(plain()).build().unwrap();
        let after = plain().build().unwrap();
        let token = before.token("johndoe").sign().unwrap();
        let tokens = built(before.verifier());
        let signed = claims(&tokens, &token);
        assert!(signed.get(absent).is_none() && signed[stays] == SERVICE, "{signed}");
        // Each authority verifies what the other signs, while nodes of both run.
        let new = after.token("johndoe").sign().unwrap();
        assert!(accepts(&tokens, &new));
        assert!(!accepts(&built(after.verifier()), &token));
        let both = match absent {
            "aud" => after.verifier().without_audience(),
            _ => after.verifier().without_issuer(),
        };
        let both = built(both);
        assert!(accepts(&both, &token) && accepts(&both, &new));
        // What a token names has to be ours all the same.
        let elsewhere = builder(SigningKey::secret(SECRET)).audience("https://other.example.com");
        let elsewhere = elsewhere.build().unwrap().token("johndoe").sign().unwrap();
        assert!(!accepts(&tokens, &elsewhere) && !accepts(&both, &elsewhere));
    }
    // The old nodes are those of a library that refuses an audience unless one is set.
    of_another_library();
    let before = plain().without_audience().without_issuer().build().unwrap();
    let token = before.token("johndoe").sign().unwrap();
    let key = DecodingKey::from_secret(SECRET.as_bytes());
    let validation = Validation::new(jsonwebtoken::Algorithm::HS256);
    let by_hand = |token: &BearerToken| {
        jsonwebtoken::decode::<Value>(token.as_str(), &key, &validation).is_ok()
    };
    assert!(by_hand(&token) && !by_hand(&authority().token("johndoe").sign().unwrap()));
    assert!(accepts(&built(before.verifier()), &token));
}

fn signed_by_hand_with(
    algorithm: jsonwebtoken::Algorithm,
    secret: &str,
    claims: &impl Serialize,
) -> BearerToken {
    of_another_library();
    let key = EncodingKey::from_secret(secret.as_bytes());
    let token = jsonwebtoken::encode(&Header::new(algorithm), claims, &key).unwrap();
    BearerToken::try_from(&*token).unwrap()
}

#[test]
fn a_short_secret_is_accepted_until_the_date() {
    use jsonwebtoken::Algorithm::{HS256, HS384, HS512};

    let claims = json!({ "sub": "johndoe", "exp": now() + 900 });
    let soon = SystemTime::now() + Duration::from_secs(DAY);
    let over = SystemTime::now() - Duration::from_secs(1);
    let new = || builder(SigningKey::secret(SECRET)).build().unwrap().verifier().without_issuer();
    for (bytes, is_accepted) in [
        (32, [true, false, false]),
        (47, [true, false, false]),
        (48, [true, true, false]),
        (63, [true, true, false]),
        (64, [true, true, true]),
    ] {
        let old = &SECRET[..bytes];
        // The secret of an authority that signs by HS256, and one that is accepted beside it.
        let same = || builder(SigningKey::secret(old)).build().unwrap().verifier();
        for (algorithm, is_long) in [HS256, HS384, HS512].into_iter().zip(is_accepted) {
            let token = signed_by_hand_with(algorithm, old, &claims);
            let case = format!("{bytes} {algorithm:?}");
            let beside = || new().accept_secret(old);
            assert_eq!(accepts(&built(beside()), &token), is_long, "{case}");
            // Whatever is said first.
            let until = |date| {
                [
                    beside().accept_short_secret_until(date),
                    new().accept_short_secret_until(date).accept_secret(old),
                ]
            };
            for tokens in until(soon).map(built) {
                // It is remembered as any other.
                assert!(accepts(&tokens, &token) && accepts(&tokens, &token), "{case}");
            }
            for tokens in until(over).map(built) {
                assert_eq!(accepts(&tokens, &token), is_long, "{case}");
            }
            let tokens = same().without_issuer().accept_short_secret_until(soon);
            let is_short = !is_long;
            // A key that is long enough signs by one algorithm, and verifies by that alone.
            let expected = algorithm == HS256 || is_short;
            assert_eq!(accepts(&built(tokens), &token), expected, "{case}");
            let forged = signed_by_hand_with(algorithm, &SECRET[1..], &claims);
            let tokens = new().accept_secret(old).accept_short_secret_until(soon);
            assert!(!accepts(&built(tokens), &forged), "{case}");
        }
    }
    // A verifier may name the algorithm, and no secret is too short for one of public keys.
    let verifier = |secret: &str| TokenVerifier::<Value>::secret(SERVICE, secret).audience(SERVICE);
    let tokens = verifier(&SECRET[..40]).algorithms([Algorithm::Hs512]).without_issuer();
    let token = signed_by_hand_with(HS512, &SECRET[..40], &claims);
    assert!(accepts(&built(tokens.accept_short_secret_until(soon)), &token));
    // Fewer bytes than HS256 asks for are never enough.
    let shortest = verifier(&SECRET[..31]).accept_short_secret_until(soon).build();
    let error = shortest.now_or_never().unwrap().unwrap_err().to_string();
    assert!(error.contains("at least 32 bytes"), "{error}");
}

/// A public key is never a secret, with a short one beside it either.
#[test]
fn a_short_secret_changes_nothing_for_public_keys() {
    let pair = SigningKey::pem(include_str!("../../data/keys/p256.pem"));
    let public = include_str!("../../data/keys/p256-public.pem");
    let soon = SystemTime::now() + Duration::from_secs(DAY);
    let authority = builder(pair).accept_key(SigningKey::secret(&SECRET[..32])).build().unwrap();
    let tokens = built(authority.verifier().without_issuer().accept_short_secret_until(soon));
    assert!(accepts(&tokens, &authority.token("johndoe").sign().unwrap()));
    let claims = json!({ "sub": "johndoe", "exp": now() + 900 });
    for algorithm in [jsonwebtoken::Algorithm::HS256, jsonwebtoken::Algorithm::HS512] {
        for (secret, is_accepted) in [(public, false), (&SECRET[..32], true)] {
            let token = signed_by_hand_with(algorithm, secret, &claims);
            assert_eq!(accepts(&tokens, &token), is_accepted, "{algorithm:?}");
        }
    }
}

#[test]
fn a_public_key_in_pem_verifies_what_its_private_key_signs() {
    macro_rules! pair {
        ($name:literal) => {
            (
                include_str!(concat!("../../data/keys/", $name, ".pem")),
                include_str!(concat!("../../data/keys/", $name, "-public.pem")),
            )
        };
    }
    let pairs = [pair!("ed25519"), pair!("p256"), pair!("p384"), pair!("rsa-2048")];
    for (signs, (private, _)) in pairs.into_iter().enumerate() {
        let authority = builder(SigningKey::pem(private)).build().unwrap();
        let token = authority.token("johndoe").sign().unwrap();
        for (verifies, (_, public)) in pairs.into_iter().enumerate() {
            let tokens = built(TokenVerifier::pem(SERVICE, public).audience(SERVICE));
            assert_eq!(accepts(&tokens, &token), signs == verifies, "{signs} {verifies}");
        }
    }
}

/// A service has signed its tokens with the text that its users have set.
#[test]
fn a_weak_secret_verifies_only_if_it_is_called_weak() {
    const WEAK: &str = "seventeen-bytes-!";
    let claims = json!({ "iss": SERVICE, "aud": SERVICE, "sub": "a", "exp": now() + 900 });
    let token = signed_by_hand(WEAK, &claims);
    let weak = |secret: &str| {
        let strong = TokenVerifier::<Value>::secret(SERVICE, SECRET);
        strong.weak_secret(secret).audience(SERVICE).token_type("JWT")
    };
    assert!(accepts(&built(weak(WEAK)), &token));
    assert!(accepts(&built(weak(WEAK)), &signed_by_hand(SECRET, &claims)));
    assert!(!accepts(&built(weak("seventeen-bytes-?")), &token));
    assert!(!accepts(&built(weak(WEAK).algorithms([Algorithm::Hs512])), &token));
    let not_called = TokenVerifier::<Value>::secret(SERVICE, WEAK).audience(SERVICE);
    let error = not_called.build().now_or_never().unwrap().unwrap_err().to_string();
    assert!(error.contains("`weak_secret`") && !error.contains(WEAK), "{error}");
    let alone = TokenVerifier::weak_secret(SERVICE, WEAK).audience(SERVICE).token_type("JWT");
    assert!(accepts(&built(alone), &token));
    // HMAC fills a secret up with zeros, so these are none.
    for empty in ["", "\0\0\0\0\0\0\0\0\0"] {
        assert!(weak(empty).build().now_or_never().unwrap().is_err());
    }
    // A date ends it as any other that is too short.
    for (date, is_accepted) in [(now() + DAY, true), (now() - 1, false)] {
        let date = SystemTime::UNIX_EPOCH + Duration::from_secs(date);
        let tokens = built(weak(WEAK).accept_short_secret_until(date));
        assert_eq!(accepts(&tokens, &token), is_accepted);
    }
    let settings = json!({
        "issuer": SERVICE, "audience": SERVICE, "token_type": "JWT", "weak_secret": WEAK
    });
    let settings = serde_json::from_value(settings).unwrap();
    let never = async |_: String| Err::<Fetched, _>(FetchError::new("never asked"));
    let tokens = TokenVerifier::from_settings(settings, never);
    assert!(accepts(&built(tokens), &token));
}

#[test]
fn all_mistakes_are_listed_and_none_shows_a_secret() {
    let short = "hunter2-hunter2";
    let public = include_str!("../../data/keys/p256-public.pem");
    let pair = || SigningKey::pem(include_str!("../../data/keys/p256.pem"));
    let mistakes = TokenAuthority::builder("", SigningKey::secret(short))
        .audience("")
        .token_type("")
        .lifetime(Duration::from_millis(999))
        .accept_key(SigningKey::pem(public))
        .accept_key(pair().id("a"))
        .accept_key(SigningKey::secret(SECRET).id("a"))
        .build()
        .unwrap_err()
        .to_string();
    for mistake in [
        "the issuer is empty",
        "the audience is empty",
        "the token type is empty",
        "a token is valid for at least a second",
        "a shared secret has at least 32 bytes (RFC 7518, 3.2); make a new one with `openssl rand -hex 32`, and let people log in again",
        "the PEM or DER has no private key for signatures",
        "two keys have the id `a`",
    ] {
        assert!(mistakes.contains(mistake), "{mistake}: {mistakes}");
    }
    assert!(!mistakes.contains("hunter2"));

    let rsa = include_str!("../../data/keys/rsa-1024.pem");
    let another = "is not an algorithm for this private key";
    for (key, mistake) in [
        (SigningKey::pem(rsa), "RSA of 2048 to 4096 bits"),
        (SigningKey::der(public), "no private key"),
        (SigningKey::der(""), "no private key"),
        (pair().algorithm(Algorithm::Es384), another),
        (pair().algorithm(Algorithm::Hs256), another),
        (
            SigningKey::secret(SECRET).algorithm(Algorithm::Es256),
            "ES256 is not an algorithm for a shared secret",
        ),
        (SigningKey::secret(&SECRET[..63]).algorithm(Algorithm::Hs512), "at least 64 bytes"),
        (SigningKey::secret(&SECRET[..47]).algorithm(Algorithm::Hs384), "at least 48 bytes"),
        (SigningKey::secret(&SECRET[..31]), "at least 32 bytes"),
    ] {
        let found = builder(key).build().unwrap_err().to_string();
        assert!(found.contains(mistake), "{mistake}: {found}");
        // No date makes a secret of fewer than 32 bytes one that proves something.
        let has_way_out = found.contains("`accept_short_secret_until`");
        assert_eq!(has_way_out, ["at least 48 bytes", "at least 64 bytes"].contains(&mistake));
    }
    assert!(builder(SigningKey::secret(&SECRET[..32])).build().is_ok());
    // The same of a verifier alone.
    let verifier = TokenVerifier::<Value>::secret(SERVICE, short).build();
    let mistake = verifier.now_or_never().unwrap().unwrap_err().to_string();
    assert!(mistake.contains("let people log in again"), "{mistake}");
}

#[derive(Serialize)]
struct Profile {
    sub: &'static str,
    admin: bool,
    nickname: Option<String>,
}

#[test]
fn a_service_adds_claims_and_replaces_none() {
    let authority = authority();
    let tokens = built(authority.verifier());
    let token = || authority.token("johndoe");
    let profile = |sub| Profile { sub, admin: true, nickname: None };
    let good = token().claims(&profile("johndoe")).claim("jti", "of ours");
    let good = good.claim("client_id", None::<String>).sign().unwrap();
    let found = claims(&tokens, &good);
    assert_eq!(found["admin"], true);
    assert_eq!(found["jti"], "of ours");
    let names: Vec<_> = found.as_object().unwrap().keys().collect();
    assert_eq!(names, ["admin", "aud", "exp", "iat", "iss", "jti", "sub"]);

    let of_authority = |error: Result<BearerToken, BuildError>, name: &str| {
        let expected = format!("the authority sets the claim `{name}`; leave it out");
        assert_eq!(error.unwrap_err().to_string(), expected);
    };
    for name in ["iss", "aud", "sub", "iat"] {
        of_authority(token().claim(name, "hunter2").sign(), name);
        of_authority(token().claim(name, Value::Null).sign(), name);
    }
    of_authority(token().claims(&profile("alice")).sign(), "sub");
    for (name, setter) in [
        ("scope", "`granted` or `scopes` sets the claim `scope`"),
        ("scp", "no token of an authority has the claim `scp`"),
        ("exp", "`lifetime` sets the claim `exp`"),
        ("nbf", "`not_before` sets the claim `nbf`"),
        ("cnf", "`confirmation` sets the claim `cnf`"),
    ] {
        for value in [json!("admin"), json!(["admin"]), json!({}), json!(0), Value::Null] {
            let stored = json!({ "name": "John Doe", name: value });
            for token in [token().scopes(["me"]).claims(&stored), token().claim(name, value)] {
                let error = token.sign().unwrap_err().to_string();
                assert_eq!(error, format!("{setter}; leave it out"));
            }
        }
    }
    let error = token().claims(&["hunter2"]).claim("exp", 1).sign();
    assert_eq!(
        error.unwrap_err().to_string(),
        "the claims are not an object of JSON; `lifetime` sets the claim `exp`; leave it out"
    );
    let ids = (0..100).map(|_| {
        let found = claims(&tokens, &token().sign().unwrap());
        found["jti"].as_str().unwrap().to_owned()
    });
    assert_eq!(ids.collect::<HashSet<_>>().len(), 100);
}

#[test]
fn a_token_request_is_answered() {
    let key = SigningKey::secret(SECRET);
    let authority = builder(key).lifetime(Duration::from_secs(300));
    let authority = authority.build().unwrap();
    let tokens = built(authority.verifier());
    for (scopes, expected) in [(&["me", "items"][..], json!("me items")), (&[], Value::Null)] {
        let response = authority.token("johndoe").scopes(scopes.iter().copied()).response();
        let response: http::Response<String> = response.unwrap().into();
        let body: Value = serde_json::from_str(response.body()).unwrap();
        assert_eq!(body["token_type"], "bearer");
        assert_eq!(body["expires_in"], 300);
        assert_eq!(body["scope"], expected);
        let token = BearerToken::try_from(body["access_token"].as_str().unwrap());
        assert_eq!(claims(&tokens, &token.unwrap())["scope"], expected);
    }
    let failed = authority.token("johndoe").claim("exp", 1).response();
    let failed = failed.unwrap_err();
    assert_eq!((failed.status().as_u16(), failed.code()), (500, "server_error"));
}

#[http_bearer(scopes("notes:read" = "Read.", "notes:write" implies("notes:read") = "Write."))]
struct Notes;

#[oauth2_password_bearer(token_url = "token", scopes("me" = "Read about the user."))]
struct Login;

fn of_schemes() -> TokenAuthority {
    let builder = builder(SigningKey::secret(SECRET)).for_scheme::<Notes>();
    builder.for_scheme::<Login>().build().unwrap()
}

fn scope_of(authority: &TokenAuthority, token: UnsignedToken<'_>) -> Value {
    let token = token.sign().unwrap();
    claims(&built(authority.verifier()), &token)["scope"].clone()
}

#[test]
fn only_scopes_of_its_schemes_are_signed() {
    let authority = of_schemes();
    let token = || authority.token("johndoe");
    assert_eq!(scope_of(&authority, token().scopes(["me", "notes:read"])), "me notes:read");
    let undeclared = "the scope `admin` is not declared by a scheme of `for_scheme`";
    let error = |token: UnsignedToken<'_>| token.sign().unwrap_err().to_string();
    assert_eq!(error(token().scopes(["me", "admin"])), undeclared);
    let asked = ["admin".to_owned()];
    assert_eq!(error(token().granted(&asked, &asked).unwrap()), undeclared);
    // Without a scheme, those that the program names are signed.
    let any = self::authority();
    assert_eq!(scope_of(&any, any.token("johndoe").scopes(["admin"])), "admin");
}

#[test]
fn a_scope_is_one_scope() {
    for authority in [authority(), of_schemes()] {
        for scope in ["me admin", " me", "me ", "", "me\tadmin", "a\"b", "\u{e9}"] {
            let token = || authority.token("johndoe");
            for token in [token().scopes([scope]), token().granted([scope], [scope]).unwrap()] {
                let error = token.sign().unwrap_err().to_string();
                let mistake = "is not a scope (RFC 6749, 3.3); pass each scope by itself";
                assert!(error.contains(mistake), "{scope:?}: {error}");
            }
        }
    }
}

#[test]
fn a_client_gets_what_it_asks_for_and_the_user_has() {
    let (plain, of_schemes) = (authority(), of_schemes());
    let asked = |scopes: &str| Vec::from_iter(scopes.split(' ').map(str::to_owned));
    let nothing = "none";
    for (asks, has, of_plain, with_schemes) in [
        ("me", &["me"][..], "me", "me"),
        ("notes:read me", &["me", "notes:read"], "notes:read me", "notes:read me"),
        ("me admin", &["me"], "me", "me"),
        ("me me", &["me"], "me", "me"),
        ("admin", &["me"], nothing, nothing),
        ("me", &[], nothing, nothing),
        ("ME m", &["me"], nothing, nothing),
        ("notes:read", &["notes:write"], nothing, "notes:read"),
        ("notes:write", &["notes:read"], nothing, nothing),
    ] {
        for (authority, expected) in [(&plain, of_plain), (&of_schemes, with_schemes)] {
            match authority.token("johndoe").granted(asked(asks), has) {
                Ok(token) => assert_eq!(scope_of(authority, token), expected, "{asks}, {has:?}"),
                Err(error) => {
                    assert_eq!((error.status().as_u16(), error.code()), (400, "invalid_scope"));
                    assert_eq!(expected, nothing, "{asks}, {has:?}");
                }
            }
        }
    }
    let none: [&str; 0] = [];
    let token = plain.token("johndoe").granted(none, ["me", "admin"]).unwrap();
    assert_eq!(scope_of(&plain, token), Value::Null);
    // It replaces what was set before.
    let token = plain.token("johndoe").scopes(["admin"]).granted(none, ["me"]).unwrap();
    assert_eq!(scope_of(&plain, token), Value::Null);
}

#[test]
fn a_token_begins_at_its_time_and_is_bound_to_a_key() {
    let authority = authority();
    let tokens = built(authority.verifier());
    let later = SystemTime::now() + Duration::from_secs(DAY);
    for (date, is_valid) in [(SystemTime::now(), true), (later, false)] {
        let token = authority.token("johndoe").not_before(date).sign().unwrap();
        assert_eq!(accepts(&tokens, &token), is_valid);
    }
    // A token expires one lifetime after it was issued.
    for (date, is_valid) in
        [(SystemTime::now(), true), (SystemTime::now() - Duration::from_secs(DAY), false)]
    {
        let token = authority.token("johndoe").issued_at(date).sign().unwrap();
        assert_eq!(accepts(&tokens, &token), is_valid);
    }
    // So does one with a lifetime of its own, of which the answer tells.
    let refresh = || authority.token("johndoe").lifetime(Duration::from_secs(30 * DAY));
    let token = refresh().issued_at(SystemTime::now() - Duration::from_secs(DAY)).sign().unwrap();
    assert!(accepts(&tokens, &token));
    let answer: http::Response<String> = refresh().response().unwrap().into();
    let answer: Value = serde_json::from_str(answer.body()).unwrap();
    assert_eq!(answer["expires_in"], 30 * DAY);
    let error = refresh().lifetime(Duration::from_millis(999)).sign().unwrap_err().to_string();
    assert_eq!(error, "a token is valid for at least a second");
    let half = SystemTime::UNIX_EPOCH + Duration::from_millis(1500);
    for (date, nbf) in [(half, 2), (SystemTime::UNIX_EPOCH - Duration::from_secs(1), 0)] {
        let token = authority.token("johndoe").not_before(date).sign().unwrap();
        assert_eq!(claims(&tokens, &token)["nbf"], nbf);
    }

    let bound = authority.token("johndoe").confirmation(json!({ "jkt": "thumbprint" }));
    let bound = bound.sign().unwrap();
    assert!(!accepts(&tokens, &bound));
    let payload = bound.as_str().split('.').nth(1).unwrap();
    let payload = base64::engine::general_purpose::URL_SAFE_NO_PAD.decode(payload).unwrap();
    let payload: Value = serde_json::from_slice(&payload).unwrap();
    assert_eq!(payload["cnf"], json!({ "jkt": "thumbprint" }));
    for wrong in [Value::Null, json!("thumbprint"), json!([])] {
        let error = authority.token("johndoe").confirmation(wrong).sign().unwrap_err();
        assert_eq!(error.to_string(), "the confirmation is not an object of JSON");
    }
}
