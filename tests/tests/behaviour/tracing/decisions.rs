//! Each decision about a request is one event of constant data.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock, Mutex};

use ::axum::Extension;
use ::axum::routing::get;
use ::rocket::local::blocking::Client;
use doorward::http::request::Parts;
use doorward::scheme::RefusedRequest;
use doorward::{
    ApiKey, BearerError, BearerToken, Rejection, Security, SecurityScopes, api_key, dependency,
    http_bearer, layer, one_of, plan, secured,
};
use doorward_tests::decisions::subscriber;
use http::{Response, StatusCode};
use salvo::Writer;
use serde_json::{Value, json};

use super::SECOND;
use crate::asking::{ask, block_on, head};
use crate::frameworks::salvo::answer_of;
use crate::repository::root;

/// Does work, and returns its decisions, without the fields that are not there.
fn decisions_of<T>(work: impl FnOnce() -> T) -> (T, Vec<Value>) {
    LazyLock::force(&SECOND);
    let events = Arc::new(Mutex::new(Vec::new()));
    let each = events.clone();
    let heard = subscriber(move |event| each.lock().unwrap().push(event));
    let done = tracing::subscriber::with_default(heard, work);
    let events = events.lock().unwrap().clone();
    for event in &events {
        assert!(!event.to_string().contains("t0p"), "{event}");
    }
    (done, events)
}

#[http_bearer(scopes("read" = "Read.", "write" = "Write."))]
struct Api;

#[http_bearer(auto_error = false)]
struct Optional;

#[api_key(cookie = "session")]
struct Session;

/// The token is its scopes, after a word.
#[dependency]
fn user(
    #[security(Api)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    scopes.check(token.as_str())?;
    Ok(token.as_str().to_owned())
}

#[dependency]
fn at_most(#[argument] length: usize, #[security(user)] user: String) -> Result<(), Rejection> {
    if user.len() <= length { Ok(()) } else { Err(Rejection::new(StatusCode::NOT_FOUND)) }
}

#[dependency]
fn session(#[security(Session)] _session: ApiKey) -> Result<String, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[one_of]
enum Visitor {
    #[security(session, lenient)]
    #[expect(dead_code, reason = "nothing reads it")]
    Session(String),
    #[security(Api)]
    #[expect(dead_code, reason = "nothing reads it")]
    Token(BearerToken),
    Nobody,
}

#[one_of]
#[expect(dead_code, reason = "nothing reads them")]
enum Known {
    #[security(Session)]
    Session(ApiKey),
    #[security(Api)]
    Token(BearerToken),
}

/// A value that handlers, and dependencies, take as an extractor.
#[derive(Clone)]
struct Reader;

#[dependency(extract)]
fn reader(#[security(Api)] token: BearerToken) -> Result<Reader, Rejection> {
    if token.as_str() == "read" { Ok(Reader) } else { Err(Rejection::NOT_AUTHENTICATED) }
}

#[dependency]
fn above(_reader: Reader, _token: Security<Api>) -> Result<(), Rejection> {
    Ok(())
}

#[secured(at_most(5))]
async fn two(#[security(user, scopes("read"))] _user: String) {}

#[secured]
async fn optional(#[security(Optional)] _token: Option<BearerToken>) {}

#[secured]
async fn visit(#[security(Visitor)] _visitor: Visitor) {}

#[secured]
async fn known(#[security(Known)] _known: Known) {}

#[secured(layer = user, scopes("read"))]
async fn below() {}

#[secured(layer = user, scopes("read"))]
#[secured(at_most(5))]
async fn below_and_more() {}

async fn value(_reader: Reader) {}

async fn maybe(_reader: Option<Reader>) {}

async fn alone(_token: Security<Api>) {}

#[secured(above)]
async fn nested() {}

fn app() -> ::axum::Router {
    let layered = ::axum::Router::new()
        .route("/below", get(below))
        .route("/more", get(below_and_more))
        .route("/plain", get(async || ()))
        .route_layer(layer!(user, scopes("read")));
    ::axum::Router::new()
        .route("/two", get(two))
        .route("/optional", get(optional))
        .route("/visit", get(visit))
        .route("/known", get(known))
        .route("/value", get(value))
        .route("/maybe", get(maybe))
        .route("/alone", get(alone))
        .route("/nested", get(nested))
        .route("/lost", get(below))
        .merge(layered)
        .layer(Extension(()))
}

/// Returns the path of a handler here.
fn here(name: &str) -> String {
    format!("{}::{name}", module_path!())
}

#[test]
fn each_is_one_event() {
    let let_in = |place: &str, handler: &str| {
        let handler = if place == "handler" { here(handler) } else { handler.to_owned() };
        json!({ "outcome": "let_in", "place": place, "handler": handler })
    };
    let refused = |handler: &str, reason: &str, by: (&str, &str), required: &str, status: u16| {
        let mut event = json!({
            "outcome": if status < 500 { "refused" } else { "failed" },
            "place": "handler", "handler": here(handler), "reason": reason, "status": status,
        });
        event[by.0] = by.1.into();
        if !required.is_empty() {
            event["required"] = required.into();
        }
        event
    };
    let at = |place: &str, handler: &str, mut event: Value| {
        (event["place"], event["handler"]) = (place.into(), handler.into());
        event
    };
    let (api, user) = (("scheme", "Api"), ("dependency", "user"));
    let layer_missing = at("layer", "user", refused("", "missing", api, "read", 401));
    let layer_lacks = at("layer", "user", refused("", "dependency", user, "read", 403));
    let with_parameter = |mut event: Value, name: &str| {
        event["parameter"] = name.into();
        event
    };
    let mut fields = BTreeSet::new();
    for (path, token, expected) in [
        ("/two", "", vec![refused("two", "missing", api, "", 401)]),
        ("/two", "read", vec![let_in("handler", "two")]),
        ("/two", "write", vec![refused("two", "dependency", user, "read", 403)]),
        (
            "/two",
            "read write",
            vec![refused("two", "dependency", ("dependency", "at_most(5)"), "", 404)],
        ),
        ("/optional", "", vec![let_in("handler", "optional")]),
        ("/optional", "read", vec![let_in("handler", "optional")]),
        // A session that is wrong counts as none.
        ("/visit", "", vec![let_in("handler", "visit")]),
        ("/visit", "read", vec![let_in("handler", "visit")]),
        ("/known", "read", vec![let_in("handler", "known")]),
        ("/below", "", vec![layer_missing.clone()]),
        ("/below", "read", vec![let_in("layer", "user")]),
        ("/below", "write", vec![layer_lacks]),
        ("/plain", "read", vec![let_in("layer", "user")]),
        ("/more", "", vec![layer_missing]),
        ("/more", "read", vec![let_in("layer", "user"), let_in("handler", "below_and_more")]),
        ("/lost", "read", vec![refused("below", "misconfigured", user, "read", 500)]),
        ("/value", "", vec![at("handler", "reader", refused("", "missing", api, "", 401))]),
        ("/value", "read", vec![at("handler", "reader", let_in("", ""))]),
        (
            "/value",
            "write",
            vec![at(
                "handler",
                "reader",
                refused("", "dependency", ("dependency", "reader"), "", 401),
            )],
        ),
        // An anonymous caller is not refused, and the value declares no handler.
        ("/maybe", "read", vec![]),
        ("/alone", "", vec![at("handler", "Api", refused("", "missing", api, "", 401))]),
        ("/alone", "read", vec![at("handler", "Api", let_in("", ""))]),
        ("/nested", "read", vec![let_in("handler", "nested")]),
        (
            "/nested",
            "write",
            vec![with_parameter(
                refused("nested", "dependency", ("dependency", "above"), "", 401),
                "_reader",
            )],
        ),
    ] {
        let line = format!("Bearer {token}");
        let mut lines = vec![("cookie", "session=t0ps3cret"), ("x-other", "t0ps3cret")];
        if path == "/known" {
            lines.clear();
        }
        if !token.is_empty() {
            lines.push(("authorization", &line));
        }
        let (answer, events) = decisions_of(|| block_on(ask(app(), path, &lines)));
        assert_eq!(events, expected, "{path} {token}");
        fields.extend(events.iter().flat_map(|event| event.as_object().unwrap().keys().cloned()));
        let status = answer.status().as_u16();
        let is_refused = events.iter().any(|event| event["outcome"] != "let_in");
        assert_eq!(is_refused, status >= 300, "{path} {token}");
        for event in events.iter().filter(|event| event["outcome"] != "let_in") {
            assert_eq!(event["status"], status, "{path} {token}");
        }
    }
    let (_, events) = decisions_of(|| block_on(ask(app(), "/known", &[])));
    assert_eq!(events, [refused("known", "missing", ("scheme", "Known"), "", 401)]);
    let (_, events) = decisions_of(|| block_on(ask(app(), "/maybe", &[])));
    assert_eq!(events, [] as [Value; 0]);
    let page = std::fs::read_to_string(root().join("runtime/docs/production.md")).unwrap();
    let (_, table) = page.split_once("| field | values |\n|---|---|\n").unwrap();
    let rows = table.lines().take_while(|line| line.starts_with('|'));
    let listed = rows.map(|row| row.split('`').nth(1).unwrap().to_owned());
    assert_eq!(BTreeSet::from_iter(listed), fields);
}

/// What lets a request go on does not read like a refusal.
#[test]
fn the_log_of_a_request_that_goes_on_has_no_refusal() {
    for (path, lines, says) in [
        (
            "/optional",
            &[][..],
            Some("the request goes on without a credential scheme=\"Optional\" reason=\"missing\""),
        ),
        ("/visit", &[("cookie", "session=t0ps3cret")], None),
        ("/maybe", &[], None),
    ] {
        let log = super::log_of(|| assert_eq!(block_on(ask(app(), path, lines)).status(), 200));
        assert!(says.is_none_or(|says| log.contains(says)), "{log}");
        assert!(!log.contains("refuse") && !log.contains("no credential was found"), "{log}");
    }
}

/// The decisions of plans, and of places that cannot answer.
#[test]
fn plans_and_late_places_decide() {
    let (_, events) = decisions_of(|| {
        block_on(async {
            let mut head = head(&[("authorization", "Bearer read")]);
            let _ = plan!(user, scopes("read")).resolve(&mut head).await;
            let _ = plan!(user, scopes("write")).resolve_late(&mut head).await;
            let _ = plan!(user, scopes("read")).resolve_late(&mut head).await;
            // The plan of a layer is one where it is resolved by hand.
            let _ = layer!(user, scopes("read")).plan().resolve_local(&mut head).await;
        });
    });
    let short = |event: &Value| format!("{} {}", event["outcome"], event["place"]).replace('"', "");
    let events = Vec::from_iter(events.iter().map(short));
    assert_eq!(events, ["let_in plan", "refused late", "let_in late", "let_in plan"]);
}

/// An error type of a service that waits before it answers, on another thread.
struct Problem;

impl doorward::scheme::FromRefusal for Problem {
    async fn from_refusal(_: RefusedRequest) -> Self {
        tokio::task::yield_now().await;
        Self
    }
}

impl From<Problem> for Response<String> {
    fn from(_: Problem) -> Self {
        let mut response = Self::default();
        *response.status_mut() = StatusCode::IM_A_TEAPOT;
        response
    }
}

#[http_bearer(error = Problem)]
struct Own;

/// Two requests on one thread, each of which waits while the other one is refused.
#[test]
fn a_cause_is_that_of_its_request() {
    let (_, events) = decisions_of(|| {
        block_on(async {
            let (mut missing, mut repeated) =
                (head(&[]), head(&[("authorization", "Bearer a"), ("authorization", "Bearer b")]));
            let ask = async |head: &mut Parts| plan!(Own).resolve(head).await.map(drop);
            let both = futures_util::future::join(ask(&mut missing), ask(&mut repeated)).await;
            assert!(both.0.is_err() && both.1.is_err());
        });
    });
    let reasons = events.iter().map(|event| (&event["reason"], &event["scheme"], &event["status"]));
    let [scheme, status] = [json!("Own"), json!(418)];
    let expected = [json!("missing"), json!("repeated")];
    assert_eq!(
        Vec::from_iter(reasons),
        Vec::from_iter(expected.iter().map(|reason| (reason, &scheme, &status)))
    );
}

/// A response that salvo writes after the dependency has refused.
struct Later(u16);

#[::salvo::async_trait]
impl Writer for Later {
    async fn write(
        self,
        _: &mut ::salvo::Request,
        _: &mut ::salvo::Depot,
        response: &mut ::salvo::Response,
    ) {
        response.status_code(StatusCode::from_u16(self.0).unwrap());
    }
}

#[dependency]
fn later(#[security(Api)] token: BearerToken) -> Result<(), Later> {
    Err(Later(token.as_str().parse().unwrap()))
}

#[secured(later)]
#[::salvo::handler]
async fn on_salvo() {}

/// A status that is known only when the response is written.
#[test]
fn on_salvo_a_decision_waits_for_the_response() {
    for (token, outcome, status) in [
        ("403", "refused", 403),
        ("503", "failed", 503),
        // A refusal that would be a success.
        ("200", "failed", 500),
    ] {
        for is_layer in [false, true] {
            let router = match is_layer {
                false => ::salvo::Router::new().get(on_salvo),
                true => ::salvo::Router::new().hoop(layer!(later)).get(on_salvo),
            };
            let (answer, events) = decisions_of(|| {
                answer_of(::salvo::Service::new(router), "/", Some(&format!("Bearer {token}")))
            });
            assert_eq!(answer.status, status);
            let place = if is_layer { "layer" } else { "handler" };
            let handler = if is_layer { "later".to_owned() } else { here("on_salvo") };
            let expected = json!({
                "outcome": outcome, "place": place, "handler": handler, "reason": "dependency",
                "dependency": "later", "status": status,
            });
            assert_eq!(events, [expected]);
        }
    }
}

/// A request guard of ours, in a dependency.
#[dependency]
fn guarded(_token: Security<Api>) -> Result<(), Rejection> {
    Ok(())
}

#[secured(guarded)]
#[::rocket::get("/")]
fn on_rocket() {}

/// The fairing has the response of a request guard that is one of ours.
#[test]
fn on_rocket_the_status_is_that_of_the_answer() {
    let rocket = ::rocket::build()
        .attach(doorward::rocket05::Doorward)
        .mount("/", ::rocket::routes![on_rocket]);
    let (status, events) = decisions_of(|| {
        let client = Client::tracked(rocket).unwrap();
        client.get("/").dispatch().status().code
    });
    let expected = json!({
        "outcome": "refused", "place": "handler", "handler": here("on_rocket"),
        "reason": "dependency", "dependency": "guarded", "parameter": "_token", "status": 401,
    });
    assert_eq!((status, events), (401, vec![expected]));
}

/// A stream that ends is a decision of its own, and the questions before it are none.
#[test]
fn a_stream_ends_with_a_decision() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    static ASKED: AtomicUsize = AtomicUsize::new(0);

    #[dependency]
    fn thrice(#[security(Api)] _token: BearerToken) -> Result<(), Rejection> {
        match ASKED.fetch_add(1, Ordering::Relaxed) {
            0..3 => Ok(()),
            _ => Err(Rejection::new(StatusCode::FORBIDDEN)),
        }
    }

    let (refused, events) = decisions_of(|| {
        block_on(async {
            let head = head(&[("authorization", "Bearer read")]);
            let live = plan!(thrice).live(&head);
            live.every(Duration::from_millis(1)).refused().await
        })
    });
    assert_eq!(refused.status(), StatusCode::FORBIDDEN);
    let expected = json!({
        "outcome": "refused", "place": "stream", "handler": "thrice", "reason": "dependency",
        "dependency": "thrice", "status": 403,
    });
    assert_eq!(events, [expected]);
}
