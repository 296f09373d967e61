use axum::extract::Request;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use doorward::axum08::{Router, routing::get};
use doorward::http::StatusCode;
use doorward::verify::Verified;
use doorward::{Rejection, dependency, http_bearer, secured};
use tracing::{Instrument, Span, field::Empty, info_span};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

#[http_bearer(scopes("items" = "Read items."), verified = Claims)]
struct Api;

/// Notes the caller, before any scope or role is asked for.
#[dependency]
fn seen(#[security(Api)] caller: Verified<Claims>) {
    Span::current().record("user", &*caller.sub);
}

#[secured(seen)] // the first guard
#[secured(Api, scopes("items"))]
async fn items() -> &'static str {
    "the items"
}

/// Gives each event of doorward the path and the caller of its request.
async fn noted(request: Request, next: Next) -> Response {
    let span = info_span!("request", path = request.uri().path(), user = Empty);
    next.run(request).instrument(span).await
}

const NOT_AN_ADMIN: Rejection = Rejection::new(StatusCode::FORBIDDEN);

#[dependency]
fn admin(#[security(Api)] caller: Verified<Claims>) -> Result<(), Rejection> {
    if caller.sub == "rita" { Ok(()) } else { Err(NOT_AN_ADMIN) }
}

#[secured(seen)]
#[secured(admin)]
async fn purge() -> &'static str {
    "no items are left"
}

fn app() -> Router {
    Router::new().route("/items", get(items)).route("/purge", get(purge)).layer(from_fn(noted))
}

#[tokio::test]
async fn the_log_names_the_caller() {
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use doorward::Shared;
    use doorward::testing::TestAuthority;
    use tracing_subscriber::EnvFilter;

    use super::{answer, bearer};

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().write(text)
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter(EnvFilter::new("info,doorward=debug"))
        .with_ansi(false)
        .with_writer(move || writer.clone());
    // With one subscriber alone, `tracing` asks the thread that is the first to reach an event whether
    // anybody listens, and keeps the answer for all threads, so there is a second one.
    let _second = tracing::Dispatch::new(tracing::subscriber::NoSubscriber::new());
    let _logged = tracing::subscriber::set_default(subscriber.finish());
    let authority = TestAuthority::new("https://api.example.com").unwrap();
    let tokens = authority.verifier::<Claims>().build().await.unwrap();
    let app = app().extension(Shared::new(tokens));
    let token = |user: &str, scope: &str| authority.token(user).scopes([scope]).sign().unwrap();
    for (path, token, expected) in [
        ("/items", token("johndoe", "items"), 200),
        ("/items", token("johndoe", "other"), 403),
        ("/purge", token("alice", "items"), 403),
        ("/items", doorward::BearerToken::try_from("invented").unwrap(), 401),
    ] {
        assert_eq!(answer(&app, bearer(path, &token)).await.0, expected);
    }
    let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let lines = log.lines().filter(|line| line.contains(r#"outcome="refused""#));
    let lines = Vec::from_iter(lines.map(|line| line.split_once("DEBUG ").unwrap().1));
    let expected = [
        r#"request{path="/items" user="johndoe"}"#,
        r#"request{path="/purge" user="alice"}"#,
        r#"request{path="/items"}"#,
    ];
    for (line, begin) in lines.iter().zip(expected) {
        assert!(line.starts_with(begin), "{log}");
    }
    assert_eq!(lines.len(), 3, "{log}");
}
