//! What a service sets up once, taken by one dependency on every framework.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::IntoFuture;
use std::net::SocketAddr;
use std::sync::Arc;

use ::actix_web::{App, FromRequest, test as actix_test, web};
use ::axum::body::Body;
use ::axum::{Extension, Router};
use ::poem::{EndpointExt, Route};
use ::rocket::error::ErrorKind;
use ::rocket::local::asynchronous::Client;
use ::salvo::{Writer, affix_state};
use ::warp::Filter;
use doorward::head::FromHead;
use doorward::rocket05::Doorward;
use doorward::warp04::{recover, security, security_with, security_with_result};
use doorward::{
    BearerError, BearerToken, Shared, dependency, layer, oauth2_password_bearer, plan, public,
    secured,
};
use http::request::Parts;
use http::{Extensions, Request};
use tower::{Service, ServiceExt};

use super::asking::{ask, block_on, seen};
use super::frameworks::{each, rocket::empty, salvo::answer_of};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

/// The users of the tokens. It is not `Clone`, so a request cannot copy it.
pub(crate) struct Tokens(HashMap<&'static str, &'static str>);

fn tokens() -> Shared<Tokens> {
    Shared::new(Tokens(HashMap::from([("t0k3n", "johndoe")])))
}

#[dependency]
async fn user(
    #[security(OAuth2)] token: BearerToken,
    tokens: Shared<Tokens>,
) -> Result<String, BearerError> {
    let user = tokens.0.get(token.as_str());
    Ok((*user.ok_or_else(BearerError::invalid_token)?).to_owned())
}

/// The path of a handler that takes [`user`].
pub(crate) const TAKEN: &str = "/taken";
/// The path of a handler that takes the value itself.
const ITSELF: &str = "/itself";
/// The path of a handler below a guard or a layer.
const BELOW: &str = "/below";

const LINE: &str = "Bearer t0k3n";

/// Checks the answers with the value and without it. `answer` sends a request with a token.
fn check(paths: &[&str], answer: impl Fn(&str, Option<Shared<Tokens>>) -> (u16, String)) {
    let missing = r#"{"detail":"Internal Server Error"}"#.to_owned();
    for path in paths {
        let found = answer(path, Some(tokens()));
        assert_eq!(found, (200, "johndoe".to_owned()), "{path}");
        assert_eq!(answer(path, None), (500, missing.clone()), "{path}");
    }
}

pub(crate) fn of_axum(path: &str, shared: Option<Shared<Tokens>>) -> (u16, String) {
    use ::axum::routing::get;

    #[secured]
    async fn taken(#[security(user)] user: String) -> String {
        user
    }
    async fn itself(tokens: Shared<Tokens>) -> &'static str {
        tokens.0["t0k3n"]
    }
    async fn below(Extension(user): Extension<String>) -> String {
        user
    }
    let mut app = Router::new()
        .route(BELOW, get(below))
        .route_layer(layer!(user))
        .route(TAKEN, get(taken))
        .route(ITSELF, get(itself));
    if let Some(shared) = shared {
        app = app.layer(Extension(shared));
    }
    seen(block_on(ask(app, path, &[("authorization", LINE)])))
}

#[test]
fn on_axum() {
    check(&[TAKEN, ITSELF, BELOW], of_axum);
}

/// The users that a token may have, one for each router.
#[derive(Clone, Copy)]
struct Name(&'static str);

async fn name(Extension(Name(name)): Extension<Name>) -> &'static str {
    name
}

fn named(path: &str, value: Option<Name>) -> doorward::axum08::Router {
    use doorward::axum08::{Router, routing::get};
    let router = Router::new().route(path, get(public("a test", name)));
    match value {
        Some(value) => router.extension(value),
        None => router,
    }
}

/// Asks each path for the name that its route sees.
async fn names<S>(app: S, paths: &[&str]) -> Vec<String>
where
    S: tower::Service<Request<Body>, Response = axum::response::Response, Error = Infallible>
        + Clone,
    S::Future: Send,
{
    let mut names = Vec::new();
    for path in paths {
        let request = Request::get(*path).body(Body::empty()).unwrap();
        let response = app.clone().oneshot(request).await.unwrap();
        let body = axum::body::to_bytes(response.into_body(), 1024).await.unwrap();
        names.push(String::from_utf8(body.to_vec()).unwrap());
    }
    names
}

/// A verifier of another router would take tokens that are not for this one.
#[tokio::test]
async fn each_router_of_axum_keeps_its_own_value() {
    let [a, b, c] = ["a", "b", "c"].map(Name);
    let both = ["/a", "/b"];
    let merged = named("/a", Some(a)).merge(named("/b", Some(b)));
    assert_eq!(names(merged, &both).await, ["a", "b"]);
    let merged = named("/b", Some(b)).merge(named("/a", Some(a)));
    assert_eq!(names(merged, &both).await, ["a", "b"]);
    // Set after the routers were merged, it is outside of the other's too.
    let merged = named("/a", None).merge(named("/b", Some(b))).extension(a);
    assert_eq!(names(merged, &both).await, ["a", "b"]);
    // Without a value of its own, a router has that around it.
    let merged = named("/a", Some(a)).merge(named("/b", None));
    assert_eq!(names(merged, &both).await, ["a", "a"]);
    // The last value of a router counts.
    assert_eq!(names(named("/a", Some(b)).extension(a), &["/a"]).await, ["a"]);

    let nested =
        named("/a", Some(a)).nest("/in", named("/b", Some(b)).nest("/in", named("/c", Some(c))));
    assert_eq!(names(nested, &["/a", "/in/b", "/in/in/c"]).await, ["a", "b", "c"]);
    // A layer of axum's is further inside.
    let layered = named("/a", Some(b)).layer(Extension(a));
    assert_eq!(names(layered, &["/a"]).await, ["a"]);
}

#[tokio::test]
async fn each_form_of_a_router_of_axum_has_its_values() {
    let router = || named("/a", Some(Name("a")));
    let plain = Router::new().nest("/in", router().into_inner()).merge(router().into_inner());
    assert_eq!(names(plain, &["/in/a", "/a"]).await, ["a", "a"]);
    assert_eq!(names(router().into_service(), &["/a"]).await, ["a"]);
    assert_eq!(names(router().with_state(()), &["/a"]).await, ["a"]);
    let mut borrowed = router();
    let request = || Request::get("/a").body(Body::empty()).unwrap();
    for _ in 0..2 {
        let response = borrowed.as_service().ready().await.unwrap().call(request()).await.unwrap();
        assert_eq!(response.status(), 200);
    }
    assert_eq!(names(borrowed, &["/a"]).await, ["a"]);
    let connection = SocketAddr::from(([127, 0, 0, 1], 1));
    let mut make = router().into_make_service();
    assert_eq!(names(make.call(()).await.unwrap(), &["/a"]).await, ["a"]);
    let mut make = router().into_make_service_with_connect_info::<SocketAddr>();
    assert_eq!(names(make.call(connection).await.unwrap(), &["/a"]).await, ["a"]);

    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/a", listener.local_addr().unwrap());
    tokio::spawn(axum::serve(listener, router()).into_future());
    assert_eq!(reqwest::get(url).await.unwrap().text().await.unwrap(), "a");
}

pub(crate) fn of_actix_web(path: &str, shared: Option<Shared<Tokens>>) -> (u16, String) {
    #[secured]
    async fn taken(#[security(user)] user: String) -> String {
        user
    }
    async fn itself(tokens: Shared<Tokens>) -> &'static str {
        tokens.0["t0k3n"]
    }
    actix_web::rt::System::new().block_on(async {
        let mut app =
            App::new().route(TAKEN, web::get().to(taken)).route(ITSELF, web::get().to(itself));
        // Another place does not count.
        app = app.app_data(web::Data::new(tokens()));
        if let Some(shared) = shared {
            app = app.app_data(shared);
        }
        let app = actix_test::init_service(app).await;
        let request = actix_test::TestRequest::get().uri(path);
        let request = request.insert_header(("authorization", LINE)).to_request();
        let response = actix_test::call_service(&app, request).await;
        let status = response.status().as_u16();
        let body = actix_test::read_body(response).await;
        (status, String::from_utf8(body.to_vec()).unwrap())
    })
}

#[test]
fn on_actix_web() {
    check(&[TAKEN, ITSELF], of_actix_web);
}

/// actix-web stays on a thread, so what it shares may do so too.
#[::actix_web::test]
async fn on_one_thread_of_actix_web() {
    type Local = Shared<std::cell::Cell<u8>>;
    let request = actix_test::TestRequest::get().app_data(Local::new(7.into()));
    let found = Local::extract(&request.to_http_request()).await;
    assert_eq!(found.unwrap().get(), 7);
}

pub(crate) fn of_poem(path: &str, shared: Option<Shared<Tokens>>) -> (u16, String) {
    #[secured]
    #[poem::handler]
    async fn taken(#[security(user)] user: String) -> String {
        user
    }
    #[poem::handler]
    async fn itself(tokens: Shared<Tokens>) -> String {
        tokens.0["t0k3n"].to_owned()
    }
    let app = Route::new().at(TAKEN, taken).at(ITSELF, itself);
    let app = match shared {
        Some(shared) => app.data(shared).boxed(),
        None => app.boxed(),
    };
    let asked = Request::get(path).header("authorization", LINE);
    seen(each::poem(app, asked.body("").unwrap()))
}

#[test]
fn on_poem() {
    check(&[TAKEN, ITSELF], of_poem);
}

#[secured]
#[rocket::get("/taken")]
async fn taken_on_rocket(#[security(user)] user: String) -> String {
    user
}

#[rocket::get("/itself")]
async fn itself_on_rocket(tokens: Shared<Tokens>) -> &'static str {
    tokens.0["t0k3n"]
}

pub(crate) fn of_rocket(path: &str, shared: Option<Shared<Tokens>>) -> (u16, String) {
    let mut routes = rocket::routes![taken_on_rocket];
    let mut app = empty().attach(Doorward);
    if let Some(shared) = shared {
        app = app.manage(shared);
        routes.extend(rocket::routes![itself_on_rocket]);
    }
    block_on(async {
        let client = Client::untracked(app.mount("/", routes)).await.unwrap();
        let line = rocket::http::Header::new("authorization", LINE);
        let response = client.get(path).header(line).dispatch().await;
        let status = response.status().code;
        (status, response.into_string().await.unwrap())
    })
}

#[test]
fn on_rocket() {
    check(&[TAKEN], of_rocket);
    let found = of_rocket(ITSELF, Some(tokens()));
    assert_eq!(found, (200, "johndoe".to_owned()));
    // Rocket sees what a handler takes, and does not launch without it.
    let app = empty().mount("/", rocket::routes![itself_on_rocket]);
    let error = block_on(Client::untracked(app)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::SentinelAborts(_)), "{error}");
}

pub(crate) fn of_salvo(path: &str, shared: Option<Shared<Tokens>>) -> (u16, String) {
    #[secured]
    #[salvo::handler]
    async fn taken(#[security(user)] user: String) -> String {
        user
    }
    #[salvo::handler]
    async fn itself(tokens: Shared<Tokens>) -> &'static str {
        tokens.0["t0k3n"]
    }
    #[salvo::handler]
    async fn below() -> &'static str {
        "johndoe"
    }
    let mut router = salvo::Router::new();
    if let Some(shared) = shared {
        router = router.hoop(affix_state::inject(shared));
    }
    let guarded = salvo::Router::with_path("below").hoop(layer!(user));
    let router = router
        .push(salvo::Router::with_path("taken").get(taken))
        .push(salvo::Router::with_path("itself").get(itself))
        .push(guarded.get(below));
    let answer = answer_of(salvo::Service::new(router), path, Some(LINE));
    (answer.status, answer.body)
}

#[test]
fn on_salvo() {
    check(&[TAKEN, ITSELF, BELOW], of_salvo);
}

pub(crate) fn of_warp(_: &str, shared: Option<Shared<Tokens>>) -> (u16, String) {
    let route = match shared {
        Some(shared) => security_with(plan!(user), shared).boxed(),
        None => security(plan!(user)).boxed(),
    };
    let route = route.recover(recover);
    let request = warp::test::request().header("authorization", LINE);
    let response = block_on(request.reply(&route));
    let body = String::from_utf8(response.body().to_vec()).unwrap();
    (response.status().as_u16(), body)
}

#[test]
fn on_warp() {
    check(&[TAKEN], of_warp);
}

/// Several values go into warp at once, and a handler answers a refusal itself.
#[tokio::test]
async fn several_on_warp() {
    #[dependency]
    fn both(#[security(user)] user: String, suffix: Shared<str>) -> String {
        format!("{user}{}", &*suffix)
    }
    let mut shared = Extensions::from(tokens());
    shared.insert(Shared::<str>::from(Arc::from("@example.com")));
    let answer = |found: Result<String, http::Response<String>>| match found {
        Ok(user) => user,
        Err(refused) => refused.status().to_string(),
    };
    for (line, expected) in [(LINE, "johndoe@example.com"), ("Bearer none", "401 Unauthorized")] {
        let route = security_with_result(plan!(both), shared.clone()).map(answer);
        let request = warp::test::request().header("authorization", line);
        assert_eq!(request.reply(&route).await.body(), expected);
    }
    let route = security_with_result(plan!(both), tokens()).map(answer);
    let request = warp::test::request().header("authorization", LINE);
    assert_eq!(request.reply(&route).await.body(), "500 Internal Server Error");
}

fn head(shared: Option<Shared<Tokens>>) -> Parts {
    let mut request = Request::get("/").header("authorization", LINE);
    if let Some(shared) = shared {
        request = request.extension(shared);
    }
    request.body(()).unwrap().into_parts().0
}

/// Returns the status and the body of a plan's answer.
fn answer(found: Result<String, http::Response<String>>) -> (u16, String) {
    match found {
        Ok(user) => (200, user),
        Err(refused) => (refused.status().as_u16(), refused.into_body()),
    }
}

pub(crate) fn of_head(_: &str, shared: Option<Shared<Tokens>>) -> (u16, String) {
    answer(block_on(plan!(user).resolve(&mut head(shared))))
}

#[test]
fn on_heads() {
    check(&[TAKEN], of_head);
    check(&[TAKEN], |_, shared| answer(block_on(plan!(user).resolve_local(&mut head(shared)))));
    check(&[ITSELF], |_, shared| {
        let found = Shared::<Tokens>::from_head(&mut head(shared));
        let user = found.map(|tokens| tokens.0["t0k3n"].to_owned());
        answer(user.map_err(Into::into))
    });
}

/// A local dependency takes what one that is not local takes.
#[test]
fn on_a_head_that_stays_on_its_thread() {
    #[dependency(local)]
    fn local(tokens: Shared<Tokens>) -> std::rc::Rc<str> {
        tokens.0["t0k3n"].into()
    }
    let found = block_on(plan!(local).resolve_local(&mut head(Some(tokens()))));
    assert_eq!(&*found.unwrap(), "johndoe");
}

#[test]
fn behind_a_layer() {
    check(&[BELOW], |_, shared| {
        let service = tower::service_fn(async |request: Request<()>| {
            let user = request.extensions().get::<String>().cloned();
            Ok::<_, core::convert::Infallible>(http::Response::new(user.unwrap()))
        });
        let service = tower::Layer::layer(&layer!(user), service);
        let request = Request::from_parts(head(shared), ());
        let response = block_on(service.oneshot(request)).unwrap();
        (response.status().as_u16(), response.into_body())
    });
}

/// A layer sees only what is installed outside of it.
#[tokio::test]
async fn inside_of_a_layer_is_too_late() {
    let app = Router::new()
        .route(BELOW, axum::routing::get(async || "let in"))
        .layer(Extension(tokens()))
        .layer(layer!(user));
    assert_eq!(ask(app, BELOW, &[("authorization", LINE)]).await.status(), 500);
}

#[test]
fn a_clone_shares_the_value() {
    let value = Arc::new(Tokens(HashMap::new()));
    let shared = Shared::<Tokens>::from(Arc::clone(&value));
    assert!(Arc::ptr_eq(&shared.clone().into_inner(), &value));
    assert!(Arc::ptr_eq(&shared.into_inner(), &value));
    assert_eq!(*Shared::from(std::sync::Arc::new(7)), 7);
}
