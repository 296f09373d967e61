//! Published holes that compile: what catches them at run time or in review, if anything does. The
//! compile errors of the others are in `tests/ui/cases` and `tests/ui/frameworks`. The guide has a
//! table of them in `security.md`.

use std::collections::HashMap;
use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::StatusCode;
use doorward::axum08::Router;
use doorward::axum08::routing::{get, post};
use doorward::{
    BearerError, BearerToken, Rejection, SecurityScopes, dependency, http_bearer, layer, public,
    secured,
};

use super::asking;

#[http_bearer(scopes("admin" = "Change the service."))]
struct Tokens;

/// The user that the token names, with the rights that it lists: `johndoe:admin`.
#[dependency]
fn user(
    #[security(Tokens)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<String, BearerError> {
    let (name, granted) = token.as_str().split_once(':').ok_or_else(|| scopes.invalid_token())?;
    scopes.check(granted)?;
    Ok(name.to_owned())
}

/// Asks for a path, with a token.
async fn ask(app: &Router, path: &str, token: &str) -> StatusCode {
    asking::ask_with(app.clone(), path, Some(token)).await.status()
}

/// Asks for a path, without a token.
async fn ask_as_nobody(app: &Router, path: &str) -> StatusCode {
    asking::ask_with(app.clone(), path, None).await.status()
}

mod a_route_beside_the_layers {
    use axum::Router as PlainRouter;
    use axum::body::Bytes;
    use doorward::testing::RefuseUndecided;

    use super::*;

    async fn upload(file: Bytes) -> String {
        format!("stored {} bytes", file.len())
    }

    fn app() -> PlainRouter {
        let uploads = PlainRouter::new().route("/agents/{id}/upload", axum::routing::post(upload));
        let agents = PlainRouter::new().route("/agents", axum::routing::get(async || "agents"));
        agents.layer(layer!(user)).merge(uploads)
    }

    #[tokio::test]
    async fn is_open_without_a_door_and_found_by_a_test() {
        for (app, expected) in [
            (app(), StatusCode::OK),
            (app().layer(RefuseUndecided::new()), StatusCode::INTERNAL_SERVER_ERROR),
        ] {
            let answer = asking::ask(app.clone(), "/agents", &[]).await;
            assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
            let upload = asking::request("POST /agents/1/upload", &[], "file");
            assert_eq!(asking::answer(app, upload).await.status(), expected);
        }
    }
}

mod a_layer_that_was_never_added {
    use super::*;

    #[secured(layer = user)]
    async fn sessions() -> &'static str {
        "the sessions"
    }

    fn app() -> Router {
        Router::new().route("/sessions", get(sessions))
    }

    #[tokio::test]
    async fn is_a_500_for_everyone() {
        let app = app();
        for answer in
            [ask_as_nobody(&app, "/sessions").await, ask(&app, "/sessions", "johndoe:").await]
        {
            assert_eq!(answer, StatusCode::INTERNAL_SERVER_ERROR);
        }
        let app = app.layer(layer!(user));
        assert_eq!(ask_as_nobody(&app, "/sessions").await, StatusCode::UNAUTHORIZED);
        assert_eq!(ask(&app, "/sessions", "johndoe:").await, StatusCode::OK);
    }
}

mod a_write_among_the_reads {
    use super::*;

    #[secured(user)]
    async fn configuration() {}

    #[secured(user)]
    async fn configure() {}

    #[secured(user, scopes("admin"))]
    async fn install() {}

    #[test]
    fn stands_out_in_the_table() {
        let reads = Router::new().route("/{id}/config", get(configuration).post(configure));
        let writes = Router::new().route("/{id}/install", post(install));
        let app: Router = Router::new().nest("/plugins", reads.merge(writes));
        assert_eq!(
            app.routes().to_string(),
            "\
GET   /plugins/{id}/config   Tokens
POST  /plugins/{id}/config   Tokens
POST  /plugins/{id}/install  Tokens(admin)
"
        );
    }
}

mod routes_for_local_testing {
    use super::*;

    #[public(reason = "for local tests")]
    async fn install() {}

    #[public(reason = "load balancers ask it")]
    async fn health() {}

    #[test]
    fn have_their_reason_in_the_table() {
        let app: Router =
            Router::new().route("/dev/install", post(install)).route("/health", get(health));
        assert_eq!(
            app.routes().to_string(),
            "\
POST  /dev/install  public: for local tests
GET   /health       public: load balancers ask it
"
        );
    }
}

mod an_object_of_another_tenant {
    use doorward::axum08::asked;
    use tower::ServiceExt;

    use super::*;

    #[derive(Clone)]
    struct Suite {
        owner: &'static str,
    }

    static SUITES: LazyLock<HashMap<u32, Suite>> = LazyLock::new(|| {
        HashMap::from([(1, Suite { owner: "johndoe" }), (2, Suite { owner: "alice" })])
    });

    const NOT_FOUND: Rejection = Rejection::new(StatusCode::NOT_FOUND).with_detail("Not Found");

    #[secured]
    async fn any_suite(
        #[security(user)] _user: String,
        Path(id): Path<u32>,
    ) -> Result<&'static str, Rejection> {
        SUITES.get(&id).map(|suite| suite.owner).ok_or(NOT_FOUND)
    }

    #[dependency]
    fn suite(#[security(user)] user: String, Path(id): Path<u32>) -> Result<Suite, Rejection> {
        SUITES.get(&id).filter(|suite| suite.owner == user).cloned().ok_or(NOT_FOUND)
    }

    #[secured]
    async fn own_suite(#[security(suite)] suite: Suite) -> &'static str {
        suite.owner
    }

    #[tokio::test]
    async fn is_refused_by_a_dependency_alone() {
        let app: Router =
            Router::new().route("/any/{id}", get(any_suite)).route("/own/{id}", get(own_suite));
        for (path, expected) in [
            ("/any/1", StatusCode::OK),
            ("/any/2", StatusCode::OK),
            ("/own/1", StatusCode::OK),
            ("/own/2", StatusCode::NOT_FOUND),
            ("/own/3", StatusCode::NOT_FOUND),
        ] {
            assert_eq!(ask(&app, path, "johndoe:").await, expected, "{path}");
        }
    }

    /// The suite 1 is johndoe's.
    #[tokio::test]
    async fn shows_in_a_matrix_of_who_may_call_what() {
        let app: Router =
            Router::new().route("/any/{id}", get(any_suite)).route("/own/{id}", get(own_suite));
        let routes = app.routes();
        let token = |text: &str| BearerToken::try_from(text).unwrap();
        let callers = routes
            .asked_by("johndoe", token("johndoe:"))
            .asked_by("alice", token("alice:"))
            .sample("/any/{id}", "/any/1")
            .sample("/own/{id}", "/own/1");
        let who = callers.table(|ask| app.clone().oneshot(asked(ask))).await.unwrap();
        let expected = "                johndoe  alice
GET  /any/{id}  in       in
GET  /own/{id}  in       404
";
        assert_eq!(who.to_string(), expected);
    }

    #[test]
    fn shows_in_the_table_if_a_dependency_refuses_it() {
        let app: Router =
            Router::new().route("/any/{id}", get(any_suite)).route("/own/{id}", get(own_suite));
        let table = app.routes().to_string();
        assert_eq!(
            table,
            "\
GET  /any/{id}  Tokens
GET  /own/{id}  Tokens via suite
"
        );
    }
}
