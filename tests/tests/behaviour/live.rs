//! What goes on after its handler has answered ends when the handler's requirement would refuse the
//! request: `live: Live`.

mod rocket;
mod salvo;

use core::pin::pin;
use core::task::{Context, Poll, Waker};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use axum::extract::{Path, State};
use axum::routing::get;
use axum::{Extension, Router};
use doorward::head::FromExtensions;
use doorward::live::{Around, Live};
use doorward::scheme::{RefusedRequest, RejectionReason};
use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{
    BearerToken, Plan, Rejection, SecurityScopes, Shared, dependency, http_bearer, layer, plan,
    secured,
};
use futures_util::{FutureExt, StreamExt, stream};
use http::{Request, StatusCode};
use proptest::strategy::Strategy;
use tokio::time::{Duration, Instant, sleep};
use tower::ServiceExt;

/// What a verifier says of each token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Says {
    #[default]
    Yes,
    No,
    Neither,
    /// Waits for longer than anybody does.
    Nothing,
    Panics,
}

/// A verifier whose answers a test sets.
#[derive(Default)]
struct Model {
    says: Mutex<Says>,
    asked: AtomicUsize,
    /// When the tokens expire. The clock of the system stands still while a test moves that of
    /// tokio, so it is reckoned anew at each question.
    expires: Mutex<Option<Instant>>,
    /// For how long after that they are accepted.
    leeway: Duration,
}

impl Model {
    fn say(&self, says: Says) {
        *self.says.lock().unwrap() = says;
    }

    fn asked(&self) -> usize {
        self.asked.load(Ordering::Relaxed)
    }

    /// Sets in how many seconds the tokens expire.
    fn expire_in(&self, seconds: u64) {
        *self.expires.lock().unwrap() = Some(Instant::now() + secs(seconds));
    }
}

const fn secs(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

impl Verify for Model {
    type Claims = ();

    async fn verify(
        &self,
        _: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<()>, VerifyError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let says = *self.says.lock().unwrap();
        match says {
            Says::Yes => {}
            Says::No => return Err(VerifyError::invalid_token(scopes)),
            Says::Neither => return Err(VerifyError::unavailable(secs(1))),
            Says::Nothing => sleep(secs(1_000_000)).await,
            Says::Panics => panic!("the verifier panics"),
        }
        let expires = *self.expires.lock().unwrap();
        if expires.is_some_and(|expires| Instant::now() >= expires + self.leeway) {
            return Err(VerifyError::invalid_token(scopes));
        }
        let left = expires.map(|expires| expires.saturating_duration_since(Instant::now()));
        let expires_at = left.map(|left| match left.is_zero() {
            true => SystemTime::now() - secs(1),
            false => SystemTime::now() + left,
        });
        Verified::new((), ["items".to_owned()]).expiring_at(expires_at).require(scopes)
    }
}

#[http_bearer(scopes("items" = "Read items.", "all" = "All."), realm = "live", verified = (), by = Model)]
struct Api;

/// Users who are locked out.
#[derive(Default)]
struct Locked(Mutex<bool>);

/// Kept for the rest of a request.
#[dependency(cached)]
async fn user(
    #[security(Api)] _token: Verified<()>,
    locked: Shared<Locked>,
) -> Result<String, Rejection> {
    let is_locked = *locked.0.lock().unwrap();
    if is_locked {
        return Err(Rejection::new(StatusCode::FORBIDDEN).with_detail("Locked"));
    }
    Ok("johndoe".to_owned())
}

/// What a layer of rocket or salvo has found.
#[derive(Clone)]
struct Tenant(&'static str);

#[dependency]
async fn member(
    #[security(user)] name: String,
    FromExtensions(tenant): FromExtensions<Tenant>,
) -> Result<String, Rejection> {
    assert_eq!(tenant.0, "a");
    Ok(name)
}

/// A place for the `Live` of a handler, from which a test takes it.
#[derive(Default)]
struct Taken(Mutex<Option<Live>>);

type Lives = Shared<Taken>;

/// A service, and what a test changes of it.
#[derive(Clone)]
struct Service {
    model: Shared<Model>,
    locked: Shared<Locked>,
    lives: Lives,
}

impl Service {
    /// The tokens expire in some years.
    fn new() -> Self {
        let service = Self::with(Model::default());
        service.model.expire_in(100_000_000);
        service
    }

    fn with(model: Model) -> Self {
        Self {
            model: Shared::new(model),
            locked: Shared::new(Locked::default()),
            lives: Shared::new(Taken::default()),
        }
    }

    fn lock(&self, is_locked: bool) {
        *self.locked.0.lock().unwrap() = is_locked;
    }

    /// Sends a request, and returns the `Live` of its handler.
    async fn open(&self, routes: Router, path: &str) -> Live {
        let app = routes
            .layer(Extension(self.model.clone()))
            .layer(Extension(self.locked.clone()))
            .layer(Extension(self.lives.clone()));
        let request = Request::get(path).header("authorization", "Bearer token");
        let response = app.oneshot(request.body(axum::body::Body::empty()).unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::OK);
        self.lives.0.lock().unwrap().take().unwrap()
    }
}

/// Waits for the refusal, and returns it with the seconds that it took.
async fn end(live: Live) -> (u64, RefusedRequest) {
    let begin = Instant::now();
    let refusal = live.refused().await;
    (begin.elapsed().as_secs(), refusal)
}

#[secured(user, scopes("items"))]
async fn guarded(live: Live, lives: Lives) {
    lives.0.lock().unwrap().replace(live);
}

fn routes() -> Router {
    Router::new().route("/", get(guarded))
}

#[tokio::test(start_paused = true)]
async fn ends_with_the_refusal_of_its_guard() {
    let service = Service::new();
    let live = service.open(routes(), "/").await;
    assert_eq!(service.model.asked(), 1);
    tokio::spawn({
        let service = service.clone();
        async move {
            sleep(secs(100)).await;
            service.model.say(Says::No);
        }
    });
    let (after, refusal) = end(live).await;
    assert_eq!(after, 120);
    assert_eq!(service.model.asked(), 5);
    assert_eq!(refusal.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(refusal.reason(), RejectionReason::Invalid);
    assert_eq!(
        refusal.challenge().unwrap(),
        "Bearer realm=\"live\", error=\"invalid_token\", error_description=\"The access token is expired, \
         revoked, malformed or otherwise invalid\", scope=\"items\""
    );
    assert_eq!(refusal.head().headers["authorization"], "Bearer token");
}

#[tokio::test(start_paused = true)]
async fn asks_a_dependency_again_whose_value_was_kept() {
    let service = Service::new();
    let live = service.open(routes(), "/").await.every(secs(2));
    service.lock(true);
    let (after, refusal) = end(live).await;
    assert_eq!((after, refusal.status()), (2, StatusCode::FORBIDDEN));
    assert_eq!(refusal.reason(), RejectionReason::InsufficientScope);
}

#[tokio::test(start_paused = true)]
async fn asks_the_values_of_a_handler_again() {
    #[secured]
    async fn valued(
        #[security(user)] name: String,
        lives: Lives,
        #[security(Api, scopes("items"))] _token: Verified<()>,
        live: Live,
    ) {
        assert_eq!(name, "johndoe");
        lives.0.lock().unwrap().replace(live);
    }

    let service = Service::new();
    let live = service.open(Router::new().route("/", get(valued)), "/").await;
    // One of the two tokens is that of the user.
    assert_eq!(service.model.asked(), 2);
    service.lock(true);
    assert_eq!(end(live).await.1.status(), StatusCode::FORBIDDEN);
}

/// The layer requires more than the handler counts on.
#[tokio::test(start_paused = true)]
async fn asks_the_layer_again_on_which_a_handler_counts() {
    #[secured(layer = user, scopes("items"))]
    async fn below(live: Live, lives: Lives) {
        lives.0.lock().unwrap().replace(live);
    }

    let service = Service::new();
    let routes = Router::new().route("/", get(below)).layer(layer!(user, scopes("items")));
    let live = service.open(routes, "/").await;
    assert_eq!(service.model.asked(), 1);
    service.lock(true);
    let (after, refusal) = end(live).await;
    // The layer has noted no expiry, so it is asked at the beginning.
    assert_eq!((after, refusal.status()), (0, StatusCode::FORBIDDEN));
    assert_eq!(service.model.asked(), 2);
}

/// The extractors of the framework find what they have found in the request.
#[tokio::test(start_paused = true)]
async fn extracts_from_a_copy_of_the_request() {
    #[dependency]
    async fn owner(
        #[security(Api)] _token: Verified<()>,
        Path(note): Path<u32>,
        State(notes): State<Arc<Mutex<Vec<u32>>>>,
        Extension(tenant): Extension<&'static str>,
    ) -> Result<(), Rejection> {
        assert_eq!(tenant, "a");
        match notes.lock().unwrap().contains(&note) {
            true => Ok(()),
            false => Err(Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found")),
        }
    }

    #[secured(owner)]
    async fn watch(live: Live, lives: Lives) {
        lives.0.lock().unwrap().replace(live);
    }

    let (service, notes) = (Service::new(), Arc::new(Mutex::new(vec![1, 7])));
    let routes = Router::new().route("/notes/{id}", get(watch)).with_state(notes.clone());
    let routes = Router::new().nest("/api", routes).layer(Extension("a"));
    let live = service.open(routes, "/api/notes/7").await;
    tokio::spawn(async move {
        sleep(secs(70)).await;
        notes.lock().unwrap().pop();
    });
    let (after, refusal) = end(live).await;
    assert_eq!((after, refusal.status()), (90, StatusCode::NOT_FOUND));
    assert_eq!(refusal.head().uri.path(), "/api/notes/7");
}

#[tokio::test(start_paused = true)]
async fn asks_when_a_token_expires() {
    let service = Service::new();
    service.model.expire_in(45);
    let live = service.open(routes(), "/").await.every(secs(3600));
    let (after, refusal) = end(live).await;
    assert_eq!((after, service.model.asked()), (45, 2));
    assert_eq!(refusal.status(), StatusCode::UNAUTHORIZED);
}

/// A request with the same head would be let in.
#[tokio::test(start_paused = true)]
async fn goes_on_within_the_leeway_of_the_verifier() {
    let service = Service::with(Model { leeway: secs(60), ..Model::default() });
    service.model.expire_in(45);
    let live = service.open(routes(), "/").await;
    // Asked after 30 and 45 seconds, and every 30 seconds from then on.
    assert_eq!((end(live).await.0, service.model.asked()), (105, 5));
}

#[tokio::test(start_paused = true)]
async fn an_outage_of_three_more_rounds_ends_it() {
    let service = Service::new();
    let live = service.open(routes(), "/").await;
    service.model.say(Says::Neither);
    let (after, refusal) = end(live).await;
    assert_eq!((after, service.model.asked()), (60, 5));
    assert_eq!(refusal.status(), StatusCode::SERVICE_UNAVAILABLE);
    assert_eq!(refusal.reason().as_str(), "unavailable");
}

#[tokio::test(start_paused = true)]
async fn a_shorter_outage_does_not_end_it() {
    let service = Service::new();
    let live = service.open(routes(), "/").await;
    service.model.say(Says::Neither);
    tokio::spawn({
        let service = service.clone();
        async move {
            // Undecided after 30, 40 and 50 seconds, decided after 60, and again from 90 on.
            sleep(secs(55)).await;
            service.model.say(Says::Yes);
            sleep(secs(20)).await;
            service.model.say(Says::Neither);
            sleep(secs(40)).await;
            service.model.say(Says::No);
        }
    });
    let (after, refusal) = end(live).await;
    assert_eq!((after, refusal.status()), (120, StatusCode::UNAUTHORIZED));
}

#[tokio::test(start_paused = true)]
async fn no_answer_is_undecided() {
    let service = Service::new();
    let live = service.open(routes(), "/").await;
    service.model.say(Says::Nothing);
    let (after, refusal) = end(live).await;
    // Each of four questions waits for 30 seconds.
    assert_eq!(after, 60 + 4 * 30);
    assert_eq!(refusal.reason(), RejectionReason::Unavailable);
}

#[tokio::test(start_paused = true)]
async fn a_dependency_that_panics_ends_it() {
    let service = Service::new();
    let live = service.open(routes(), "/").await;
    service.model.say(Says::Panics);
    let (after, refusal) = end(live).await;
    assert_eq!((after, refusal.status()), (30, StatusCode::INTERNAL_SERVER_ERROR));
}

#[tokio::test(start_paused = true)]
async fn asks_at_most_once_in_a_millisecond() {
    let service = Service::new();
    let live = service.open(routes(), "/").await.every(Duration::ZERO);
    tokio::spawn({
        let service = service.clone();
        async move {
            sleep(secs(1)).await;
            service.model.say(Says::No);
        }
    });
    live.refused().await;
    assert!(service.model.asked() <= 1100, "{}", service.model.asked());
    let live = Service::new().open(routes(), "/").await.every(Duration::MAX);
    assert!(tokio::time::timeout(secs(1_000_000), live.refused()).await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_stream_ends_and_is_dropped() {
    let service = Service::new();
    let live = service.open(routes(), "/").await;
    let (dropped, is_dropped) = tokio::sync::oneshot::channel::<()>();
    let items = stream::unfold(dropped, |dropped| async {
        sleep(secs(7)).await;
        Some((1, dropped))
    });
    let mut items = live.around(items).ending_with(|refusal| refusal.status().as_u16());
    tokio::spawn({
        let service = service.clone();
        async move {
            sleep(secs(10)).await;
            service.model.say(Says::No);
        }
    });
    for _ in 0..4 {
        assert_eq!(items.next().await, Some(1));
    }
    assert_eq!(items.next().await, Some(401));
    assert!(is_dropped.now_or_never().is_some());
    assert_eq!(items.next().await, None);
    // A stream that ends by itself is not asked about any more.
    service.model.say(Says::Yes);
    let live = service.open(routes(), "/").await;
    let asked = service.model.asked();
    let mut items = live.around(stream::iter([1, 2])).ending_with(|_| 401);
    assert_eq!(items.by_ref().collect::<Vec<_>>().await, [1, 2]);
    sleep(secs(100)).await;
    assert_eq!((items.next().await, service.model.asked()), (None, asked));
}

/// A client that reads nothing for an hour gets nothing of what was sent after the end.
#[tokio::test(start_paused = true)]
async fn a_stream_that_was_not_read_is_decided_first() {
    let service = Service::new();
    service.model.expire_in(20);
    let live = service.open(routes(), "/").await;
    let mut items = live.around(stream::repeat(1));
    assert_eq!(items.next().await, Some(1));
    sleep(secs(3600)).await;
    assert_eq!(items.next().await, None);
}

/// Without an answer about a token that has expired, nothing more is sent.
#[tokio::test]
async fn a_stream_waits_for_the_answer_about_a_token_that_has_expired() {
    let service = Service::new();
    *service.model.expires.lock().unwrap() = Some(Instant::now() + Duration::from_millis(50));
    let live = service.open(routes(), "/").await.every(secs(3600));
    service.model.say(Says::Nothing);
    let mut items = live.around(stream::repeat(1));
    assert_eq!(items.next().now_or_never(), Some(Some(1)));
    sleep(Duration::from_millis(100)).await;
    assert_eq!(items.next().now_or_never(), None);
}

#[tokio::test(start_paused = true)]
async fn nothing_is_asked_before_it_is_used() {
    let service = Service::new();
    let live = service.open(routes(), "/").await;
    sleep(secs(600)).await;
    assert_eq!(service.model.asked(), 1);
    drop(live);
}

/// Beside the copy of the head, with the timer that waits.
#[tokio::test]
async fn a_stream_takes_little_memory() {
    const PLAN: Plan<user> = plan!(user, scopes("items"));

    let service = Service::new();
    let request = Request::get("/").header("authorization", "Bearer token");
    let request = request.extension(service.model.clone()).extension(service.locked.clone());
    let (head, ()) = request.body(()).unwrap().into_parts();
    let (mut copy, mut waits) = (None, None);
    let of_head = allocation_counter::measure(|| copy = Some(Box::new(head.clone())));
    let of_stream = allocation_counter::measure(|| {
        waits = Some(Box::pin(PLAN.live(&head).refused()));
    });
    let mut beside = of_stream.bytes_current - of_head.bytes_current;
    while service.model.asked() == 0 {
        let waits = waits.as_mut().unwrap();
        let polled = allocation_counter::measure(|| assert!(waits.now_or_never().is_none()));
        beside += polled.bytes_current;
        sleep(Duration::from_millis(1)).await;
    }
    assert!(beside <= 512, "{beside}");
}

/// A replaced dependency is replaced each time.
#[tokio::test(start_paused = true)]
async fn a_test_replaces_what_is_asked_again() {
    let service = Service::new();
    let overrides = doorward::testing::Overrides::new().with::<user>(|| "jane".to_owned());
    let routes = routes().layer(Extension(overrides));
    let live = service.open(routes, "/").await;
    service.model.say(Says::No);
    assert!(tokio::time::timeout(secs(1000), live.refused()).await.is_err());
    assert_eq!(service.model.asked(), 0);
}

#[tokio::test(start_paused = true)]
async fn asks_at_the_beginning_if_no_expiry_is_known() {
    let service = Service::with(Model::default());
    let live = service.open(routes(), "/").await;
    service.model.expire_in(5);
    assert_eq!((end(live).await.0, service.model.asked()), (5, 3));
}

/// A dependency that verifies tokens itself.
#[tokio::test(start_paused = true)]
async fn asks_when_a_token_expires_that_a_dependency_has_verified() {
    #[http_bearer]
    struct Plain;

    #[dependency]
    async fn caller(
        #[security(Plain)] token: BearerToken,
        scopes: SecurityScopes,
        tokens: Shared<Model>,
    ) -> Result<Verified<()>, VerifyError> {
        tokens.verify(&token, scopes).await
    }

    #[dependency]
    fn name(#[security(caller)] _caller: Verified<()>) -> &'static str {
        "johndoe"
    }

    #[secured(name)]
    async fn by_hand(live: Live, lives: Lives) {
        lives.0.lock().unwrap().replace(live);
    }

    let service = Service::new();
    service.model.expire_in(45);
    let routes = Router::new().route("/", get(by_hand));
    let live = service.open(routes, "/").await.every(secs(3600));
    assert_eq!((end(live).await.0, service.model.asked()), (45, 2));
}

/// Behind a layer of the same plan, such as one around a service of tonic.
#[tokio::test(start_paused = true)]
async fn a_plan_is_asked_again_without_a_handler() {
    const PLAN: Plan<user> = plan!(user, scopes("items"));

    let service = Service::new();
    let request = Request::get("/").header("authorization", "Bearer token");
    let request = request.extension(service.model.clone()).extension(service.locked.clone());
    let (mut head, ()) = request.body(()).unwrap().into_parts();
    PLAN.resolve(&mut head).await.unwrap();
    let live = PLAN.live(&head).every(secs(2));
    tokio::spawn({
        let service = service.clone();
        async move {
            sleep(secs(3)).await;
            service.lock(true);
        }
    });
    let (after, refusal) = end(live).await;
    assert_eq!((after, refusal.status(), refusal.close_code()), (4, StatusCode::FORBIDDEN, 3003));
}

// Some frameworks want what opens a socket to be `Sync`, or a stream.
static_assertions::assert_impl_all!(Live: Send, Sync);
static_assertions::assert_impl_all!(Around<stream::BoxStream<'static, u8>>: Send, Sync);

/// Wakes the thread that waits.
struct Unpark(std::thread::Thread);

impl std::task::Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Waits without a runtime.
fn wait_for<T>(future: impl Future<Output = T>) -> T {
    let waker = Waker::from(Arc::new(Unpark(std::thread::current())));
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return value;
        }
        std::thread::park();
    }
}

/// A timer that needs no runtime: each time has its own thread.
fn sleep_by_thread(time: Duration) -> impl Future<Output = ()> + Send + 'static {
    let (ends, waits) = tokio::sync::oneshot::channel::<()>();
    std::thread::spawn(move || {
        std::thread::sleep(time);
        drop(ends);
    });
    waits.map(|_| ())
}

#[test]
fn a_timer_is_passed_in_where_no_tokio_is() {
    const PLAN: Plan<user> = plan!(user, scopes("items"));

    let service = Service::new();
    let request = Request::get("/").header("authorization", "Bearer token");
    let request = request.extension(service.model.clone()).extension(service.locked.clone());
    let (head, ()) = request.body(()).unwrap().into_parts();
    let live = || PLAN.live(&head).every(Duration::from_millis(5));
    let mut items = live().with_sleep(sleep_by_thread).around(stream::repeat(1));
    while service.model.asked() < 5 {
        assert_eq!(wait_for(items.next()), Some(1));
    }
    service.lock(true);
    assert_eq!(wait_for(live().with_sleep(sleep_by_thread).refused()).status(), 403);
    service.model.say(Says::Neither);
    assert_eq!(wait_for(live().with_sleep(sleep_by_thread).refused()).status(), 503);
    // Without one, nothing could be asked again.
    assert_eq!(wait_for(live().refused()).status(), 500);
    assert_eq!(wait_for(live().around(stream::repeat(1)).next()), None);
}

/// What happens while a stream goes on.
#[derive(Clone, Copy, Debug)]
enum Happens {
    Says(Says),
    Locked(bool),
    /// The tokens expire in this many seconds.
    Expires(u64),
}

/// Returns after how many seconds a stream ends, and with which status: the rule, as slow and simple
/// code. It goes through the seconds one by one. At the times of `at`, something happens, which a
/// question in the same second does not see yet.
fn by_the_rule(every: u64, happens: &[(u64, Happens)], end: u64) -> Option<(u64, u16)> {
    let (mut says, mut is_locked, mut expires) = (Says::Yes, false, 100_000_000);
    // What the last answer has said of the expiry, and when the next question is due.
    let (mut known, mut undecided) = (expires, 0);
    let mut due = every.min(known);
    for now in 0..=end {
        if now == due {
            let answer = match says {
                Says::Neither => 503,
                Says::No => 401,
                _ if now >= expires => 401,
                _ if is_locked => 403,
                _ => 200,
            };
            if matches!(says, Says::Yes) && now < expires {
                known = expires;
            }
            match answer {
                200 => undecided = 0,
                503 if undecided < 3 => undecided += 1,
                status => return Some((now, status)),
            }
            due = now + if undecided == 0 { every } else { every / 3 };
            if known > now {
                due = due.min(known);
            }
        }
        for (_, happens) in happens.iter().filter(|(at, _)| *at == now) {
            match *happens {
                Happens::Says(word) => says = word,
                Happens::Locked(locked) => is_locked = locked,
                Happens::Expires(seconds) => expires = now + seconds,
            }
        }
    }
    None
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(2000))]

    /// No stream goes on for longer than the rule says, and none ends sooner.
    #[test]
    fn a_stream_ends_by_the_rule(
        thirds in 2_u64..20,
        happens in proptest::collection::vec(
            (0_u64..400, proptest::prop_oneof![
                3 => proptest::strategy::Just(Happens::Says(Says::Yes)),
                2 => proptest::strategy::Just(Happens::Says(Says::Neither)),
                1 => proptest::strategy::Just(Happens::Says(Says::No)),
                1 => proptest::bool::ANY.prop_map(Happens::Locked),
                2 => (1_u64..300).prop_map(Happens::Expires),
            ]),
            0..8,
        ),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .start_paused(true)
            .build()
            .unwrap();
        let (every, end) = (3 * thirds, 1000);
        let mut happens = happens;
        happens.sort_by_key(|(at, _)| *at);
        let found = runtime.block_on(async {
            let service = Service::new();
            let live = service.open(routes(), "/").await.every(secs(every));
            let begin = Instant::now();
            let script = {
                let (service, happens) = (service.clone(), happens.clone());
                async move {
                    for (at, happens) in happens {
                        // After the question of the same second.
                        tokio::time::sleep_until(begin + secs(at) + Duration::from_millis(500)).await;
                        match happens {
                            Happens::Says(says) => service.model.say(says),
                            Happens::Locked(is_locked) => service.lock(is_locked),
                            Happens::Expires(seconds) => {
                                let expires = begin + secs(at + seconds);
                                *service.model.expires.lock().unwrap() = Some(expires);
                            }
                        }
                    }
                }
            };
            tokio::spawn(script);
            let ended = tokio::time::timeout(secs(end) + Duration::from_millis(600), live.refused());
            let refusal = ended.await.ok()?;
            Some(((begin.elapsed() + Duration::from_millis(500)).as_secs(), refusal.status().as_u16()))
        });
        proptest::prop_assert_eq!(found, by_the_rule(every, &happens, end), "{:?}", happens);
    }
}
