//! A rejection with a detail, and replacements that refuse or see the request, on each framework.

use doorward::testing::Overrides;
use doorward::{Rejection, SecurityScopes, dependency, secured};
use http::request::Parts;
use http::{Request, StatusCode};

use super::each::{self, Answer, Asked, Framework, each_framework};
use super::user;

const INACTIVE: Rejection = Rejection::new(StatusCode::BAD_REQUEST)
    .with_detail("Inactive \"user\"")
    .with_challenge("Bearer")
    .with_headers(&[("x-reason", "inactive"), ("x-reason", "really")]);
const BODY: &str = r#"{"detail":"Inactive \"user\""}"#;

#[dependency]
fn inactive() -> Result<String, Rejection> {
    Err(INACTIVE)
}

/// Replaces [`user`] by a function that waits, and refuses what requires `items`.
fn replaced() -> Overrides {
    Overrides::new().with_fn::<user>(|scopes: SecurityScopes| async move {
        tokio::task::yield_now().await;
        match scopes.check("me") {
            Ok(()) => Ok(format!("test {}", scopes.scope_str())),
            Err(_) => Err(INACTIVE),
        }
    })
}

/// Replaces [`user`] by a function that takes what it needs from the request.
fn seeing() -> Overrides {
    Overrides::new().with_request_fn::<user>(|head: Parts, scopes: SecurityScopes| async move {
        tokio::task::yield_now().await;
        let name = head.uri.query().and_then(|query| query.strip_prefix("name="));
        let name = name.ok_or(INACTIVE)?;
        let role = head.headers.get("x-role").map_or(&b"none"[..], |role| role.as_bytes());
        let role = String::from_utf8_lossy(role);
        let (method, path) = (&head.method, head.uri.path());
        Ok(format!("{method} {path} {name} {role} {}", scopes.scope_str()))
    })
}

fn asked(path: &str, overrides: Overrides) -> Asked {
    let request = Request::get(path).header("x-role", "admin");
    request.extension(overrides).body("").unwrap()
}

fn assert_refused(response: &Answer, framework: &str) {
    let found = (response.status().as_u16(), &**response.body());
    assert_eq!(found, (400, BODY), "{framework}");
    let lines = response.headers().get_all("x-reason").iter();
    assert!(lines.eq(["inactive", "really"]), "{framework}");
    assert_eq!(response.headers()["www-authenticate"], "Bearer", "{framework}");
    let content_type = &response.headers()["content-type"];
    assert_eq!(content_type, "application/json", "{framework}");
}

#[test]
fn a_dependency_refuses() {
    for (framework, ask) in each_framework!(inactive) {
        assert_refused(&ask(Request::new("")), framework);
    }
}

#[test]
fn a_replacement_sees_the_scopes_and_the_request() {
    for (framework, ask) in each_framework!(user, scopes("me")) {
        let by_value = Overrides::new().with::<user>(|| "test".to_owned());
        assert_eq!(ask(asked("/", by_value)).body(), "test", "{framework}");
        let replaced = ask(asked("/", replaced()));
        let found = (replaced.status().as_u16(), &**replaced.body());
        assert_eq!(found, (200, "test me"), "{framework}");
        let seen = ask(asked("/who?name=johndoe", seeing()));
        assert_eq!(seen.body(), "GET /who johndoe admin me", "{framework}");
    }
}

/// The first requirement is met, and the second is not.
#[test]
fn a_replacement_refuses() {
    #[secured(user, scopes("me"))]
    async fn guarded(#[security(user, scopes("items"))] user: String) -> String {
        user
    }
    #[secured]
    async fn both(
        #[security(user, scopes("me"))] first: String,
        #[security(user, scopes("items"))] _second: String,
    ) -> String {
        first
    }
    let of_two: [Framework; 2] = [
        ("axum, a guard", |asked| each::axum(axum::Router::new().fallback(guarded), asked)),
        ("actix-web, two parameters", |asked| each::actix_web(actix_web::web::to(both), asked)),
    ];
    for (framework, ask) in each_framework!(user, scopes("items")).into_iter().chain(of_two) {
        assert_refused(&ask(asked("/", replaced())), framework);
        assert_refused(&ask(asked("/who", seeing())), framework);
    }
}
