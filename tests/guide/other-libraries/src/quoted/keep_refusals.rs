use std::fmt::Debug;
use std::fs::File;
use std::sync::Mutex;

use tracing::field::{Field, Visit};
use tracing::level_filters::LevelFilter;
use tracing::{Event, Metadata, Subscriber};
use tracing_subscriber::filter::FilterExt;
use tracing_subscriber::layer::{Context, Filter, Layer};
use tracing_subscriber::registry::LookupSpan;

struct Refusal(bool);

impl<S> Filter<S> for Refusal {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        metadata.is_span() || metadata.target() == "doorward::decision"
    }

    fn event_enabled(&self, event: &Event<'_>, _: &Context<'_, S>) -> bool {
        let mut refusal = Refusal(false);
        event.record(&mut refusal);
        refusal.0
    }
}

impl Visit for Refusal {
    fn record_debug(&mut self, field: &Field, _: &dyn Debug) {
        self.0 |= field.name() == "status"; // only refusals have one
    }
}

fn audit<S: Subscriber + for<'a> LookupSpan<'a>>(file: File) -> impl Layer<S> {
    let lines = tracing_subscriber::fmt::layer().json().flatten_event(true);
    lines.with_writer(Mutex::new(file)).with_filter(Refusal(false).and(LevelFilter::DEBUG))
}

#[test]
fn each_refusal_is_a_line() {
    let path = std::env::temp_dir().join(format!("refusals-{}.jsonl", std::process::id()));
    super::decide(audit(File::create(&path).unwrap()));
    let lines = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    let lines = Vec::from_iter(lines.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(line["timestamp"].is_string() && line["target"] == "doorward::decision");
        assert_eq!(line["span"]["user"], "johndoe");
        (line["reason"].clone(), line["status"].clone())
    }));
    assert_eq!(lines, vec![("missing".into(), 401.into()); 2]);
}
