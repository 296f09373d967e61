//! The target as the client sent it, where a router is nested below another one: in a handler, in a
//! layer, and in the refusal from which a service creates its own error.

use std::net::TcpListener;
use std::thread;

use ::axum::response::{IntoResponse, Response as AxumResponse};
use ::axum::routing::get;
use ::axum::{Extension, Router};
use ::poem::EndpointExt as _;
use doorward::scheme::RefusedRequest;
use doorward::verify::Presented;
use doorward::{BearerToken, Rejection, Scheme, dependency, http_bearer, layer, plan, secured};
use doorward_tests::client::send;
use http::request::Parts;
use http::{Request, Response};

use super::each;
use crate::asking::{self, seen};

#[http_bearer]
struct Api;

#[dependency]
fn target(#[security(Api)] presented: Presented) -> Result<String, Rejection> {
    Ok(presented.target().unwrap().path_and_query().unwrap().to_string())
}

const TARGET: &str = "/v1/users/reports?page=2";

fn below(inner: Router) -> Router {
    Router::new().nest("/v1", Router::new().nest("/users", inner))
}

async fn ask(app: Router) -> (u16, String) {
    seen(asking::ask_with(app, TARGET, Some("t0k3n")).await)
}

#[secured]
async fn shown(#[security(target)] target: String) -> String {
    target
}

async fn extension(Extension(target): Extension<String>) -> String {
    target
}

/// Resolves a plan with the head that the nested router has.
async fn by_plan(mut head: Parts) -> Result<String, Response<String>> {
    assert_eq!(head.uri, "/reports?page=2");
    plan!(target).resolve(&mut head).await
}

async fn by_hand(head: Parts) -> String {
    let token: BearerToken = Api::authenticate(&head).unwrap();
    Presented::of(token, head).target().unwrap().to_string()
}

#[tokio::test]
async fn on_axum() {
    let reports = Router::new();
    let layered = reports.clone().route("/reports", get(extension));
    let expected = (200, TARGET.to_owned());
    for (name, inner) in [
        ("a handler", reports.clone().route("/reports", get(shown))),
        ("a layer", layered.clone().route_layer(layer!(target))),
        ("a layer with a state", layered.clone().route_layer(layer!(target).with_state(()))),
        (
            "a layer of a method",
            reports.clone().route("/reports", get(extension).layer(layer!(target))),
        ),
        ("a plan", reports.clone().route("/reports", get(by_plan))),
        ("by hand", reports.clone().route("/reports", get(by_hand))),
        ("a wildcard", reports.route("/{*rest}", get(shown))),
    ] {
        assert_eq!(ask(below(inner)).await, expected, "{name}");
    }
    // Outside of the nested router, and in a service below it.
    let around = below(layered).layer(layer!(target));
    assert_eq!(ask(around).await, expected);
    let service = Router::new().route("/reports", get(shown));
    let app = Router::new().nest_service("/v1/users", service);
    assert_eq!(ask(app).await, expected);
}

/// Shows the target of the refused request.
struct Shown(String);

impl From<RefusedRequest> for Shown {
    fn from(refusal: RefusedRequest) -> Self {
        Self(refusal.head().uri.to_string())
    }
}

impl IntoResponse for Shown {
    fn into_response(self) -> AxumResponse {
        (::axum::http::StatusCode::UNAUTHORIZED, self.0).into_response()
    }
}

#[http_bearer(error = Shown)]
struct Page;

#[tokio::test]
async fn a_refusal_has_it() {
    #[secured]
    async fn page(#[security(Page)] _token: BearerToken) {}

    let app = below(Router::new().route("/reports", get(page)));
    let answer = asking::ask_with(app, TARGET, None).await;
    assert_eq!(seen(answer), (401, TARGET.to_owned()));
}

/// poem keeps the target of a request that a server has received, so a server is asked.
#[test]
fn on_poem() {
    #[secured]
    #[poem::handler]
    async fn taken(#[security(target)] target: String) -> String {
        target
    }
    #[poem::handler]
    async fn data(target: ::poem::web::Data<&String>) -> String {
        target.0.clone()
    }
    let inner =
        ::poem::Route::new().at("/reports", taken).at("/layered", data.with(layer!(target)));
    let app = ::poem::Route::new().nest("/v1", ::poem::Route::new().nest("/users", inner));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(|| {
        asking::block_on(async {
            let acceptor = ::poem::listener::TcpAcceptor::from_std(listener).unwrap();
            ::poem::Server::new_with_acceptor(acceptor).run(app).await
        })
    });
    for target in [TARGET, "/v1/users/layered"] {
        let token = [("authorization", &b"Bearer t0k3n"[..])];
        let answer = send(address, "GET", target, &token, b"").unwrap();
        assert_eq!((answer.status, &*answer.body), (200, target));
    }
}

/// A request that a test builds has only its own target.
#[test]
fn a_request_of_a_test_has_its_target() {
    #[secured]
    #[poem::handler]
    async fn taken(#[security(target)] target: String) -> String {
        target
    }
    let request = Request::get(TARGET).header("authorization", "Bearer t0k3n");
    let answer =
        each::poem(::poem::Route::new().at("/v1/users/reports", taken), request.body("").unwrap());
    assert_eq!(seen(answer), (200, TARGET.to_owned()));
}
