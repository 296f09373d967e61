//! The events of decisions, as JSON.

use core::fmt::{self, Debug};

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, SubscriberExt};

/// Returns a subscriber that passes each event on.
pub fn subscriber(
    each: impl Fn(Value) + Send + Sync + 'static,
) -> impl Subscriber + Send + Sync + 'static {
    let decisions = Targets::new().with_target("doorward::decision", Level::DEBUG);
    tracing_subscriber::registry().with(Decisions(each).with_filter(decisions))
}

struct Decisions<F>(F);

impl<F> Debug for Decisions<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Decisions")
    }
}

impl<S: Subscriber, F: Fn(Value) + 'static> Layer<S> for Decisions<F> {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        (self.0)(Value::Object(fields.0));
    }
}

#[derive(Default)]
struct Fields(Map<String, Value>);

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.0.insert(field.name().to_owned(), value.into());
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}").into());
    }
}
