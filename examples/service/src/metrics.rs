//! What was decided about requests, for Prometheus, on a listener of its own that no proxy reaches.

use std::fmt::Debug;

use doorward::{axum08::Router, axum08::routing::get, public};
use metrics::{Label, counter};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tokio::net::TcpListener;
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::layer::{Context, Layer};
use tracing_subscriber::{filter::Targets, registry::LookupSpan};

use crate::error::Result;

/// Counts decisions by all that their events say, which is written in the program, and numbers.
pub(crate) fn counter<S: Subscriber + for<'a> LookupSpan<'a>>() -> impl Layer<S> {
    Count.with_filter(Targets::new().with_target("doorward::decision", Level::DEBUG))
}

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

/// Listens at an address, and begins to count.
pub(crate) async fn listen(address: &str) -> Result<(TcpListener, PrometheusHandle)> {
    let listener = TcpListener::bind(address).await;
    let listener = listener.map_err(|error| format!("{address}: {error}"))?;
    let counted = PrometheusBuilder::new().install_recorder();
    Ok((listener, counted.map_err(|error| error.to_string())?))
}

/// Serves what was counted, until the program ends.
pub(crate) async fn serve(listener: TcpListener, counted: PrometheusHandle) -> std::io::Result<()> {
    let render = async move || counted.render();
    let metrics = public("only who operates the service reaches this listener", render);
    axum::serve(listener, Router::<()>::new().route("/metrics", get(metrics))).await
}
