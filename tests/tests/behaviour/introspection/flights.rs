//! Questions that are on their way: one for each token, and a limited number of them.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, Mutex};
use std::time::Duration;

use bytes::Bytes;
use doorward::http::Request;
use doorward::scheme::RejectionReason;
use doorward::verify::{Fetch, FetchError, Fetched};
use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio::sync::watch;

use super::{AUDIENCE, Tokens, answer, found, login, verify};

/// An issuer that answers when its gate is open. A token that begins with `good` is active.
#[derive(Clone)]
struct Gated {
    open: watch::Sender<bool>,
    asked: Arc<Mutex<HashMap<String, usize>>>,
    on_way: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
}

impl Gated {
    fn new() -> Self {
        Self {
            open: watch::Sender::new(false),
            asked: Arc::default(),
            on_way: Arc::default(),
            most: Arc::default(),
        }
    }

    fn tokens(&self) -> Tokens {
        let builder = Tokens::at("https://issuer.test/introspect", login());
        builder.audience(AUDIENCE).fetch(self.clone()).build().unwrap()
    }

    fn asked(&self) -> usize {
        self.asked.lock().unwrap().values().sum()
    }

    async fn is_asked(&self, times: usize) {
        while self.asked() < times {
            tokio::task::yield_now().await;
        }
    }
}

impl Fetch for Gated {
    async fn fetch(&self, request: Request<Bytes>, _: usize) -> Result<Fetched, FetchError> {
        let form: HashMap<String, String> =
            form_urlencoded::parse(request.body()).into_owned().collect();
        let token = &form["token"];
        *self.asked.lock().unwrap().entry(token.clone()).or_default() += 1;
        let on_way = self.on_way.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(on_way, Ordering::Relaxed);
        self.open.subscribe().wait_for(|is_open| *is_open).await?;
        self.on_way.fetch_sub(1, Ordering::Relaxed);
        let answer = match token.starts_with("good") {
            true => format!(r#"{{"active":true,"aud":"{AUDIENCE}","sub":"{token}"}}"#),
            false => r#"{"active":false}"#.to_owned(),
        };
        Ok(Fetched::new(request.uri().to_string(), answer))
    }
}

#[tokio::test]
async fn a_thousand_requests_with_one_token_are_one_question() {
    let issuer = Gated::new();
    let tokens = issuer.tokens();
    let requests = join_all((0..1000).map(|_| verify(&tokens, "good")));
    let open = async {
        issuer.is_asked(1).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        issuer.open.send_replace(true);
    };
    let (verified, ()) = tokio::join!(requests, open);
    assert!(verified.iter().all(Result::is_ok));
    assert_eq!(issuer.asked(), 1);
    // The question is over, so the next one is new.
    assert!(verify(&tokens, "good").await.is_ok());
    assert_eq!(issuer.asked(), 2);
}

#[tokio::test]
async fn a_question_goes_on_when_the_request_that_began_it_goes_away() {
    let issuer = Gated::new();
    let tokens = Arc::new(issuer.tokens());
    let request = || {
        let tokens = Arc::clone(&tokens);
        tokio::spawn(async move { verify(&tokens, "good").await })
    };
    let first = request();
    issuer.is_asked(1).await;
    let second = request();
    tokio::task::yield_now().await;
    first.abort();
    assert!(first.await.unwrap_err().is_cancelled());
    // There is no request for a while, but the question is on its way.
    second.abort();
    assert!(second.await.unwrap_err().is_cancelled());
    let third = request();
    tokio::task::yield_now().await;
    issuer.open.send_replace(true);
    assert!(third.await.unwrap().is_ok());
    assert_eq!(issuer.asked(), 1);
}

/// No answer that came while no request waited is used later.
#[tokio::test]
async fn an_answer_for_no_request_is_not_kept() {
    let issuer = Gated::new();
    let tokens = Arc::new(issuer.tokens());
    let first = {
        let tokens = Arc::clone(&tokens);
        tokio::spawn(async move { verify(&tokens, "good").await })
    };
    issuer.is_asked(1).await;
    first.abort();
    issuer.open.send_replace(true);
    while issuer.on_way.load(Ordering::Relaxed) > 0 {
        tokio::task::yield_now().await;
    }
    tokio::task::yield_now().await;
    assert!(verify(&tokens, "good").await.is_ok());
    assert_eq!(issuer.asked(), 2);
}

/// A token that was forgotten while the answer about it was on its way is not remembered after all,
/// because the answer may be from before its user logged out.
#[tokio::test]
async fn an_answer_to_a_question_from_before_a_token_was_forgotten_is_not_remembered() {
    for (is_forgotten, asked) in [(false, 1), (true, 2)] {
        for token in ["good", "bad"] {
            let issuer = Gated::new();
            let builder = Tokens::at("https://issuer.test/introspect", login());
            let builder = builder.audience(AUDIENCE).fetch(issuer.clone());
            let tokens = builder.remember(64 << 10, Duration::from_secs(3600)).build().unwrap();
            let forget = async {
                issuer.is_asked(1).await;
                if is_forgotten {
                    // None of the tokens that are remembered by now.
                    tokens.forget(|_| false);
                }
                issuer.open.send_replace(true);
            };
            let (verified, ()) = tokio::join!(verify(&tokens, token), forget);
            assert_eq!(verified.is_ok(), token == "good");
            // A refusal is remembered for a second only, so a slow machine may ask again.
            assert_eq!(verify(&tokens, token).await.is_ok(), token == "good");
            if token == "good" || is_forgotten {
                assert_eq!(issuer.asked(), asked, "{token}");
            }
        }
    }
}

/// Asks with two requests for each token, and has both go away at the same time, each on its thread.
fn leave_in_pairs(tokens: &Arc<Tokens>, issuer: &Spawning, names: &[String]) {
    let runtime = tokio::runtime::Handle::current();
    let both = Barrier::new(2);
    let leave = || {
        let _entered = runtime.enter();
        let requests = names.iter().map(|name| {
            let (tokens, name) = (Arc::clone(tokens), name.clone());
            let mut request = Box::pin(async move { verify(&tokens, &name).await });
            assert!(request.as_mut().now_or_never().is_none());
            request
        });
        for request in Vec::from_iter(requests) {
            both.wait();
            drop(request);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(leave);
        scope.spawn(leave);
    });
    assert_eq!(issuer.asked.swap(0, Ordering::Relaxed), names.len());
}

/// An issuer whose client goes on by itself, as that of reqwest does.
#[derive(Clone)]
struct Spawning {
    open: watch::Sender<bool>,
    is_active: Arc<AtomicBool>,
    asked: Arc<AtomicUsize>,
}

impl Fetch for Spawning {
    async fn fetch(&self, request: Request<Bytes>, _: usize) -> Result<Fetched, FetchError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let issuer = self.clone();
        let answered = tokio::spawn(async move {
            let _ = issuer.open.subscribe().wait_for(|is_open| *is_open).await;
            let is_active = issuer.is_active.load(Ordering::Relaxed);
            format!(r#"{{"active":{is_active},"aud":"{AUDIENCE}","sub":"a"}}"#)
        });
        Ok(Fetched::new(request.uri().to_string(), answered.await?))
    }
}

/// When two requests go away at once, their question is not lost: it takes no place for ever, and no
/// later request reads its answer, which would let a token in that was revoked meanwhile.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_pairs_that_go_away_at_once_no_question_is_lost() {
    let issuer = Spawning {
        open: watch::Sender::new(false),
        is_active: Arc::new(AtomicBool::new(true)),
        asked: Arc::default(),
    };
    let builder = Tokens::at("https://issuer.test/introspect", login()).audience(AUDIENCE);
    let tokens = Arc::new(builder.fetch(issuer.clone()).build().unwrap());
    for round in 0..100 {
        let names = Vec::from_iter((0..200).map(|index| format!("token-{round}-{index}")));
        issuer.open.send_replace(false);
        issuer.is_active.store(true, Ordering::Relaxed);
        leave_in_pairs(&tokens, &issuer, &names);
        issuer.open.send_replace(true);
        // The questions go on as tasks, until they are answered.
        while tokio::runtime::Handle::current().metrics().num_alive_tasks() > 0 {
            tokio::task::yield_now().await;
        }
        issuer.is_active.store(false, Ordering::Relaxed);
        let verified = join_all(names.iter().map(|name| verify(&tokens, name))).await;
        let refused = Err(RejectionReason::Invalid);
        assert!(verified.iter().all(|verified| *verified == refused), "{round}");
        assert_eq!(issuer.asked.swap(0, Ordering::Relaxed), names.len(), "{round}");
    }
    // Each place is free.
    let names = Vec::from_iter((0..256).map(|index| format!("new-{index}")));
    let verified = join_all(names.iter().map(|name| verify(&tokens, name))).await;
    assert!(verified.iter().all(|verified| *verified == Err(RejectionReason::Invalid)));
}

#[tokio::test]
async fn invented_tokens_do_not_keep_good_ones_out() {
    let issuer = Gated::new();
    let tokens = issuer.tokens();
    issuer.open.send_replace(true);
    let good = || (0..100).map(|number| format!("good-{number}"));
    for token in good() {
        assert!(verify(&tokens, &token).await.is_ok());
    }
    issuer.open.send_replace(false);
    issuer.asked.lock().unwrap().clear();
    issuer.most.store(0, Ordering::Relaxed);

    let invented = Vec::from_iter((0..1000).map(|number| format!("invented-{number}")));
    let refused = join_all(invented.iter().map(|token| found(&tokens, token)));
    let good = Vec::from_iter(good());
    let good = join_all(good.iter().map(|token| verify(&tokens, token)));
    let open = async {
        issuer.is_asked(356).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
        assert_eq!(issuer.most.load(Ordering::Relaxed), 356);
        issuer.open.send_replace(true);
    };
    let (refused, good, ()) = tokio::join!(refused, good, open);
    assert!(good.iter().all(Result::is_ok), "{good:?}");
    let refused = refused.into_iter().map(|refused| answer(refused.unwrap_err()));
    let (asked, full): (Vec<_>, Vec<_>) = refused.partition(|(status, _)| *status == 401);
    assert_eq!((asked.len(), full.len()), (256, 744));
    assert!(full.iter().all(|refused| *refused == (503, Some(1))));
    assert_eq!(issuer.asked(), 356);
    // There is room again.
    assert_eq!(verify(&tokens, "invented").await, Err(RejectionReason::Invalid));
}

#[tokio::test]
async fn a_fetcher_that_panics_refuses_no_token() {
    let calls = Arc::new(AtomicUsize::new(0));
    let tokens = Tokens::at("https://issuer.test/introspect", login()).audience(AUDIENCE);
    let tokens = tokens.fetch(Panics(Arc::clone(&calls))).build().unwrap();
    for _ in 0..2 {
        assert_eq!(verify(&tokens, "good").await, Err(RejectionReason::Unavailable));
    }
    assert_eq!(calls.load(Ordering::Relaxed), 2);
}

struct Panics(Arc<AtomicUsize>);

impl Fetch for Panics {
    async fn fetch(&self, _: Request<Bytes>, _: usize) -> Result<Fetched, FetchError> {
        self.0.fetch_add(1, Ordering::Relaxed);
        panic!("a fetcher")
    }
}
