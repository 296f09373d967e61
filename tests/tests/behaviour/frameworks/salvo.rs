//! salvo 1.

use std::net::SocketAddr;

use ::salvo::conn::tcp::TcpAcceptor;
use ::salvo::extract::{Extractible, Metadata};
use ::salvo::{Depot, Request, Response, Router, Server, Service, Writer, handler};
use doorward::{PasswordForm, PasswordRequestForm, Rejection, dependency, layer, secured};
use doorward_tests::client::{self, ask, post_form, send};
use http_body_util::BodyExt;

use super::user;

pub(crate) fn serve(service: impl Into<Service> + Send + 'static) -> SocketAddr {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let address = listener.local_addr().unwrap();
    let acceptor = TcpAcceptor::try_from(listener).unwrap();
    std::thread::spawn(move || runtime.block_on(Server::new(acceptor).serve(service)));
    address
}

pub(crate) fn get(
    address: SocketAddr,
    path: &str,
    authorization: Option<&str>,
) -> client::Response {
    let line = authorization.map(|value| ("Authorization", value));
    ask(address, "GET", path, line.as_slice())
}

/// Returns the body of a service's answer. The service runs on this thread.
pub(crate) fn body_of_answer(service: Service, path: &str, authorization: Option<&str>) -> String {
    answer_of(service, path, authorization).body
}

/// Returns a service's answer. The service runs on this thread.
pub(crate) fn answer_of(
    service: Service,
    path: &str,
    authorization: Option<&str>,
) -> client::Response {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let (path, authorization) = (path.to_owned(), authorization.map(str::to_owned));
    runtime.unwrap().block_on(async {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let acceptor = TcpAcceptor::try_from(listener).unwrap();
        tokio::spawn(Server::new(acceptor).serve(service));
        let client = move || get(address, &path, authorization.as_deref());
        tokio::task::spawn_blocking(client).await.unwrap()
    })
}

#[secured]
#[handler]
async fn own(#[security(user, scopes("me"))] user: String) -> String {
    user
}

/// A hoop that marks the response when it is reached.
#[handler]
async fn reached(response: &mut Response) {
    response.add_header("x-reached", "yes", true).unwrap();
}

#[test]
fn a_guard_of_a_service_stops_what_no_route_matches() {
    let service = Service::new(Router::with_path("own").get(own))
        .hoop(layer!(user, scopes("items")))
        .hoop(reached);
    let address = serve(service);
    for path in ["/own", "/none"] {
        let refused = get(address, path, None);
        assert_eq!(refused.status, 401, "{path}");
        assert_eq!(refused.header("www-authenticate"), ["Bearer"], "{path}");
        assert_eq!(refused.header("x-reached"), [""; 0], "{path}");
        assert_eq!(refused.body, r#"{"detail":"Not authenticated"}"#, "{path}");
    }
    let passed = get(address, "/own", Some("Bearer john"));
    assert_eq!((passed.status, &*passed.body), (200, "john me"));
    assert_eq!(passed.header("x-reached"), ["yes"]);
    let passed = get(address, "/none", Some("Bearer john"));
    assert_eq!(passed.status, 404);
    assert_eq!(passed.header("x-reached"), ["yes"]);
}

#[test]
fn a_secured_handler_is_a_hoop_of_a_router() {
    let router = Router::with_hoop(own).hoop(reached).push(Router::with_path("own").get(own));
    let refused = get(serve(router), "/own", None);
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("x-reached"), [""; 0]);
}

#[derive(PasswordRequestForm)]
#[password_form(max_bytes = 32)]
struct Login {
    username: String,
    password: String,
}

#[handler]
async fn login(form: PasswordForm<Login>) -> String {
    format!("{} {}", form.0.username, form.0.password)
}

/// A hoop that reads the body, for example to log it.
#[handler]
async fn read(request: &mut Request) {
    request.payload().await.unwrap();
}

#[test]
fn a_hoop_may_have_read_the_body() {
    let router = Router::new()
        .push(Router::with_path("unread").post(login))
        .push(Router::with_path("read").hoop(read).post(login));
    let address = serve(router);
    for path in ["/unread", "/read"] {
        let found = post_form(address, path, "username=a&password=b");
        assert_eq!((found.status, &*found.body), (200, "a b"), "{path}");
        let too_large = post_form(address, path, "username=a&password=bbbbbbbbbbbbbbb");
        assert_eq!(too_large.status, 413, "{path}");
        assert_eq!(post_form(address, path, "").status, 400, "{path}");
    }
}

/// Implements an extractor that never fails.
macro_rules! extracts {
    ($name:ident, |$request:ident| $value:expr) => {
        impl<'ex> Extractible<'ex> for $name {
            fn metadata() -> &'static Metadata {
                static METADATA: Metadata = Metadata::new("");
                &METADATA
            }

            #[allow(refining_impl_trait, reason = "it never fails")]
            async fn extract(
                $request: &'ex mut Request,
                _: &'ex mut Depot,
            ) -> Result<Self, std::convert::Infallible> {
                Ok(Self($value))
            }
        }
    };
}

/// An extractor that tries to read the body in place and hides the failure.
#[derive(Debug)]
struct ReadInPlace(Vec<u8>);

extracts!(ReadInPlace, |request| {
    let collected = request.body_mut().collect().await;
    let bytes = collected.map(|body| body.to_bytes().to_vec());
    bytes.unwrap_or_default()
});

#[dependency]
fn without_evil(body: ReadInPlace) -> Result<(), Rejection> {
    match body.0.windows(4).any(|word| word == b"evil") {
        true => Err(Rejection::NOT_AUTHENTICATED),
        false => Ok(()),
    }
}

#[secured(without_evil)]
#[handler]
async fn guarded_by_a_body_read_in_place(request: &mut Request) -> String {
    let body = request.payload().await.unwrap();
    String::from_utf8_lossy(body).into_owned()
}

/// An extractor that tries to read the body and hides the failure.
#[derive(Debug)]
struct Peek(Option<String>);

extracts!(Peek, |request| {
    let body = request.payload().await.ok();
    body.map(|body| String::from_utf8_lossy(body).into_owned())
});

#[dependency]
fn peeked(peek: Peek) -> Result<String, Rejection> {
    Ok(peek.0.unwrap_or_default())
}

/// A dependency whose extractor leaves the body alone.
#[dependency]
fn method(method: MethodOf) -> Result<String, Rejection> {
    Ok(method.0)
}

struct MethodOf(String);

extracts!(MethodOf, |request| request.method().to_string());

#[secured(method)]
#[handler]
async fn echo(request: &mut Request) -> String {
    let body = request.payload().await.unwrap();
    String::from_utf8_lossy(body).into_owned()
}

#[secured(peeked)]
#[handler]
async fn guarded_by_the_body(request: &mut Request) -> String {
    let body = request.payload().await.unwrap();
    String::from_utf8_lossy(body).into_owned()
}

#[test]
fn a_dependency_does_not_read_the_body_and_leaves_it_to_the_handler() {
    let router = Router::new()
        .push(Router::with_path("echo").post(echo))
        .push(Router::with_path("peek").post(guarded_by_the_body))
        .push(Router::with_path("in-place").post(guarded_by_a_body_read_in_place))
        .push(
            Router::with_path("read")
                .hoop(read)
                .push(Router::with_path("echo").post(echo))
                .push(Router::with_path("peek").post(guarded_by_the_body)),
        );
    let address = serve(router);
    let headers: [(&str, &str); 0] = [];
    let post = |path| send(address, "POST", path, &headers, b"transfer=1").unwrap();
    for path in ["/echo", "/read/echo"] {
        let response = post(path);
        assert_eq!((response.status, &*response.body), (200, "transfer=1"), "{path}");
    }
    assert_eq!(post("/peek").status, 500);
    assert_eq!(post("/in-place").status, 500);
    // A hoop has read the body before, so the dependency and the handler see the same one.
    let response = post("/read/peek");
    assert_eq!((response.status, &*response.body), (200, "transfer=1"));
}

/// An error whose page a catcher writes.
struct Bare(http::StatusCode);

impl From<doorward::scheme::RefusedRequest> for Bare {
    fn from(refusal: doorward::scheme::RefusedRequest) -> Self {
        Self(refusal.status())
    }
}

impl ::salvo::Scribe for Bare {
    fn render(self, response: &mut Response) {
        response.status_code(self.0);
    }
}

#[doorward::http_bearer(error = Bare)]
struct Caught;

#[secured]
#[handler]
async fn caught(#[security(Caught)] _token: doorward::BearerToken) {}

#[handler]
async fn write_page(response: &mut Response) {
    response.render("the catcher's page");
}

#[test]
fn an_empty_body_is_left_to_the_catchers() {
    let catcher = ::salvo::catcher::Catcher::default().hoop(write_page);
    let service = Service::new(Router::new().get(caught)).catcher(catcher);
    let response = answer_of(service, "/", None);
    let found = (response.status, &*response.body);
    assert_eq!(found, (401, "the catcher's page"));
    assert_eq!(response.header("www-authenticate"), ["Bearer"]);
}
