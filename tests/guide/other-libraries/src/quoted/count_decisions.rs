use std::fmt::Debug;

use metrics::{Label, counter};
use metrics_exporter_prometheus::{BuildError, PrometheusBuilder};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::prelude::*;

struct Count;

impl<S: Subscriber> Layer<S> for Count {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut labels = Labels(Vec::new());
        event.record(&mut labels);
        counter!("doorward_decisions_total", labels.0).increment(1);
    }
}

struct Labels(Vec<Label>);

impl Visit for Labels {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let value = format!("{value:?}").replace('"', "");
        self.0.push(Label::new(field.name(), value));
    }
}

fn main() -> Result<(), BuildError> {
    let decisions = Targets::new().with_target("doorward::decision", Level::DEBUG);
    tracing_subscriber::registry().with(Count.with_filter(decisions)).init();
    PrometheusBuilder::new().with_http_listener(([127, 0, 0, 1], 9100)).install()
}

#[test]
fn each_decision_is_counted() {
    let _ = main as fn() -> _;
    let recorder = PrometheusBuilder::new().build_recorder();
    let metrics = recorder.handle();
    metrics::with_local_recorder(&recorder, || super::decide(Count));
    let text = metrics.render();
    let [refused, let_in] = [
        r#"outcome="refused",place="plan",handler="change",reason="missing",scheme="Api",required="notes:write",status="401"} 2"#,
        r#"outcome="let_in",place="plan",handler="change"} 1"#,
    ];
    for line in [refused, let_in] {
        assert!(text.contains(&format!("doorward_decisions_total{{{line}\n")), "{text}");
    }
}
