//! Measures the time of verifying a token, next to `jsonwebtoken` alone and to peers. Checks the
//! bars, which are ratios of this run, and fails if one is missed.

mod contenders;
mod issuer;
#[cfg(feature = "aws-lc")]
mod proofs;
mod threads;

use std::time::{Duration, Instant};

use jsonwebtoken::Algorithm;

use crate::contenders::{
    Contender, FIRST, FIRST_OF_REMEMBERED, Input, JSONWEBTOKEN, PEERS, REMEMBERED,
};
use crate::issuer::Issuer;

/// Each algorithm, the ratio of a new token to `jsonwebtoken` at most, and how much longer than a
/// remembered token `jsonwebtoken` takes at least. Where it takes 17 µs, 42 µs and 28 µs, a
/// remembered token takes 2 µs at most. With ES256, a ready key saves AWS-LC 1 to 2 % only.
#[cfg(feature = "aws-lc")]
const ALGORITHMS: [(Algorithm, f64, f64); 3] =
    [(Algorithm::RS256, 0.9, 8.5), (Algorithm::ES256, 0.98, 21.0), (Algorithm::EdDSA, 1.1, 14.0)];
/// RSA is another version of the library, where 70 µs are 0.38 of what `jsonwebtoken` takes.
#[cfg(not(feature = "aws-lc"))]
const ALGORITHMS: [(Algorithm, f64, f64); 3] =
    [(Algorithm::RS256, 0.42, 8.5), (Algorithm::ES256, 1.1, 21.0), (Algorithm::EdDSA, 1.1, 14.0)];
/// The number of tokens. All are different, and no cache of a processor's core holds them.
const TOKENS: usize = 5_000;
/// The number of tokens that a contender verifies between two looks at the clock.
const BATCH: usize = 50;

fn main() {
    // The backend that doorward names, for the others that use `jsonwebtoken`.
    #[cfg(feature = "aws-lc")]
    let backend = &jsonwebtoken::crypto::aws_lc::DEFAULT_PROVIDER;
    #[cfg(not(feature = "aws-lc"))]
    let backend = &jsonwebtoken::crypto::rust_crypto::DEFAULT_PROVIDER;
    let installed = backend.install_default();
    installed.expect("the first backend of the process");

    threads::print();
    let columns = ALGORITHMS.map(|(algorithm, ..)| Column::measure(algorithm));
    println!("| Time (µs) | RS256 | ES256 | EdDSA |\n|---|--:|--:|--:|");
    for (index, (name, _)) in columns[0].times.iter().enumerate() {
        let times = columns.each_ref().map(|column| column.times[index].1);
        let [rs256, es256, eddsa] = times.map(|time| time.as_secs_f64() * 1e6);
        println!("| {name} | {rs256:.2} | {es256:.2} | {eddsa:.2} |");
    }
    println!();
    #[cfg(feature = "aws-lc")]
    let mut missed = proofs::missed();
    #[cfg(not(feature = "aws-lc"))]
    let mut missed = 0;
    for (column, (_, first, longer)) in columns.iter().zip(ALGORITHMS) {
        missed += column.missed(FIRST, JSONWEBTOKEN, first);
        missed += column.missed(FIRST_OF_REMEMBERED, JSONWEBTOKEN, 1.1);
        missed += column.missed(REMEMBERED, JSONWEBTOKEN, 1.0 / longer);
        for &peer in PEERS {
            missed += column.missed(REMEMBERED, peer, 1.0 / 10.0);
        }
    }
    if missed > 0 {
        println!("{missed} bars are missed");
        std::process::exit(1);
    }
}

/// The time of a token with one algorithm, for each contender.
struct Column {
    algorithm: Algorithm,
    times: Vec<(&'static str, Duration)>,
}

impl Column {
    fn measure(algorithm: Algorithm) -> Self {
        let issuer = Issuer::new(algorithm);
        let tokens: Vec<_> = (0..TOKENS).map(|user| issuer.token(user)).collect();
        let contenders = contenders::all(&issuer, &tokens);
        for contender in &contenders {
            check(contender, &issuer);
        }
        let names = contenders.iter().map(|contender| contender.name);
        let times = fastest(&contenders, &tokens);
        Self { algorithm, times: names.zip(times).collect() }
    }

    fn seconds(&self, name: &str) -> f64 {
        let mut found = self.times.iter().filter(|(found, _)| *found == name);
        found.next().expect("a contender").1.as_secs_f64()
    }

    /// Prints a bar with its measurement, and returns the number of missed bars.
    fn missed(&self, ours: &str, other: &str, at_most: f64) -> usize {
        let ratio = self.seconds(ours) / self.seconds(other);
        let holds = ratio <= at_most;
        let verdict = if holds { "holds " } else { "MISSED" };
        let algorithm = self.algorithm;
        println!("{verdict}  {algorithm:?}: {ours} / {other}: {ratio:.3} (at most {at_most:.3})");
        usize::from(!holds)
    }
}

/// Checks that a contender verifies: it accepts a token, and refuses it with another's signature.
fn check(contender: &Contender, issuer: &Issuer) {
    let [token, another] = [TOKENS, TOKENS + 1].map(|user| issuer.token(user));
    let (message, _) = token.rsplit_once('.').expect("a signature");
    let (_, signature) = another.rsplit_once('.').expect("a signature");
    let forged = format!("{message}.{signature}");
    let accepts = |token: &str| contender.accepts(&mut Input::new(token));
    assert!(accepts(&token), "{}", contender.name);
    assert!(!accepts(&forged), "{}", contender.name);
}

/// Returns the time of a token for each contender, in its fastest batch: other programs on the
/// machine only add time. The contenders take turns, so a slow phase of the machine meets all.
fn fastest(contenders: &[Contender], tokens: &[String]) -> Vec<Duration> {
    let mut times = vec![Duration::MAX; contenders.len()];
    for (round, batch) in tokens.chunks_exact(BATCH).enumerate() {
        for turn in 0..contenders.len() {
            let index = (round + turn) % contenders.len();
            let mut inputs: Vec<_> = batch.iter().map(|token| Input::new(token)).collect();
            let start = Instant::now();
            let accepted = inputs.iter_mut().all(|input| contenders[index].accepts(input));
            times[index] = times[index].min(start.elapsed());
            assert!(accepted, "{}", contenders[index].name);
        }
    }
    let batch = u32::try_from(BATCH).expect("a small number");
    times.into_iter().map(|time| time / batch).collect()
}
