//! salvo 1.

use std::net::SocketAddr;

use ::salvo::conn::tcp::TcpAcceptor;
use ::salvo::{Depot, Request, Response, Router, Server, Service, Writer, handler};
use tollgate::salvo1::guard;
use tollgate::{Overrides, PasswordForm, PasswordRequestForm, plan, secured};
use tollgate_tests::client::{self, send};

use crate::user;

fn serve(service: impl Into<Service> + Send + 'static) -> SocketAddr {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let listener = runtime
        .block_on(tokio::net::TcpListener::bind("127.0.0.1:0"))
        .unwrap();
    let address = listener.local_addr().unwrap();
    let acceptor = TcpAcceptor::try_from(listener).unwrap();
    std::thread::spawn(move || runtime.block_on(Server::new(acceptor).serve(service)));
    address
}

fn get(address: SocketAddr, path: &str, authorization: Option<&str>) -> client::Response {
    let line = authorization.map(|value| ("Authorization".to_owned(), value.into()));
    send(address, "GET", path, line.as_slice(), b"").unwrap()
}

#[secured]
#[handler]
async fn own(#[security(user, scopes("me"))] user: String) -> String {
    user
}

/// A hoop that shows that it was reached.
#[handler]
async fn reached(response: &mut Response) {
    response.add_header("x-reached", "yes", true).unwrap();
}

#[test]
fn a_guard_of_a_service_stops_what_no_route_matches() {
    let service = Service::new(Router::with_path("own").get(own))
        .hoop(guard(plan!(user, scopes("items"))))
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
    let router = Router::with_hoop(own)
        .hoop(reached)
        .push(Router::with_path("own").get(own));
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

/// A hoop that reads the body, as one that logs it.
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
    let form = [(
        "Content-Type".to_owned(),
        b"application/x-www-form-urlencoded".to_vec(),
    )];
    let post = |path, body: &str| send(address, "POST", path, &form, body.as_bytes()).unwrap();
    for path in ["/unread", "/read"] {
        let found = post(path, "username=a&password=b");
        assert_eq!((found.status, &*found.body), (200, "a b"), "{path}");
        let too_large = post(path, "username=a&password=bbbbbbbbbbbbbbb");
        assert_eq!(too_large.status, 413, "{path}");
        assert_eq!(post(path, "").status, 400, "{path}");
    }
}

#[test]
fn a_test_overrides_a_dependency() {
    #[handler]
    async fn overridden(depot: &mut Depot) {
        depot.insert_typed(Overrides::new().with::<user>(|| "test".to_owned()));
    }
    let router = Router::with_path("own").hoop(overridden).get(own);
    assert_eq!(get(serve(router), "/own", None).body, "test");
}
