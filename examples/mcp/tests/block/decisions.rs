//! Each call of a secured tool, prompt or resource is one decision, which names it.

use std::sync::LazyLock;

use doorward::layer;
use serde_json::json;
use tracing::{Dispatch, Level, subscriber::NoSubscriber};

use crate::client::Client;
use crate::lists::Log;
use crate::{Claims, Notebook, Notes};

/// A second subscriber. With one alone, `tracing` asks the thread that is the first to reach an event
/// whether anybody listens, and keeps the answer for all threads.
pub(crate) static SECOND: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::new()));

#[tokio::test]
async fn each_call_is_one() {
    LazyLock::force(&SECOND);
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt().with_max_level(Level::DEBUG).without_time();
    let subscriber = subscriber.with_ansi(false).with_writer(move || writer.clone()).finish();
    let _guard = tracing::subscriber::set_default(subscriber);
    let open = Client::of::<Claims, _>(Notes::default()).await;
    let behind = Client::behind::<Claims, _, _>(layer!(Notebook), Notes::default()).await;
    let lacks = |name: &str, required: &str| {
        format!(
            "outcome=\"refused\" place=\"late\" handler=\"{name}\" reason=\"insufficient_scope\" scheme=\"Notebook\" required=\"{required}\" status=403"
        )
    };
    let let_in = |place: &str, name: &str| {
        format!("outcome=\"let_in\" place=\"{place}\" handler=\"{name}\"")
    };
    for (method, params, scopes, expected) in [
        ("tools/call", json!({ "name": "list_notes" }), "other", lacks("list_notes", "notes:read")),
        ("tools/call", json!({ "name": "list_notes" }), "admin", let_in("late", "list_notes")),
        (
            "tools/call",
            json!({ "name": "clear all" }),
            "notes:read",
            lacks("clear all", "notes:write"),
        ),
        ("prompts/get", json!({ "name": "sum_up" }), "other", lacks("sum_up", "notes:read")),
        (
            "resources/read",
            json!({ "uri": "note://t0ps3cret" }),
            "notes:read",
            lacks("read_resource", "notes:read notes:write"),
        ),
    ] {
        for (client, layer) in [(&open, None), (&behind, Some(let_in("layer", "Notebook")))] {
            log.take();
            let answer = client.call(scopes, method, &params).await;
            assert_eq!(answer.status == 200, expected.contains("let_in"), "{params}");
            let log = log.take();
            let decisions = log.lines().filter_map(|line| line.split_once("doorward::decision: "));
            let decisions = Vec::from_iter(decisions.map(|(_, fields)| fields.to_owned()));
            let expected = Vec::from_iter(layer.into_iter().chain([expected.clone()]));
            assert_eq!(decisions, expected, "{log}");
            // rmcp's own events name the resource.
            assert!(!decisions.concat().contains("t0ps3cret"), "{log}");
        }
    }
}
