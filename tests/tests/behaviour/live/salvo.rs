//! salvo 1: what dependencies take from the depot is taken from the copy as well.

use ::salvo::conn::{ConnCtrl, SocketAddr};
use ::salvo::{Response, Router, Writer as _, affix_state, handler};
use bytes::Bytes;
use doorward::live::Live;
use doorward::salvo1::asked;
use doorward::testing::Overrides;
use doorward::{layer, secured};
use http::Request;

use super::{Lives, Says, Service, Tenant, end, member, secs, user};

#[secured(member, scopes("items"))]
#[handler]
async fn guarded(live: Live, lives: Lives) {
    lives.0.lock().unwrap().replace(live);
}

/// The layer keeps the user, who is found again nevertheless.
#[secured(layer = user, scopes("items"))]
#[handler]
async fn below(#[security(user, scopes("items"))] _name: String, live: Live, lives: Lives) {
    lives.0.lock().unwrap().replace(live);
}

async fn answer(service: &Service, overrides: Overrides, path: &str) -> Response {
    let router = Router::with_hoop(affix_state::inject(service.model.clone()))
        .hoop(affix_state::inject(service.locked.clone()))
        .hoop(affix_state::inject(service.lives.clone()))
        .hoop(affix_state::inject(Tenant("a")))
        .hoop(affix_state::inject(overrides))
        .push(Router::with_path("guarded").get(guarded))
        .push(Router::with_path("below").hoop(layer!(user, scopes("items"))).get(below));
    let request = Request::get(format!("http://a/{path}")).header("authorization", "Bearer token");
    let request = asked(request.body(Bytes::new()).unwrap());
    let (address, scheme) = (SocketAddr::Unknown, request.scheme().clone());
    ::salvo::Service::new(router)
        .hyper_handler(address.clone(), address, scheme, None, ConnCtrl::new(), None)
        .handle(request)
        .await
}

async fn open(service: &Service, overrides: Overrides, path: &str) -> Live {
    let response = answer(service, overrides, path).await;
    assert!(response.status_code.is_none_or(|status| status == 200), "{response:?}");
    service.lives.0.lock().unwrap().take().unwrap()
}

#[tokio::test(start_paused = true)]
async fn asks_its_guard_again() {
    let service = Service::new();
    let live = open(&service, Overrides::new(), "guarded").await;
    // By the copy, and by the guard.
    assert_eq!(service.model.asked(), 2);
    tokio::spawn({
        let service = service.clone();
        async move {
            tokio::time::sleep(secs(40)).await;
            service.lock(true);
        }
    });
    let (after, refusal) = end(live).await;
    assert_eq!(
        (after, refusal.status(), refusal.close_code()),
        (60, http::StatusCode::FORBIDDEN, 3003)
    );
    assert_eq!(refusal.head().uri.path(), "/guarded");
}

#[tokio::test(start_paused = true)]
async fn asks_the_layer_again_on_which_it_counts() {
    let service = Service::new();
    service.model.expire_in(20);
    let live = open(&service, Overrides::new(), "below").await;
    let (after, refusal) = end(live).await;
    assert_eq!((after, refusal.status()), (20, http::StatusCode::UNAUTHORIZED));
}

#[tokio::test]
async fn is_refused_at_the_beginning() {
    let service = Service::new();
    service.model.say(Says::No);
    let response = answer(&service, Overrides::new(), "guarded").await;
    assert_eq!(response.status_code, Some(http::StatusCode::UNAUTHORIZED));
    let challenge = response.headers()["www-authenticate"].to_str().unwrap();
    assert!(challenge.contains("invalid_token"), "{challenge}");
    assert_eq!(service.model.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_test_replaces_what_is_asked_again() {
    let service = Service::new();
    let overrides = Overrides::new().with::<user>(|| "jane".to_owned());
    let live = open(&service, overrides, "guarded").await;
    assert!(tokio::time::timeout(secs(1000), live.refused()).await.is_err());
    assert_eq!(service.model.asked(), 0);
}
