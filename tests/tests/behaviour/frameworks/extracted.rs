//! The value of a dependency as an extractor, in handlers without `#[secured]`.

use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering};

use ::axum::extract::{FromRef, State};
use ::axum::response::Response;
use ::poem::EndpointExt as _;
use ::rocket::error::ErrorKind;
use ::rocket::local::blocking::Client;
use ::salvo::Writer;
use doorward::head::FromExtensions;
use doorward::rocket05::{Doorward, Refused};
use doorward::salvo1::{Attempt, Refusal};
use doorward::testing::Overrides;
use doorward::verify::ClientCertificate;
use doorward::{
    BearerError, BearerToken, Rejection, SecurityScopes, Shared, dependency, http_bearer, layer,
    one_of, secured,
};
use http::Request;
use http::header::{AUTHORIZATION, CONNECTION, CONTENT_LENGTH, HOST};

use super::each::{self, Answer, Asked, Framework};
use super::rocket::empty;
use super::{OAuth2, user};

/// salvo makes an `Option` of what serde knows alone.
#[derive(Debug, serde::Deserialize)]
struct AuthUser(String);

#[dependency(extract)]
fn auth_user(
    #[security(OAuth2)] token: BearerToken,
    scopes: SecurityScopes,
) -> Result<AuthUser, BearerError> {
    assert!(scopes.scopes().is_empty());
    match token.as_str() {
        "good" => Ok(AuthUser("john".to_owned())),
        _ => Err(scopes.invalid_token()),
    }
}

/// Alternatives as an extractor.
#[one_of(extract)]
enum Guest {
    #[security(auth_user)]
    User(AuthUser),
    Nobody,
}

async fn visit(guest: Guest) -> String {
    match guest {
        Guest::User(user) => user.0,
        Guest::Nobody => "nobody".to_owned(),
    }
}

async fn me(user: AuthUser) -> String {
    user.0
}

async fn maybe(user: Option<AuthUser>) -> String {
    user.map_or_else(|| "nobody".to_owned(), |user| user.0)
}

async fn result_on_axum(user: Result<AuthUser, Response>) -> String {
    user.map_or_else(|_| "refused".to_owned(), |user| user.0)
}

async fn result_on_actix_web(user: Result<AuthUser, actix_web::Error>) -> String {
    user.map_or_else(|_| "refused".to_owned(), |user| user.0)
}

#[poem::handler]
async fn result_on_poem(user: poem::Result<AuthUser>) -> String {
    user.map_or_else(|_| "refused".to_owned(), |user| user.0)
}

#[rocket::get("/<_..>")]
async fn result_on_rocket(user: Result<AuthUser, Refused>) -> String {
    user.map_or_else(|_| "refused".to_owned(), |user| user.0)
}

#[salvo::handler]
async fn result_on_salvo(user: Attempt<AuthUser, Refusal>) -> String {
    user.0.map_or_else(|_| "refused".to_owned(), |user| user.0)
}

macro_rules! on_axum {
    ($handler:expr) => {
        |asked| each::axum(axum::Router::new().fallback($handler), asked)
    };
}

macro_rules! on_actix_web {
    ($handler:expr) => {
        |asked| each::actix_web(actix_web::web::to($handler), asked)
    };
}

macro_rules! on_salvo {
    ($handler:expr) => {
        |asked| each::salvo(salvo::Router::with_path("{**rest}").goal($handler), asked)
    };
}

/// Declares the handlers of a value on each framework, and how the frameworks answer with them.
macro_rules! frameworks {
    ($module:ident: $handler:ident($value:ty)) => {
        mod $module {
            use super::*;

            type Value = $value;

            #[poem::handler]
            async fn on_poem(value: Value) -> String {
                $handler(value).await
            }

            #[rocket::get("/<_..>")]
            async fn got_on_rocket(value: Value) -> String {
                $handler(value).await
            }

            #[rocket::post("/<_..>")]
            async fn posted_on_rocket(value: Value) -> String {
                $handler(value).await
            }

            #[salvo::handler]
            async fn on_salvo(value: Value) -> String {
                $handler(value).await
            }

            pub(super) fn routes_of_rocket() -> Vec<rocket::Route> {
                rocket::routes![got_on_rocket, posted_on_rocket]
            }

            pub(super) const FRAMEWORKS: [Framework; 5] = [
                ("axum", on_axum!($handler)),
                ("actix-web", on_actix_web!($handler)),
                ("poem", |asked| each::poem(on_poem, asked)),
                ("rocket", |asked| each::rocket(routes_of_rocket(), asked)),
                ("salvo", on_salvo!(on_salvo)),
            ];
        }
    };
}

frameworks!(taking: me(AuthUser));
frameworks!(optional: maybe(Option<AuthUser>));
frameworks!(alternatives: visit(Guest));

const RESULTS: [Framework; 5] = [
    ("axum", on_axum!(result_on_axum)),
    ("actix-web", on_actix_web!(result_on_actix_web)),
    ("poem", |asked| each::poem(result_on_poem, asked)),
    ("rocket", |asked| each::rocket(rocket::routes![result_on_rocket], asked)),
    ("salvo", on_salvo!(result_on_salvo)),
];

fn asked(lines: &[&str]) -> Asked {
    let mut request = Request::get("/");
    for line in lines {
        request = request.header(AUTHORIZATION, *line);
    }
    request.body("").unwrap()
}

fn seen(answer: &Answer) -> (u16, &str) {
    (answer.status().as_u16(), answer.body())
}

fn challenge(answer: &Answer) -> &str {
    answer.headers()["www-authenticate"].to_str().unwrap()
}

#[test]
fn a_value_is_an_extractor() {
    for (framework, ask) in taking::FRAMEWORKS {
        let missing = ask(asked(&[]));
        let refused = (401, r#"{"detail":"Not authenticated"}"#);
        assert_eq!(seen(&missing), refused, "{framework}");
        assert_eq!(challenge(&missing), "Bearer", "{framework}");
        let wrong = ask(asked(&["Bearer wrong"]));
        assert_eq!(wrong.status(), 401, "{framework}");
        assert!(challenge(&wrong).contains("invalid_token"), "{framework}");
        assert_eq!(seen(&ask(asked(&["Bearer good"]))), (200, "john"), "{framework}");
    }
}

/// axum tells nobody from a wrong token. The others make an `Option` of any extractor.
#[test]
fn an_optional_value_is_none_without_a_token() {
    for (framework, ask) in optional::FRAMEWORKS {
        assert_eq!(seen(&ask(asked(&[]))), (200, "nobody"), "{framework}");
        let wrong = ask(asked(&["Bearer wrong"]));
        if framework == "axum" {
            assert_eq!(wrong.status(), 401);
            assert!(challenge(&wrong).contains("invalid_token"));
        } else {
            assert_eq!(seen(&wrong), (200, "nobody"), "{framework}");
        }
        assert_eq!(seen(&ask(asked(&["Bearer good"]))), (200, "john"), "{framework}");
    }
}

/// An enum tells nobody from a wrong token on every framework.
#[test]
fn alternatives_are_an_extractor() {
    for (framework, ask) in alternatives::FRAMEWORKS {
        assert_eq!(seen(&ask(asked(&[]))), (200, "nobody"), "{framework}");
        let wrong = ask(asked(&["Bearer wrong"]));
        assert_eq!(wrong.status(), 401, "{framework}");
        assert!(challenge(&wrong).contains("invalid_token"), "{framework}");
        let good = ask(asked(&["Bearer good"]));
        assert_eq!(seen(&good), (200, "john"), "{framework}");
    }
}

#[test]
fn a_handler_takes_the_refusal() {
    for (framework, ask) in RESULTS {
        for (lines, expected) in
            [(&[][..], "refused"), (&["Bearer wrong"], "refused"), (&["Bearer good"], "john")]
        {
            assert_eq!(seen(&ask(asked(lines))), (200, expected), "{framework}");
        }
    }
}

/// What a layer has put into the request.
#[dependency]
fn certified(
    #[security(OAuth2)] _token: BearerToken,
    FromExtensions(certificate): FromExtensions<ClientCertificate>,
) -> String {
    format!("{certificate:?}")
}

#[test]
fn a_dependency_takes_what_a_layer_has_put_into_the_request() {
    let certificate = ClientCertificate::from_der(&b"DER"[..]);
    for (framework, ask) in each::each_framework!(certified) {
        let mut request = asked(&["Bearer good"]);
        assert_eq!(ask(request.clone()).status(), 500, "{framework}");
        request.extensions_mut().insert(certificate.clone());
        assert_eq!(seen(&ask(request)), (200, &*format!("{certificate:?}")), "{framework}");
    }
}

/// What a layer of ours has found. A layer of salvo leaves it in the depot.
#[test]
fn a_dependency_takes_what_a_layer_has_found() {
    #[dependency]
    fn shown(FromExtensions(found): FromExtensions<String>) -> Result<(), Rejection> {
        let is_found = found == "john items";
        is_found.then_some(()).ok_or(Rejection::new(::http::StatusCode::FORBIDDEN))
    }

    #[secured(layer = user, scopes("items"))]
    #[secured(shown)]
    async fn shows() -> &'static str {
        "shown"
    }
    #[secured(layer = user, scopes("items"))]
    #[secured(shown)]
    #[poem::handler]
    async fn shows_on_poem() -> &'static str {
        "shown"
    }
    #[secured(layer = user, scopes("items"))]
    #[secured(shown)]
    #[salvo::handler]
    async fn shows_on_salvo() -> &'static str {
        "shown"
    }

    let frameworks: [Framework; 4] = [
        ("axum", |asked| {
            let app = axum::Router::new().fallback(shows);
            each::axum(app.layer(layer!(user, scopes("items"))), asked)
        }),
        ("actix-web", |asked| {
            let route = actix_web::web::to(shows);
            each::actix_web(route.wrap(layer!(user, scopes("items"))), asked)
        }),
        ("poem", |asked| each::poem(shows_on_poem.with(layer!(user, scopes("items"))), asked)),
        ("salvo", |asked| {
            let router = salvo::Router::with_path("{**rest}");
            let router = router.hoop(layer!(user, scopes("items"))).goal(shows_on_salvo);
            each::salvo(router, asked)
        }),
    ];
    for (framework, ask) in frameworks {
        assert_eq!(seen(&ask(asked(&["Bearer john"]))), (200, "shown"), "{framework}");
        assert_eq!(ask(asked(&["Bearer jane"])).status(), 403, "{framework}");
    }
}

/// The doors of axum, actix-web and rocket take handlers that take their caller.
#[test]
fn rockets_door_takes_a_handler_with_its_caller() {
    #[rocket::get("/<_..>")]
    async fn beside_a_page(page: &rocket::http::uri::Origin<'_>, user: AuthUser) -> String {
        format!("{} {page}", user.0)
    }

    let routes = doorward::rocket05::routes![beside_a_page];
    assert_eq!(seen(&each::rocket(routes.clone(), asked(&["Bearer good"]))), (200, "john /"));
    assert_eq!(each::rocket(routes, asked(&[])).status(), 401);
}

#[rocket::get("/<_..>")]
async fn printed_on_rocket(user: Result<AuthUser, Refused>) -> String {
    user.map_or_else(|refused| format!("{refused:?}"), |user| user.0)
}

/// Rocket logs the error of a guard as `Debug` prints it.
#[test]
fn the_refusal_of_rocket_names_the_dependency_and_the_reason() {
    for (lines, expected) in [
        (&[][..], "`auth_user` refused with 401: missing"),
        (&["Bearer good", "Bearer good"], "`auth_user` refused with 401: repeated"),
        (&["Bearer wrong"], "`auth_user` refused with 401"),
    ] {
        let answer = each::rocket(rocket::routes![printed_on_rocket], asked(lines));
        assert_eq!(seen(&answer), (200, expected));
    }
}

#[test]
fn a_body_that_nobody_has_read_closes_the_connection() {
    for (framework, ask) in taking::FRAMEWORKS.into_iter().filter(|(name, _)| *name != "actix-web")
    {
        let request = Request::post("/").header(CONTENT_LENGTH, "5");
        let request = request.header(HOST, "a").header(CONNECTION, "keep-alive");
        let refused = ask(request.body("hello").unwrap());
        assert_eq!(refused.status(), 401, "{framework}");
        assert_eq!(refused.headers()[CONNECTION], "close", "{framework}");
    }
}

#[test]
fn a_test_replaces_the_dependency() {
    for (framework, ask) in taking::FRAMEWORKS.into_iter().chain(optional::FRAMEWORKS) {
        let replaced = Overrides::new().with::<auth_user>(|| AuthUser("test".to_owned()));
        let mut request = asked(&[]);
        request.extensions_mut().insert(replaced);
        assert_eq!(seen(&ask(request)), (200, "test"), "{framework}");
    }
    // What a test puts in place decides who is anonymous.
    let refusing = || {
        Overrides::new().with_fn::<auth_user>(|_: SecurityScopes| async {
            Err(Rejection::new(http::StatusCode::FORBIDDEN))
        })
    };
    for (framework, ask) in taking::FRAMEWORKS.into_iter().chain([optional::FRAMEWORKS[0]]) {
        let mut request = asked(&[]);
        request.extensions_mut().insert(refusing());
        assert_eq!(ask(request).status(), 403, "{framework}");
    }
}

/// A credential of the scheme that is there, in whatever form, is not nobody's.
#[test]
fn on_axum_a_wrong_credential_is_refused() {
    let ask = on_axum!(maybe);
    for (lines, expected) in [
        (&["Basic am9objpwYXNz"][..], 200),
        (&["Bearer"], 401),
        (&["Bearer good", "Bearer good"], 401),
        (&["bearer wrong"], 401),
        (&["Bearer good"], 200),
    ] {
        assert_eq!(ask(asked(lines)).status(), expected, "{lines:?}");
    }
}

#[http_bearer(auto_error = false)]
struct Optional;

#[derive(Debug)]
struct Visitor(String);

/// The function itself refuses a request without a token.
#[dependency(extract)]
fn visitor(#[security(Optional)] token: Option<BearerToken>) -> Result<Visitor, Rejection> {
    let token = token.ok_or(Rejection::NOT_AUTHENTICATED)?;
    match token.as_str() {
        "good" => Ok(Visitor("john".to_owned())),
        _ => Err(Rejection::NOT_AUTHENTICATED),
    }
}

#[derive(Debug)]
struct Banned;

/// There is no scheme below, so nobody knows whether a credential is there.
#[dependency(extract)]
fn banned() -> Result<Banned, Rejection> {
    Err(Rejection::new(http::StatusCode::FORBIDDEN))
}

#[derive(Debug)]
struct Pooled;

/// The pool is not installed.
#[dependency(extract, unverified)]
fn pooled(_pool: Shared<u32>, #[security(OAuth2)] _token: BearerToken) -> Pooled {
    Pooled
}

#[test]
fn on_axum_nobody_is_who_has_no_credential_of_a_scheme() {
    async fn who(visitor: Option<Visitor>) -> String {
        visitor.map_or_else(|| "nobody".to_owned(), |visitor| visitor.0)
    }
    async fn ban(banned: Option<Banned>) -> String {
        format!("{banned:?}")
    }
    async fn pool(pooled: Option<Pooled>) -> String {
        format!("{pooled:?}")
    }
    let who = on_axum!(who);
    assert_eq!(seen(&who(asked(&[]))), (200, "nobody"));
    assert_eq!(who(asked(&["Bearer wrong"])).status(), 401);
    assert_eq!(seen(&who(asked(&["Bearer good"]))), (200, "john"));
    assert_eq!(on_axum!(ban)(asked(&[])).status(), 403);
    assert_eq!(on_axum!(pool)(asked(&[])).status(), 500);
}

/// A refusal is never a success.
#[test]
fn a_success_is_no_refusal() {
    struct Never;
    struct Success;

    impl ::axum::response::IntoResponse for Success {
        fn into_response(self) -> Response {
            "let in".into_response()
        }
    }

    #[dependency(extract)]
    fn never() -> Result<Never, Success> {
        Err(Success)
    }

    async fn let_in(_never: Never) -> &'static str {
        "let in"
    }
    assert_eq!(seen(&on_axum!(let_in)(asked(&[]))), (500, ""));
}

#[derive(Clone)]
struct Names(&'static str);

#[derive(Clone)]
struct AppState {
    names: Names,
}

impl FromRef<AppState> for Names {
    fn from_ref(state: &AppState) -> Self {
        state.names.clone()
    }
}

struct Member(String);

type FoundResult<T> = Result<T, BearerError>;

/// Takes a part of the state, and names its `Result` by an alias.
#[dependency(extract, name = Membership)]
async fn member(
    #[security(auth_user)] user: AuthUser,
    State(names): State<Names>,
) -> FoundResult<Member> {
    Ok(Member(format!("{} {}", user.0, names.0)))
}

#[test]
fn a_dependency_takes_the_state_of_axum() {
    async fn own(member: Member, State(state): State<AppState>) -> String {
        format!("{} {}", member.0, state.names.0)
    }
    async fn maybe(member: Option<Member>) -> String {
        member.map_or_else(|| "nobody".to_owned(), |member| member.0)
    }
    let app = || {
        let app = axum::Router::new().route("/", axum::routing::get(own));
        let app = app.route("/maybe", axum::routing::get(maybe));
        app.with_state(AppState { names: Names("smith") })
    };
    let good = asked(&["Bearer good"]);
    assert_eq!(seen(&each::axum(app(), good)), (200, "john smith smith"));
    assert_eq!(each::axum(app(), asked(&[])).status(), 401);
    let mut request = asked(&[]);
    *request.uri_mut() = "/maybe".parse().unwrap();
    assert_eq!(seen(&each::axum(app(), request)), (200, "nobody"));
}

static RUNS: AtomicUsize = AtomicUsize::new(0);

#[derive(Clone)]
struct Counted(usize);

#[dependency(cached, extract)]
fn counted(#[security(auth_user)] _user: AuthUser) -> Counted {
    Counted(RUNS.fetch_add(1, Ordering::Relaxed))
}

/// An extracted value and a `#[secured]` one of the same handler are one run of a cached
/// dependency.
#[test]
fn a_cached_value_is_extracted_once() {
    #[secured]
    async fn twice(
        first: Counted,
        #[security(counted)] second: Counted,
        third: Option<Counted>,
        #[security(user, scopes("me"))] user: String,
    ) -> String {
        let third = third.map(|third| third.0);
        format!("{} {} {third:?} {user}", first.0, second.0)
    }
    let answer = on_axum!(twice)(asked(&["Bearer good"]));
    let expected = "0 0 Some(0) good me";
    assert_eq!(seen(&answer), (200, expected));
}

struct OnOneThread(Rc<str>);

#[dependency(local, extract)]
async fn on_one_thread(
    #[security(auth_user)] user: AuthUser,
    request: actix_web::HttpRequest,
) -> OnOneThread {
    let name: Rc<str> = format!("{} {}", request.method(), user.0).into();
    tokio::task::yield_now().await;
    OnOneThread(name)
}

/// Two extracted values and a secured one, which actix-web extracts at the same time.
#[test]
fn a_local_dependency_is_extracted_by_actix_web() {
    async fn greet(
        greeted: OnOneThread,
        maybe: Option<OnOneThread>,
        user: Option<AuthUser>,
    ) -> String {
        let maybe = maybe.map(|greeted| greeted.0.to_string());
        format!("{} {maybe:?} {user:?}", greeted.0)
    }
    let ask = on_actix_web!(greet);
    let good = ask(asked(&["Bearer good"]));
    let expected = r#"GET john Some("GET john") Some(AuthUser("john"))"#;
    assert_eq!(seen(&good), (200, expected));
    assert_eq!(ask(asked(&[])).status(), 401);
}

/// Rocket could not send the response to a refused request.
#[test]
fn rocket_needs_the_fairing() {
    for routes in
        [taking::routes_of_rocket, optional::routes_of_rocket, || rocket::routes![result_on_rocket]]
            as [fn() -> Vec<rocket::Route>; 3]
    {
        let error = Client::untracked(empty().mount("/", routes())).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::SentinelAborts(_)));
        let attached = empty().attach(Doorward).mount("/", routes());
        assert!(Client::untracked(attached).is_ok());
    }
}
