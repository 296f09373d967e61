//! Decisions about requests, if nobody listens, and if somebody reads each field.

use std::cell::RefCell;
use std::fmt::Debug;
use std::hint::black_box;

use doorward::{BearerToken, dependency, http_bearer, plan};
use http::Request;
use http::request::Parts;
use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::span::{Attributes, Id, Record};
use tracing::subscriber::with_default;
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

/// A decision, once and 101 times.
pub const NAMES: [&str; 2] = ["once", "101 times"];

/// Where nobody listens. What one decision costs is a hundredth of a difference.
pub const UNHEARD: [Contender<RefCell<Parts>>; 2] = [
    Contender::new(NAMES[0], |head| decide(head, 1)),
    Contender::new(NAMES[1], |head| decide(head, 101)),
];

/// Where somebody does. For the rest of the process, tracing takes it that somebody may listen.
pub const HEARD: [Contender<RefCell<Parts>>; 2] = [
    Contender::new(NAMES[0], |head| with_default(Reads, || decide(head, 1))),
    Contender::new(NAMES[1], |head| with_default(Reads, || decide(head, 101))),
];
