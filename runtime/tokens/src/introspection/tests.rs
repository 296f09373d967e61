//! What is remembered, under a clock: a slow model gives the same answers.

use core::cell::Cell;
use core::time::Duration;

use futures_util::FutureExt as _;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;
use crate::clock::instant;

thread_local! {
    static START: Instant = instant();
    static PASSED: Cell<u64> = const { Cell::new(0) };
}

/// The time in milliseconds at which each test begins, by the clock of the calendar.
const BEGIN: u64 = 1_000_000_000_000;

fn now() -> Now {
    let passed = PASSED.get();
    Now {
        instant: START.with(|start| *start + Duration::from_millis(passed)),
        seconds: (Duration::from_millis(BEGIN + passed)).as_secs_f64(),
    }
}

#[derive(Clone, Copy, Debug)]
enum Step {
    /// A request with this token.
    Verify(usize),
    /// From now on the token is active, and expires after this time.
    Issue(usize, u64),
    Revoke(usize),
    Forget(usize),
    Pass(u64),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let token = || 0..TOKENS;
    let step = prop_oneof![
        5 => token().prop_map(Step::Verify),
        2 => (token(), 0..5000_u64).prop_map(|(token, lifetime)| Step::Issue(token, lifetime)),
        1 => token().prop_map(Step::Revoke),
        1 => token().prop_map(Step::Forget),
        3 => (0..1500_u64).prop_map(Step::Pass),
    ];
    prop::collection::vec(step, 1..60)
}

const TOKENS: usize = 4;

/// A token as the model remembers it: whether it was active, and until when that counts.
#[derive(Clone, Copy, Default)]
struct Kept {
    active_until: u64,
    refused_until: u64,
}

proptest! {
    #[test]
    fn a_slow_model_remembers_the_same(steps in steps(), duration in 1..4000_u64) {
        PASSED.set(0);
        let issuer = TestIssuer::new("a");
        let remember = issuer.verifier::<Value>().leeway(Duration::ZERO);
        let remember = remember.remember(1 << 20, Duration::from_millis(duration));
        let mut tokens = remember.build().unwrap();
        Arc::get_mut(&mut tokens.0).unwrap().now = now;
        let mut expiry = [None::<u64>; TOKENS];
        let mut kept = [Kept::default(); TOKENS];
        let mut asked = 0;
        for step in steps {
            let passed = PASSED.get();
            match step {
                Step::Pass(more) => PASSED.set(passed + more),
                Step::Issue(token, lifetime) => {
                    expiry[token] = Some(passed + lifetime);
                    let exp = Duration::from_millis(BEGIN + passed + lifetime).as_secs_f64();
                    let sub = token.to_string();
                    issuer.answer(
                        &*sub,
                        json!({ "active": true, "aud": "a", "sub": sub, "exp": exp }),
                    );
                }
                Step::Revoke(token) => {
                    expiry[token] = None;
                    issuer.revoke(&BearerToken::try_from(&*token.to_string()).unwrap());
                }
                Step::Forget(token) => {
                    kept[token].active_until = 0;
                    let sub = token.to_string();
                    tokens.forget(|claims| claims["sub"].as_str() == Some(&sub));
                }
                Step::Verify(token) => {
                    let kept = &mut kept[token];
                    let is_accepted = if passed < kept.active_until {
                        true
                    } else if passed < kept.refused_until {
                        false
                    } else {
                        asked += 1;
                        let exp = expiry[token].filter(|exp| passed < *exp);
                        match exp {
                            Some(exp) => kept.active_until = exp.min(passed + duration),
                            None => kept.refused_until = passed + duration.min(1000),
                        }
                        exp.is_some()
                    };
                    let sent = BearerToken::try_from(&*token.to_string()).unwrap();
                    let verified = tokens.verify(&sent, SecurityScopes::NONE).now_or_never();
                    prop_assert_eq!(verified.unwrap().is_ok(), is_accepted);
                    prop_assert_eq!(issuer.asked(), asked);
                }
            }
        }
    }
}
