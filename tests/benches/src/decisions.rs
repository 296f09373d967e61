//! Decisions about requests, if nobody listens, and if somebody reads each field.

use std::cell::RefCell;
use std::fmt::Debug;
use std::hint::black_box;

use doorward::{BearerToken, dependency, http_bearer, plan};
use http::Request;
use http::request::Parts;
use tracing::callsite::rebuild_interest_cache;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

use crate::{Contender, Named, bearer, ready};

#[http_bearer]
struct Api;

#[dependency]
async fn user(#[security(Api)] token: BearerToken) -> usize {
    token.as_str().len()
}

/// Returns a request that is let in, and one that is refused.
#[must_use]
pub fn inputs() -> [Named<RefCell<Parts>>; 2] {
    [("let in", "Bearer t0k3n"), ("refused", "Basic t0k3n")].map(|(name, line)| {
        let (mut head, ()) = Request::new(()).into_parts();
        head.headers = bearer::headers(line);
        (name, RefCell::new(head))
    })
}

/// A listener that reads each field, and does nothing else.
struct Reads;

impl Subscriber for Reads {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "doorward::decision"
    }

    fn max_level_hint(&self) -> Option<LevelFilter> {
        Some(LevelFilter::DEBUG)
    }

    fn event(&self, event: &Event<'_>) {
        event.record(&mut Each);
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &Record<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

struct Each;

impl Visit for Each {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        black_box((field.name(), value));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        black_box((field.name(), value));
    }
}

/// Decides about a request as often.
fn decide(head: &RefCell<Parts>, times: usize) {
    for _ in 0..times {
        let _ = black_box(ready(plan!(user).resolve(&mut head.borrow_mut())));
    }
}

fn heard(head: &RefCell<Parts>, times: usize) {
    tracing::subscriber::with_default(Reads, || decide(head, times));
    // Otherwise, the other tables would be measured as if somebody listened.
    rebuild_interest_cache();
}

/// Where nobody listens, once and 101 times.
pub const UNHEARD: [&str; 2] = ["nobody listens, once", "nobody listens, 101 times"];
/// Where somebody does.
pub const HEARD: [&str; 2] = ["somebody listens, once", "somebody listens, 101 times"];

/// All of them. What one decision costs is a hundredth of a difference.
pub const ALL: [Contender<RefCell<Parts>>; 4] = [
    Contender::new(UNHEARD[0], |head| decide(head, 1)),
    Contender::new(UNHEARD[1], |head| decide(head, 101)),
    Contender::new(HEARD[0], |head| heard(head, 1)),
    Contender::new(HEARD[1], |head| heard(head, 101)),
];
