//! Random services: each cell of a matrix is what the same request gets, and no handler runs for it.
//!
//! `DOORWARD_SERVICES` is the number of services, and `DOORWARD_SERVICES_SEED` the first seed.

mod actix_web;

use std::cell::Cell;
use std::collections::BTreeMap;
use std::env;

use axum::Json;
use axum::body::{Body, to_bytes};
use axum::extract::{FromRequestParts, RawPathParams, Request};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use doorward::axum08::routing::{MethodFilter, MethodRouter, any, on};
use doorward::axum08::{Router, asked};
use doorward::{BearerToken, Rejection, dependency, layer, public, secured};
use http::request::Parts;
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};
use tower::{Layer as _, ServiceExt};

use super::{Role, User, role, token, user};

thread_local! {
    /// How often a handler ran on this thread.
    static RAN: Cell<usize> = const { Cell::new(0) };
}

pub(super) fn ran() {
    RAN.set(RAN.get() + 1);
}

/// Returns whether a handler has run since the last question.
pub(super) fn has_run() -> bool {
    RAN.take() > 0
}

/// Numbers from a seed. A middleware function that passes on the request in another task, and one
/// that builds it anew, are not in one service: nothing of the request that was asked is left then.
pub(super) struct Random {
    state: u64,
    spawns: bool,
}

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self { state: seed, spawns: seed.is_multiple_of(2) }
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % u64::try_from(limit).unwrap()).unwrap()
    }

    pub(super) fn is_one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

/// Returns the seeds of the services.
pub(super) fn seeds() -> impl Iterator<Item = u64> {
    let number = |name: &str, otherwise| {
        env::var(name).map_or(otherwise, |number| number.parse().expect("a number"))
    };
    let first = number("DOORWARD_SERVICES_SEED", 1);
    (first..).take(usize::try_from(number("DOORWARD_SERVICES", 100)).unwrap())
}

pub(super) const CALLERS: [(&str, Option<&str>); 4] = [
    ("nobody", None),
    ("reader", Some("carol:read")),
    ("alice", Some("alice:write")),
    ("root", Some("root:write")),
];

#[derive(Debug)]
struct Caller(User);

#[dependency(extract)]
fn caller(#[security(user)] user: User) -> Result<Caller, Rejection> {
    match &*user.name {
        "carol" => Err(Rejection::new(StatusCode::CONFLICT)),
        _ => Ok(Caller(user)),
    }
}

/// Decides by a value that it may lack.
#[dependency]
fn lenient(caller: Result<Caller, Response>) -> Result<(), Rejection> {
    match caller {
        Ok(Caller(user)) if user.is_admin => Err(Rejection::new(StatusCode::GONE)),
        Ok(_) => Ok(()),
        Err(refusal) if refusal.status() == StatusCode::CONFLICT => Ok(()),
        Err(_) => Err(Rejection::new(StatusCode::FORBIDDEN)),
    }
}

#[dependency]
fn strict(_caller: Caller) -> Result<(), Rejection> {
    Ok(())
}

/// Only who asks with `GET` need be an admin.
#[dependency]
fn by_method(#[security(user)] user: User, method: Method) -> Result<(), Rejection> {
    match user.is_admin || method != Method::GET {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::FORBIDDEN)),
    }
}

/// The first part of the path is the owner's.
#[dependency]
fn owner(#[security(user)] user: User, path: RawPathParams) -> Result<(), Rejection> {
    match path.iter().next().is_none_or(|(_, owner)| owner == user.name) {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::NOT_FOUND)),
    }
}

#[dependency]
fn host(headers: HeaderMap) -> Result<(), Rejection> {
    match headers.contains_key("host") {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::MISDIRECTED_REQUEST)),
    }
}

/// An extractor of the service's own.
struct Gate;

impl<S: Sync> FromRequestParts<S> for Gate {
    type Rejection = StatusCode;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, StatusCode> {
        let credential = parts.headers.get("authorization");
        match credential.is_some_and(|line| line == "Bearer alice:write") {
            true => Err(StatusCode::IM_A_TEAPOT),
            false => Ok(Self),
        }
    }
}

macro_rules! handlers {
    ($($(#[$declared:meta])? $name:ident($($parameters:tt)*);)*) => {
        $($(#[$declared])? async fn $name($($parameters)*) { ran(); })*

        const HANDLERS: usize = [$(stringify!($name)),*].len();

        /// Adds the handler with this number, or sets it as the fallback.
        fn with(router: MethodRouter, filter: Option<MethodFilter>, number: usize) -> MethodRouter {
            let mut left = number;
            $(
                if left == 0 {
                    return match filter {
                        Some(filter) => router.on(filter, $name),
                        None if router_is_new(number) => any($name).merge(router),
                        None => router.fallback($name),
                    };
                }
                left -= 1;
            )*
            unreachable!("there are {} handlers, without {left}", HANDLERS)
        }

        fn with_fallback(router: Router, is_for_wrong_methods: bool, number: usize) -> Router {
            let mut left = number;
            $(
                if left == 0 {
                    return match is_for_wrong_methods {
                        true => router.method_not_allowed_fallback($name),
                        false => router.fallback($name),
                    };
                }
                left -= 1;
            )*
            unreachable!("there are {} handlers, without {left}", HANDLERS)
        }
    };
}

/// Half of the handlers are added as `any(…).merge(…)`.
const fn router_is_new(number: usize) -> bool {
    number.is_multiple_of(2)
}

handlers! {
    #[secured(user)] listed();
    #[secured(user, scopes("read"))] read();
    #[secured(user, scopes("write"))] written();
    #[secured(role(Role::Admin))] purged(#[security(user)] _user: User);
    #[secured(role(Role::User))] used();
    #[public(reason = "load balancers ask it")] health();
    #[public(reason = "the gate decides")] gated(_gate: Gate);
    #[secured(user)] behind_gate(_gate: Gate);
    #[secured] before_gate(_gate: Gate, #[security(user, scopes("read"))] _user: User);
    #[secured(user)] with_body(_body: Json<Value>);
    #[secured(lenient)] leniently();
    #[secured(strict)] strictly();
    #[secured(by_method)] methodical();
    #[secured(owner)] owned();
    #[secured(host)] hosted();
    me(_caller: Caller);
    me_at_gate(_caller: Caller, _gate: Gate);
    perhaps(_first: Result<Caller, Response>, _second: Option<Caller>, _caller: Caller);
}

/// Passes on a request that it has built, without the extensions.
async fn rebuilt(request: Request, next: Next) -> Response {
    let (head, body) = request.into_parts();
    let body = to_bytes(body, 1 << 16).await.unwrap();
    let mut request = Request::new(Body::from(body));
    *request.method_mut() = head.method;
    *request.uri_mut() = head.uri;
    *request.headers_mut() = head.headers;
    next.run(request).await
}

/// Passes on the request in a task of its own.
async fn spawned(request: Request, next: Next) -> Response {
    tokio::spawn(next.run(request)).await.unwrap()
}

async fn known(_caller: Caller, request: Request, next: Next) -> Response {
    next.run(request).await
}

async fn perhaps_known(
    _caller: Result<Caller, Response>,
    request: Request,
    next: Next,
) -> Response {
    next.run(request).await
}

#[secured(user, scopes("write"))]
async fn guarded(request: Request, next: Next) -> Response {
    next.run(request).await
}

macro_rules! layered {
    ($router:expr, $put:ident, $random:expr) => {
        match $random.below(12) {
            0 => $router.$put(layer!(user)),
            1 => $router.$put(layer!(user, scopes("write"))),
            2 => $router.$put(layer!(role(Role::Admin))),
            3 | 4 if $random.spawns => $router.$put(from_fn(spawned)),
            3 | 4 => $router.$put(from_fn(rebuilt)),
            5 => $router.$put(from_fn(known)),
            6 => $router.$put(from_fn(perhaps_known)),
            7 => $router.$put(from_fn(guarded)),
            _ => $router,
        }
    };
}

/// What is printed of a closure.
const CLOSURE: &str = "public: a closure";

const METHODS: [(MethodFilter, &str); 7] = [
    (MethodFilter::GET, "GET"),
    (MethodFilter::POST, "POST"),
    (MethodFilter::PUT, "PUT"),
    (MethodFilter::PATCH, "PATCH"),
    (MethodFilter::DELETE, "DELETE"),
    (MethodFilter::HEAD, "HEAD"),
    (MethodFilter::OPTIONS, "OPTIONS"),
];

/// What is written for the matrix of a service.
#[derive(Default)]
struct Written {
    samples: BTreeMap<String, Vec<String>>,
    bodies: Vec<String>,
    /// How many paths there are, so that each has a name of its own.
    paths: usize,
}

fn methods(random: &mut Random, path: &str, written: &mut Written) -> MethodRouter {
    let mut router = MethodRouter::new();
    let density = 1 + random.below(4);
    for (filter, method) in METHODS {
        if !random.is_one_in(density) {
            continue;
        }
        if random.is_one_in(15) {
            router = router.on(filter, public("a closure", async || ran()));
            continue;
        }
        if random.is_one_in(10) {
            router = behind_layer(router, filter, random);
            continue;
        }
        router = with(router, Some(filter), random.below(HANDLERS));
        if random.is_one_in(2) {
            written.bodies.push(format!("{method} {path}"));
        }
    }
    if random.is_one_in(3) {
        router = with(router, None, random.below(HANDLERS));
    } else if router_is_empty(&router, path) {
        router = on(MethodFilter::GET, listed);
    }
    layered!(router, layer, random)
}

/// Adds a handler that says nothing, behind a layer of its own.
fn behind_layer(router: MethodRouter, filter: MethodFilter, random: &mut Random) -> MethodRouter {
    async fn undecided(_gate: Gate) {
        ran();
    }
    match random.below(3) {
        0 => router.on(filter, layer!(user).layer(undecided)),
        1 => router.on(filter, layer!(owner).with_state(()).layer(undecided)),
        _ => router.on(filter, layer!(user, scopes("write")).already_around(undecided)),
    }
}

fn router_is_empty(router: &MethodRouter, path: &str) -> bool {
    Router::<()>::new().route(path, router.clone()).routes().iter().next().is_none()
}

fn service(random: &mut Random, above: &str, written: &mut Written) -> Router {
    let mut router = Router::new();
    for _ in 0..=random.below(3) {
        written.paths += 1;
        let name = written.paths;
        let path = match random.below(4) {
            0 => format!("/{name}"),
            1 => format!("/{name}/{{owner}}"),
            2 => format!("/{name}/{{owner}}/notes"),
            _ => format!("/{name}/{{owner}}/{{*rest}}"),
        };
        let full = format!("{above}{path}");
        router = router.route(&path, methods(random, &full, written));
        if path.contains('{') {
            let names = ["alice", "root", "1"];
            for _ in 0..=random.below(2) {
                let owner = names[random.below(3)];
                let target = full.replace("{owner}", owner).replace("{*rest}", "a/b");
                let samples = written.samples.entry(full.clone()).or_default();
                if !samples.contains(&target) {
                    samples.push(target);
                }
            }
        }
    }
    router = layered!(router, route_layer, random);
    if above.len() < 6 {
        for _ in 0..random.below(3) {
            written.paths += 1;
            let prefix = format!("/n{}", written.paths);
            let nested = service(random, &format!("{above}{prefix}"), written);
            router = router.nest(&prefix, nested);
        }
    }
    // axum has no fallback of a router inside another one that has none itself.
    if above.matches('/').count() < 2 && random.is_one_in(3) {
        router = with_fallback(router, false, random.below(HANDLERS));
        written.samples.insert(format!("{above}/*"), vec![format!("{above}/no/such/route")]);
    }
    if above.is_empty() && random.is_one_in(4) {
        router = with_fallback(router, true, random.below(HANDLERS));
    }
    layered!(router, layer, random)
}

/// Returns what a request gets: `in` if a handler runs.
async fn real(app: &Router, method: &str, target: &str, body: bool, sent: Option<&str>) -> String {
    let mut request = Request::builder().method(method).uri(target).header("host", "localhost");
    if let Some(token) = sent {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    let request = match body {
        true => request.header("content-type", "application/json").body(Body::from("{}")),
        false => request.body(Body::empty()),
    };
    has_run();
    let answer = app.clone().oneshot(request.unwrap()).await.unwrap();
    if has_run() { "in".to_owned() } else { answer.status().as_u16().to_string() }
}

async fn compare(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let mut written = Written::default();
    let app = service(&mut random, "", &mut written);
    let routes = app.routes();
    let credential = |sent: Option<&str>| sent.map(|sent| BearerToken::try_from(sent).unwrap());
    let [(name, sent), others @ ..] = CALLERS;
    let mut callers = routes.asked_by(name, credential(sent));
    for (name, sent) in others {
        callers = callers.asked_by(name, credential(sent));
    }
    for (path, target) in
        written.samples.iter().flat_map(|(path, all)| all.iter().map(move |one| (path, one)))
    {
        callers = callers.sample(path, target);
    }
    let is_asked = |line: &str| {
        routes.iter().any(|route| {
            let is_closure = route.requirement().to_string() == CLOSURE;
            format!("{} {}", route.method(), route.path()) == line && !is_closure
        })
    };
    written.bodies.retain(|line| is_asked(line));
    for line in &written.bodies {
        callers = callers.body(line, json!({}));
    }
    has_run();
    let who = callers.table(|ask| app.clone().oneshot(asked(ask))).await;
    let who = who.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{routes}")).to_string();
    assert!(!has_run(), "seed {seed}: a handler ran");
    let mut rows = BTreeMap::<(String, String), Vec<String>>::new();
    for line in who.lines().skip(1) {
        let mut words = line.split_whitespace().map(str::to_owned);
        let key = (words.next().unwrap(), words.next().unwrap());
        rows.insert(key, words.collect());
    }
    let mut cells = 0;
    for route in routes.iter().filter(|route| route.requirement().to_string() != CLOSURE) {
        let (method, path) = (route.method(), route.path());
        let own = vec![path.to_owned()];
        let targets = written.samples.get(path).unwrap_or(&own);
        for target in targets {
            let shown = if targets.len() > 1 { target } else { path };
            let key = |method: &str| (method.to_owned(), shown.to_owned());
            // What a row says, or what the row says that stands for a method without one.
            let methods: Vec<(&str, &str)> = match method {
                "ANY" if rows.contains_key(&key("ANY")) => continue, // printed
                "ANY" => {
                    let is_own = |method: &&str| {
                        !routes
                            .iter()
                            .any(|other| (other.path(), other.method()) == (path, *method))
                    };
                    let all = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];
                    let own = Vec::from_iter(all.into_iter().filter(is_own));
                    let first = *own.first().unwrap();
                    let stands = |method| match rows.contains_key(&key(method)) {
                        true => (method, method),
                        false => (method, first),
                    };
                    let asked = own.iter().take(2).chain(own.last()).map(|method| stands(method));
                    let head = (is_own(&"HEAD") && is_own(&"GET")).then(|| stands("HEAD"));
                    asked.chain(head).collect()
                }
                "GET"
                    if !routes
                        .iter()
                        .any(|other| (other.path(), other.method()) == (path, "HEAD")) =>
                {
                    let head = if rows.contains_key(&key("HEAD")) { "HEAD" } else { "GET" };
                    vec![("GET", "GET"), ("HEAD", head)]
                }
                method => vec![(method, method)],
            };
            for (method, stands) in methods {
                let row = rows.get(&key(stands));
                let row = row.unwrap_or_else(|| panic!("seed {seed}: {method} {shown}\n{who}"));
                let body = written.bodies.contains(&format!("{method} {path}"));
                for ((name, sent), cell) in CALLERS.iter().zip(row) {
                    let got = real(&app, method, target, body, *sent).await;
                    assert_eq!(
                        got, *cell,
                        "seed {seed}: {method} {target} as {name}\n{who}\n{routes}"
                    );
                    cells += 1;
                }
            }
        }
    }
    cells
}

#[tokio::test]
async fn each_cell_of_a_random_service_is_what_the_request_gets() {
    let (mut cells, mut services) = (0, 0);
    for seed in seeds() {
        cells += compare(seed).await;
        services += 1;
    }
    println!("{services} services, {cells} cells");
    assert!(cells > services * 20);
}
