//! The time of a remembered token if one thread verifies, and if each core has one that does.

use std::num::NonZero;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use jsonwebtoken::Algorithm;
use doorward::BearerToken;

use crate::contenders::Remembered;
use crate::issuer::Issuer;

/// The number of tokens that are taken in turn.
const TOKENS: usize = 1_000;
/// How often a thread verifies.
const TIMES: u32 = 400_000;

/// Prints the times, for one token that all threads ask about, and for tokens that they take in
/// turn.
pub(crate) fn print() {
    let issuer = Issuer::new(Algorithm::RS256);
    let tokens = (0..TOKENS).map(|user| BearerToken::try_from(&*issuer.token(user)));
    let tokens: Vec<_> = tokens.map(|token| token.expect("a token")).collect();
    let remembered = Remembered::new(&issuer);
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    println!("| Time (µs) of a remembered token | 1 thread | {cores} threads |\n|---|--:|--:|");
    for tokens in [&tokens[..1], &tokens[..]] {
        assert!(tokens.iter().all(|token| remembered.accepts(token)));
        let [alone, together] =
            [1, cores].map(|threads| time(threads, &remembered, tokens).as_secs_f64() * 1e6);
        println!("| tokens: {} | {alone:.2} | {together:.2} |", tokens.len());
    }
    println!();
}

/// Returns the time of a token in the slowest of so many threads.
fn time(threads: usize, remembered: &Remembered, tokens: &[BearerToken]) -> Duration {
    let all_ready = Barrier::new(threads);
    let slowest = thread::scope(|scope| {
        let started = Vec::from_iter((0..threads).map(|first| {
            let all_ready = &all_ready;
            scope.spawn(move || {
                let mut tokens = tokens.iter().cycle().skip(first * tokens.len() / threads);
                all_ready.wait();
                let start = Instant::now();
                for _ in 0..TIMES {
                    assert!(tokens.next().is_some_and(|token| remembered.accepts(token)));
                }
                start.elapsed()
            })
        }));
        let times = started.into_iter().map(|thread| thread.join().expect("a time"));
        times.max().expect("a thread")
    });
    slowest / TIMES
}
