//! Which keys a verifier takes, and which tokens it verifies with them. No answer depends on the
//! backend: this runs with each, against the same rules.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};
use doorward::jwt::{TokenVerifier, TokenVerifierBuilder};
use doorward::{BearerToken, SecurityScopes};
use futures_util::FutureExt as _;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde_json::{Value, json};

/// Keys, and tokens that they have signed. `keys.py` has made them.
fn table() -> Vec<Value> {
    serde_json::from_str(include_str!("keys.json")).unwrap()
}

/// Returns `true` if a key is one that each backend can use.
fn is_usable(key: &Value) -> bool {
    match key["kind"].as_str().unwrap() {
        "RSA" => {
            let is_fit = (2048..=4096).contains(&key["bits"].as_u64().unwrap());
            is_fit && key["exponent"].as_u64().is_some_and(|exponent| exponent < 1 << 33)
        }
        "EC" | "OKP" => true,
        kind => panic!("unexpected {kind}"),
    }
}

fn tokens<'k>(key: &'k Value, which: &str) -> impl Iterator<Item = &'k str> {
    key[which].as_array().unwrap().iter().map(|token| token.as_str().unwrap())
}

fn built(builder: TokenVerifierBuilder<Value>) -> Option<TokenVerifier<Value>> {
    let builder = builder.audience("https://api.example.com").remember(0);
    match builder.build().now_or_never().unwrap() {
        Ok(verifier) => Some(verifier),
        Err(error) => {
            let error = error.to_string();
            // The size, the encoding or the purpose.
            let reasons = ["can be used", "small order", "base64url", "has no", "bytes", "its `"];
            assert!(reasons.iter().any(|reason| error.contains(reason)), "{error}");
            None
        }
    }
}

fn of_set(keys: &[Value]) -> Option<TokenVerifier<Value>> {
    let set = json!({ "keys": keys }).to_string();
    built(TokenVerifier::jwks("https://id.example.com", set))
}

fn of_pem(key: &Value) -> Option<TokenVerifier<Value>> {
    built(TokenVerifier::pem("https://id.example.com", key["pem"].as_str().unwrap()))
}

fn verifies(verifier: &TokenVerifier<Value>, token: &str) -> bool {
    let token = BearerToken::try_from(token).unwrap();
    let verified = verifier.verify(&token, SecurityScopes::NONE).now_or_never();
    verified.unwrap().is_ok()
}

#[test]
fn each_key_is_taken_or_refused_where_it_is_read() {
    let mut counts = [0; 2];
    for key in table() {
        let is_usable = key["kind"] != "small" && is_usable(&key);
        counts[usize::from(is_usable)] += 1;
        for verifier in [of_set(&[key["jwk"].clone()]), of_pem(&key)] {
            assert_eq!(verifier.is_some(), is_usable, "{key}");
            let Some(verifier) = verifier else { continue };
            for token in tokens(&key, "good") {
                assert!(verifies(&verifier, token), "{key}");
            }
            for token in tokens(&key, "bad") {
                assert!(!verifies(&verifier, token), "{key}: {token}");
            }
        }
    }
    assert_eq!(counts, [42, 17]);
}

/// Their points are as long as those of P-256.
#[test]
fn a_pem_of_another_curve_is_refused() {
    for pem in [
        // secp256k1 and brainpoolP256r1.
        "-----BEGIN PUBLIC KEY-----\n\
     MFYwEAYHKoZIzj0CAQYFK4EEAAoDQgAE0I0wJ5hEMI0PzXZ9XAWGRXWSk7mtKuBl\n\
     EJXYQuEVrPctn5WH9XPX0AzlCFBo0nRtdBrvOzwQ9eHhPuO90lJ9dw==\n\
     -----END PUBLIC KEY-----",
        "-----BEGIN PUBLIC KEY-----\n\
     MFowFAYHKoZIzj0CAQYJKyQDAwIIAQEHA0IABFIJUti0p2c8sg/1qGV1D7RHvxlD\n\
     365kkO2O1o/owZWif42wL2n5PRt30f3/2V8hIYdoafJUp8TOehVR89M4FZQ=\n\
     -----END PUBLIC KEY-----",
    ] {
        assert!(built(TokenVerifier::pem("https://id.example.com", pem)).is_none());
    }
}

/// Tools write both forms of an RSA key under the name of the other.
#[test]
fn a_pem_is_read_by_what_is_in_it() {
    let is_rsa = |key: &&Value| key["kind"] == "RSA" && is_usable(key);
    let table = table();
    let key = table.iter().find(is_rsa).unwrap();
    let pem = key["pem"].as_str().unwrap();
    assert!(pem.starts_with("-----BEGIN PUBLIC KEY-----"));
    let pem = pem.replace("PUBLIC KEY", "RSA PUBLIC KEY");
    let verifier = built(TokenVerifier::pem("https://id.example.com", pem)).unwrap();
    assert!(tokens(key, "good").all(|token| verifies(&verifier, token)));
}

/// A way to write a number of a key.
#[derive(Clone, Debug)]
struct Written {
    zeros: usize,
    is_padded: bool,
    alphabet: Alphabet,
    /// The unused bits of the last character are set.
    has_more_bits: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Alphabet {
    Url,
    Standard,
}

fn written() -> impl Strategy<Value = Written> {
    // The half of them are as the RFCs say.
    let zeros = prop_oneof![2 => Just(0_usize), 1 => 1_usize..4];
    let alphabet = prop_oneof![6 => Just(Alphabet::Url), 1 => Just(Alphabet::Standard)];
    (zeros, prop::bool::weighted(0.1), alphabet, prop::bool::weighted(0.1)).prop_map(
        |(zeros, is_padded, alphabet, has_more_bits)| Written {
            zeros,
            is_padded,
            alphabet,
            has_more_bits,
        },
    )
}

impl Written {
    /// Writes a number of a key, and returns `true` if a key may have it.
    fn write(&self, number: &mut Value, is_rsa: bool) -> bool {
        let mut bytes = vec![0; self.zeros];
        bytes.extend(URL_SAFE_NO_PAD.decode(number.as_str().unwrap()).unwrap());
        let canonical = URL_SAFE_NO_PAD.encode(&bytes);
        let mut text = match self.alphabet {
            Alphabet::Url => canonical.clone(),
            Alphabet::Standard => STANDARD_NO_PAD.encode(&bytes),
        };
        if self.has_more_bits && !bytes.len().is_multiple_of(3) {
            // The last character of a text that is not full has two or four unused bits.
            let last = text.pop().unwrap();
            text.push(char::from_u32(u32::from(last) + 1).unwrap());
        }
        if self.is_padded {
            text.push_str(["", "==", "="][bytes.len() % 3]);
        }
        // Padding and the other alphabet cannot mean anything else.
        let meant = text.trim_end_matches('=').replace('+', "-").replace('/', "_");
        let may_be_read = meant == canonical && (is_rsa || self.zeros == 0);
        *number = text.into();
        may_be_read
    }
}

/// What else a key says.
#[derive(Clone, Debug)]
struct Members {
    unknown: bool,
    usage: Option<&'static str>,
    operations: Option<&'static [&'static str]>,
    algorithm: Option<&'static str>,
    id: bool,
}

fn members() -> impl Strategy<Value = Members> {
    let usage = prop_oneof![3 => Just(None), 3 => Just(Some("sig")), 1 => Just(Some("enc"))];
    let operations: [Option<&[_]>; 4] =
        [None, Some(&["verify"]), Some(&["verify", "x"]), Some(&["sign"])];
    let operations = prop_oneof![3 => Just(None), 1 => select(operations.to_vec())];
    let algorithms = ["RS256", "PS256", "ES256", "ES384", "EdDSA", "Ed25519", "RSA-OAEP", "none"];
    let algorithm = prop_oneof![4 => Just(None), 1 => select(algorithms.to_vec()).prop_map(Some)];
    (any::<bool>(), usage, operations, algorithm, any::<bool>()).prop_map(
        |(unknown, usage, operations, algorithm, id)| Members {
            unknown,
            usage,
            operations,
            algorithm,
            id,
        },
    )
}

impl Members {
    /// Adds the members, and returns the algorithms of the signatures that the key may verify.
    fn write(&self, jwk: &mut Value, own: &[&'static str]) -> Vec<&'static str> {
        if self.unknown {
            jwk["x5t"] = "AAAA".into();
            jwk["oth"] = json!([{ "r": 1 }]);
            jwk["ext"] = true.into();
            jwk["k"] = "not of this type".into();
        }
        for (name, value) in [("use", self.usage), ("alg", self.algorithm)] {
            if let Some(value) = value {
                jwk[name] = value.into();
            }
        }
        if let Some(operations) = self.operations {
            jwk["key_ops"] = json!(operations);
        }
        if self.id {
            jwk["kid"] = "any".into();
        }
        let is_to_verify = self.operations.is_none_or(|all| all.contains(&"verify"));
        let named = |name: &&str| {
            let means =
                |algorithm: &str| algorithm == *name || (algorithm, *name) == ("Ed25519", "EdDSA");
            self.algorithm.is_none_or(means)
        };
        let is_for_signatures = self.usage != Some("enc") && is_to_verify;
        own.iter().copied().filter(|name| is_for_signatures && named(name)).collect()
    }
}

/// Returns the algorithms that a key may have.
fn algorithms(jwk: &Value) -> &'static [&'static str] {
    match (jwk["kty"].as_str().unwrap(), jwk["crv"].as_str()) {
        ("RSA", _) => &["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
        (_, Some("P-256")) => &["ES256"],
        (_, Some("P-384")) => &["ES384"],
        _ => &["EdDSA"],
    }
}

/// Returns the algorithm of a token.
fn algorithm_of(token: &str) -> String {
    let (header, _) = token.split_once('.').unwrap();
    let header: Value = serde_json::from_slice(&URL_SAFE_NO_PAD.decode(header).unwrap()).unwrap();
    header["alg"].as_str().unwrap().to_owned()
}

/// A key of a set: which one of the table, its numbers in turn, and what else it says.
fn any_key() -> impl Strategy<Value = (Index, Vec<Written>, Members)> {
    (any::<Index>(), vec(written(), 2), members())
}

proptest! {
    #[test]
    fn a_set_verifies_what_its_usable_keys_have_signed(drawn in vec(any_key(), 1..4)) {
        let table = table();
        // Keys of the same number are one key, which any of its forms makes known.
        let mut usable: Vec<(usize, &str)> = Vec::new();
        let mut set = Vec::new();
        for (index, numbers, members) in &drawn {
            let index = index.index(table.len());
            let key = &table[index];
            let mut jwk = key["jwk"].clone();
            let own = algorithms(&jwk);
            let is_rsa = jwk["kty"] == "RSA";
            let mut may_be_read = key["kind"] != "small" && is_usable(key);
            let names = ["n", "e", "x", "y"].into_iter();
            let names = names.filter(|name| key["jwk"][name].is_string());
            for (name, number) in names.zip(numbers) {
                may_be_read &= number.write(&mut jwk[name], is_rsa);
            }
            let allowed = members.write(&mut jwk, own);
            if may_be_read {
                usable.extend(allowed.iter().map(|name| (index, *name)));
            }
            set.push(jwk);
        }
        let verifier = of_set(&set);
        prop_assert_eq!(verifier.is_some(), !usable.is_empty(), "{:?}", set);
        let Some(verifier) = verifier else { return Ok(()) };
        for (index, ..) in &drawn {
            let index = index.index(table.len());
            for token in tokens(&table[index], "good") {
                let expected = usable.contains(&(index, &*algorithm_of(token)));
                prop_assert_eq!(verifies(&verifier, token), expected, "{} {:?}", token, set);
            }
            for token in tokens(&table[index], "bad") {
                prop_assert!(!verifies(&verifier, token), "{} {:?}", token, set);
            }
        }
    }
}
