//! The time of a request whose token is bound to a key: of the token and its proof, next to
//! `huskarl-resource-server`.

use std::hint::black_box;
use std::time::{Duration, Instant};

use doorward::jwt::TokenVerifier;
use doorward::verify::{KeyBound, Presented, Verify as _};
use doorward::{Scheme, http_bearer, security_scopes};
use http::request::Parts;
use http::{Request, Uri};
use jsonwebtoken::Algorithm;

use crate::contenders::{Claims, huskarl, ready, verifier};
use crate::issuer::{AUDIENCE, Issuer, SCOPE};

type Tokens = KeyBound<TokenVerifier<Claims>>;

#[http_bearer(dpop, verified = Claims, by = Tokens)]
struct Api;

const URL: &str = "https://api.example.com/items";

/// How much longer than `huskarl-resource-server` a request may take.
const AT_MOST: f64 = 1.05;

/// The number of proofs, each of which is good once, and of those between two looks at the clock.
const PROOFS: usize = 4_000;
const BATCH: usize = 50;

/// Prints the times for each algorithm of a proof, and returns the number of missed bars.
pub(crate) fn missed() -> usize {
    println!(
        "| Time (µs) of a token by EdDSA and its proof | doorward | huskarl-resource-server |\n|---|--:|--:|"
    );
    let issuer = Issuer::new(Algorithm::EdDSA);
    let algorithms = [Algorithm::RS256, Algorithm::ES256, Algorithm::EdDSA];
    let missed = algorithms.map(|algorithm| {
        let [ours, theirs] = times(&issuer, algorithm).map(|time| time.as_secs_f64() * 1e6);
        println!("| a proof by {algorithm:?} | {ours:.2} | {theirs:.2} |");
        ours > theirs * AT_MOST
    });
    println!();
    for (algorithm, _) in algorithms.iter().zip(missed).filter(|(_, missed)| *missed) {
        println!("MISSED  {algorithm:?}: a proof takes more than {AT_MOST} of huskarl's time");
    }
    missed.iter().filter(|missed| **missed).count()
}

fn times(issuer: &Issuer, algorithm: Algorithm) -> [Duration; 2] {
    let client = Issuer::new(algorithm);
    let heads = (0..PROOFS).map(|number| head(issuer, &client, number));
    let heads = Vec::from_iter(heads);
    // No token is remembered.
    let ours = KeyBound::new(verifier(issuer, 0), AUDIENCE).expect("a URL");
    let theirs = huskarl::verifier(issuer);
    let url = Uri::from_static(URL);
    let by_ours = |head: Parts| {
        let token = Api::authenticate(&head).expect("a token");
        let verified = ready(ours.verify(Presented::of(token, head), security_scopes![SCOPE]));
        black_box(&verified).is_ok()
    };
    let by_theirs = |head: Parts| theirs(&head.headers, &head.method, &url);
    let verify: [&dyn Fn(Parts) -> bool; 2] = [&by_ours, &by_theirs];
    let other = head(issuer, &Issuer::new(algorithm), PROOFS);
    let mut mixed = heads[0].clone();
    mixed.headers.insert("dpop", other.headers["dpop"].clone());
    assert!(verify.iter().all(|verify| !verify(mixed.clone())), "a proof of another key");
    let mut times = [Duration::MAX; 2];
    for (round, batch) in heads.chunks_exact(BATCH).enumerate() {
        for turn in 0..2 {
            let index = (round + turn) % 2;
            let batch = Vec::from_iter(batch.iter().cloned());
            let start = Instant::now();
            let accepted = batch.into_iter().all(|head| verify[index](head));
            times[index] = times[index].min(start.elapsed());
            assert!(accepted, "{index}");
        }
    }
    times.map(|time| time / u32::try_from(BATCH).expect("a small number"))
}

/// Returns the head of a request with a token and its proof.
fn head(issuer: &Issuer, client: &Issuer, number: usize) -> Parts {
    let token = issuer.bound_token(number, client);
    let request = Request::get("/items")
        .header("authorization", format!("DPoP {token}"))
        .header("dpop", client.proof(number, URL, &token));
    request.body(()).expect("a head").into_parts().0
}
