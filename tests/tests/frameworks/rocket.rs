//! rocket 0.5.

use ::rocket::http::{Header, Status};
use ::rocket::local::blocking::Client;
use ::rocket::{Build, Rocket, State, get, routes};
use tollgate::rocket05::Tollgate;
use tollgate::{Overrides, dependency, secured};

use crate::{OAuth2, user};

#[dependency]
async fn stated(#[security(user, scopes("me"))] user: String, state: &State<String>) -> String {
    format!("{state} {user}")
}

#[secured]
#[get("/own/<id>")]
async fn own(id: u32, #[security(stated, scopes("items"))] user: String) -> String {
    format!("{id} {user}")
}

/// A refusal that the handler looks at itself does not show in its response.
#[get("/maybe")]
fn maybe(found: Option<tollgate::Security<OAuth2>>) -> Option<&'static str> {
    found.map(|_| "found")
}

fn app() -> Rocket<Build> {
    let config = rocket::Config {
        log_level: rocket::config::LogLevel::Off,
        ..rocket::Config::debug_default()
    };
    rocket::custom(config)
        .manage("state".to_owned())
        .mount("/", routes![own, maybe])
}

#[test]
fn a_guard_lends_from_the_request() {
    let client = Client::untracked(app().attach(Tollgate)).unwrap();
    let request = client
        .get("/own/7")
        .header(Header::new("authorization", "Bearer john"));
    assert_eq!(
        request.dispatch().into_string().unwrap(),
        "7 state john items me"
    );
    let refused = client.get("/own/7").dispatch();
    assert_eq!(refused.status(), Status::Unauthorized);
    assert_eq!(
        refused.headers().get_one("www-authenticate"),
        Some("Bearer")
    );
    assert_eq!(client.get("/maybe").dispatch().status(), Status::NotFound);

    let overridden = app().manage(Overrides::new().with::<stated>(|| "test".to_owned()));
    let client = Client::untracked(overridden.attach(Tollgate)).unwrap();
    assert_eq!(
        client.get("/own/7").dispatch().into_string().unwrap(),
        "7 test"
    );
}

#[test]
fn a_forgotten_fairing_stops_the_launch() {
    let error = Client::untracked(app()).unwrap_err();
    assert!(
        matches!(error.kind(), rocket::error::ErrorKind::SentinelAborts(_)),
        "{error}"
    );
}
