//! rocket 0.5: what dependencies take from the managed state is taken from the copy as well.

use ::rocket::fairing::AdHoc;
use ::rocket::http::{Header, Status};
use ::rocket::local::asynchronous::Client;
use ::rocket::{get, routes};
use doorward::live::Live;
use doorward::rocket05::Doorward;
use doorward::secured;
use doorward::testing::Overrides;

use super::{Lives, Says, Service, Tenant, end, member, secs, user};
use crate::frameworks::rocket::empty;

#[secured(member, scopes("items"))]
#[get("/guarded?<after>")]
async fn guarded(after: u8, live: Live, lives: Lives) {
    assert_eq!(after, 7);
    lives.0.lock().unwrap().replace(live);
}

async fn client(service: &Service, overrides: Overrides) -> Client {
    let fairing = AdHoc::on_request("tenant", |request, _| {
        Box::pin(async {
            request.local_cache(|| Some(Tenant("a")));
        })
    });
    let app = empty()
        .attach(Doorward)
        .attach(fairing)
        .manage(overrides)
        .manage(service.model.clone())
        .manage(service.locked.clone())
        .manage(service.lives.clone())
        .mount("/", routes![guarded]);
    Client::untracked(app).await.unwrap()
}

async fn open(service: &Service, overrides: Overrides) -> Live {
    let client = client(service, overrides).await;
    let request =
        client.get("/guarded?after=7").header(Header::new("authorization", "Bearer token"));
    assert_eq!(request.dispatch().await.status(), Status::Ok);
    service.lives.0.lock().unwrap().take().unwrap()
}

#[tokio::test(start_paused = true)]
async fn asks_its_guard_again() {
    let service = Service::new();
    let live = open(&service, Overrides::new()).await;
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
    assert_eq!(refusal.head().uri, "/guarded?after=7");
}

#[tokio::test(start_paused = true)]
async fn asks_when_a_token_expires() {
    let service = Service::new();
    service.model.expire_in(20);
    let live = open(&service, Overrides::new()).await;
    let (after, refusal) = end(live).await;
    assert_eq!((after, refusal.status()), (20, http::StatusCode::UNAUTHORIZED));
}

#[tokio::test]
async fn is_refused_at_the_beginning() {
    let service = Service::new();
    service.model.say(Says::No);
    let client = client(&service, Overrides::new()).await;
    let request =
        client.get("/guarded?after=7").header(Header::new("authorization", "Bearer token"));
    let response = request.dispatch().await;
    assert_eq!(response.status(), Status::Unauthorized);
    let challenge = response.headers().get_one("www-authenticate").unwrap();
    assert!(challenge.contains("invalid_token"), "{challenge}");
    assert_eq!(service.model.asked(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_test_replaces_what_is_asked_again() {
    let service = Service::new();
    let overrides = Overrides::new().with::<user>(|| "jane".to_owned());
    let live = open(&service, overrides).await;
    assert!(tokio::time::timeout(secs(1000), live.refused()).await.is_err());
    assert_eq!(service.model.asked(), 0);
}
