use std::fmt::Debug;

use opentelemetry::metrics::Counter;
use opentelemetry::{KeyValue, global};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::registry::LookupSpan;

struct Count(Counter<u64>);

impl<S: Subscriber> Layer<S> for Count {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut labels = Labels(Vec::new());
        event.record(&mut labels);
        self.0.add(1, &labels.0);
    }
}

struct Labels(Vec<KeyValue>);

impl Visit for Labels {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let value = format!("{value:?}").replace('"', "");
        self.0.push(KeyValue::new(field.name(), value));
    }
}

/// After the meter provider of the service is set.
fn layer<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    let counter = global::meter("doorward").u64_counter("doorward.decisions").build();
    Count(counter).with_filter(Targets::new().with_target("doorward::decision", Level::DEBUG))
}

#[test]
fn each_decision_is_counted() {
    use opentelemetry_sdk::metrics::data::{AggregatedMetrics, MetricData};
    use opentelemetry_sdk::metrics::{InMemoryMetricExporter, SdkMeterProvider};

    let exporter = InMemoryMetricExporter::default();
    let provider = SdkMeterProvider::builder().with_periodic_exporter(exporter.clone()).build();
    global::set_meter_provider(provider.clone());
    super::decide(layer());
    // It sees fields of other names alone.
    super::decide(tracing_opentelemetry::MetricsLayer::new(provider.clone()));
    provider.force_flush().unwrap();
    let mut counted = Vec::new();
    for metrics in exporter.get_finished_metrics().unwrap() {
        for metric in metrics.scope_metrics().flat_map(|scope| scope.metrics()) {
            let AggregatedMetrics::U64(MetricData::Sum(sum)) = metric.data() else { panic!() };
            counted.extend(sum.data_points().map(|point| {
                let reason = point.attributes().find(|label| label.key.as_str() == "reason");
                (metric.name().to_owned(), reason.map(|label| label.value.to_string()), point.value())
            }));
        }
    }
    counted.sort();
    let name = || "doorward.decisions".to_owned();
    assert_eq!(counted, [(name(), None, 1), (name(), Some("missing".to_owned()), 2)]);
}
