//! A matrix on the frameworks whose routes are those of a document.

use std::sync::atomic::{AtomicUsize, Ordering};

use doorward::openapi::{Document, Operation};
use doorward::testing::{Callers, MatrixError};
use doorward::{Rejection, dependency};
use http::StatusCode;
use serde_json::{Value, json};

use super::{Role, User, callers, role, user};
use crate::asking::block_on;

/// How often a handler ran. None does in any of these tests.
static RAN: AtomicUsize = AtomicUsize::new(0);

fn ran() -> &'static str {
    RAN.fetch_add(1, Ordering::Relaxed);
    "a handler ran"
}

#[dependency]
fn never(#[security(user)] _user: User) -> Result<(), Rejection> {
    Err(Rejection::new(StatusCode::CONFLICT))
}

fn document(operations: [(&str, Operation); 6]) -> Document {
    let operation = |id: &str| json!({ "operationId": id, "responses": {} });
    let mut document = Document::new(json!({
        "openapi": "3.1.0",
        "info": { "title": "Notes", "version": "1" },
        "paths": {
            "/notes": { "get": operation("list"), "post": operation("add") },
            "/after": { "post": operation("after") },
            "/purge": { "put": operation("purge") },
            "/never": { "get": operation("never_called") },
            "/health": { "get": operation("health") },
        },
        "webhooks": { "sent": { "post": operation("sent") } },
    }))
    .unwrap();
    for (id, requirement) in operations {
        document.operation(id).unwrap().secure(&requirement).unwrap();
    }
    document
}

const WHO: &str = "              nobody  wrong  reader  alice  bob  root
POST  /after  401     401    403     in     in   in
GET   /health  public: load balancers ask it
GET   /never  401     401    409     409    409  409
GET   /notes  401     401    in      in     in   in
POST  /notes  401     401    403     in     in   in
PUT   /purge  401     401    403     403    403  in
";

/// The body that a handler reads before its last parameter, on the frameworks where it can.
fn with_body(callers: Callers<'_>) -> Callers<'_> {
    callers.body("POST /after", json!({ "text": "a note" }))
}

fn assert_answered_first(found: &MatrixError) {
    let (route, rest) = ("POST /after, as `nobody`: the answer 4", "is of no secured parameter");
    let found = found.to_string();
    assert!(found.starts_with(route) && found.contains(rest), "{found}");
}

fn assert_no_handler_ran() {
    assert_eq!(RAN.load(Ordering::Relaxed), 0);
}

fn expected() -> String {
    let text = WHO.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let text = text.map(|line| line.join(" "));
    text.collect::<Vec<_>>().join("\n")
}

fn words(text: &str) -> String {
    let text = text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "));
    text.collect::<Vec<_>>().join("\n")
}

mod on_actix_web {
    use ::actix_web::dev::Service as _;
    use ::actix_web::{App, HttpResponse, test as actix_test, web};
    use doorward::actix_web4::asked;
    use doorward::{declared, layer, operation, public, secured};

    use super::*;

    #[secured(user, scopes("read"))]
    async fn list() -> &'static str {
        ran()
    }

    #[secured(user, scopes("write"))]
    async fn add(_body: web::Json<Value>) -> &'static str {
        ran()
    }

    #[secured]
    async fn after(
        _body: web::Json<Value>,
        #[security(user, scopes("write"))] _user: User,
    ) -> &'static str {
        ran()
    }

    #[secured(role(Role::Admin))]
    async fn purge(#[security(user, scopes("write"))] _user: User) -> &'static str {
        ran()
    }

    #[secured(never)]
    async fn never_called() -> &'static str {
        ran()
    }

    #[public(reason = "load balancers ask it")]
    async fn health() -> &'static str {
        ran()
    }

    #[test]
    fn each_route_is_asked_and_no_handler_runs() {
        let document = document([
            ("list", operation!(list)),
            ("add", operation!(add)),
            ("after", operation!(after)),
            ("purge", operation!(purge)),
            ("never_called", operation!(never_called)),
            ("health", operation!(health)),
        ]);
        ::actix_web::rt::System::new().block_on(async {
            let app = || {
                App::new()
                    .route("/notes", web::get().to(declared(list)))
                    .route("/notes", web::post().to(declared(add)))
                    .route("/after", web::post().to(declared(after)))
                    .route("/purge", web::put().to(declared(purge)))
                    .route("/never", web::get().to(declared(never_called)))
                    .route("/health", web::get().to(declared(health)))
            };
            let routes = document.routes().unwrap();
            let service = actix_test::init_service(app()).await;
            let ask = async |ask| service.call(asked(ask)).await;
            // At the door, no other extractor is first, so none needs a body.
            let callers = || super::callers(&routes);
            let who = callers().table(ask).await.unwrap();
            assert_eq!(words(&who.to_string()), expected());
            // A middleware that writes every response anew.
            let rewritten = app().wrap_fn(|request, service| {
                let answered = service.call(request);
                async { Ok(answered.await?.into_response(HttpResponse::Ok().finish())) }
            });
            let service = actix_test::init_service(rewritten).await;
            let who = callers().table(async |ask| service.call(asked(ask)).await).await.unwrap();
            assert_eq!(words(&who.to_string()), expected());
            // A layer refuses, and lets in nobody by itself.
            let layered = actix_test::init_service(app().wrap(layer!(never))).await;
            let who = callers().table(async |ask| layered.call(asked(ask)).await).await.unwrap();
            let refused = expected().replace("in", "409").replace("403", "409");
            assert_eq!(words(&who.to_string()), refused);
        });
        assert_no_handler_ran();
    }
}

mod on_poem {
    use ::poem::http::StatusCode;
    use ::poem::web::Json;
    use ::poem::{Endpoint, EndpointExt, Response, Route, get, handler, post, put};
    use doorward::poem3::asked;
    use doorward::{layer, operation, public, secured};

    use super::*;

    #[secured(user, scopes("read"))]
    #[handler]
    async fn list() -> &'static str {
        ran()
    }

    #[secured(user, scopes("write"))]
    #[handler]
    async fn add(_body: Json<Value>) -> &'static str {
        ran()
    }

    #[secured]
    #[handler]
    async fn after(
        _body: Json<Value>,
        #[security(user, scopes("write"))] _user: User,
    ) -> &'static str {
        ran()
    }

    #[secured(role(Role::Admin))]
    #[handler]
    async fn purge(#[security(user, scopes("write"))] _user: User) -> &'static str {
        ran()
    }

    #[secured(never)]
    #[handler]
    async fn never_called() -> &'static str {
        ran()
    }

    #[public(reason = "load balancers ask it")]
    #[handler]
    async fn health() -> &'static str {
        ran()
    }

    #[test]
    fn each_route_is_asked_and_no_handler_runs() {
        let document = document([
            ("list", operation!(list)),
            ("add", operation!(add)),
            ("after", operation!(after)),
            ("purge", operation!(purge)),
            ("never_called", operation!(never_called)),
            ("health", operation!(health)),
        ]);
        let app = || {
            Route::new()
                .at("/notes", get(list).post(add))
                .at("/after", post(after))
                .at("/purge", put(purge))
                .at("/never", get(never_called))
                .at("/health", get(health))
        };
        let routes = document.routes().unwrap();
        block_on(async {
            let callers = || with_body(super::callers(&routes));
            let service = app();
            let ask = async |ask| service.get_response(asked(ask)).await;
            let who = callers().table(ask).await.unwrap();
            assert_eq!(words(&who.to_string()), expected());
            assert_answered_first(&super::callers(&routes).table(ask).await.unwrap_err());
            let rewritten = app().around(async |endpoint, request| {
                let _ = endpoint.call(request).await;
                Ok(Response::builder().status(StatusCode::OK).finish())
            });
            let who = callers()
                .table(async |ask| rewritten.get_response(asked(ask)).await)
                .await
                .unwrap();
            assert_eq!(words(&who.to_string()), expected());
            let layered = app().with(layer!(never));
            let who =
                callers().table(async |ask| layered.get_response(asked(ask)).await).await.unwrap();
            let refused = expected().replace("in", "409").replace("403", "409");
            assert_eq!(words(&who.to_string()), refused);
        });
        assert_no_handler_ran();
    }
}

mod on_rocket {
    use ::rocket::fairing::AdHoc;
    use ::rocket::http::Status;
    use ::rocket::local::asynchronous::Client;
    use ::rocket::{get, post, put};
    use doorward::rocket05::{Doorward, asked, routes};
    use doorward::{operation, public, secured};

    use super::*;
    use crate::frameworks::rocket::empty;

    #[secured(user, scopes("read"))]
    #[get("/notes")]
    fn list() -> &'static str {
        ran()
    }

    #[secured(user, scopes("write"))]
    #[post("/notes", data = "<_body>")]
    fn add(_body: String) -> &'static str {
        ran()
    }

    /// Rocket reads the body when all request guards have passed.
    #[secured]
    #[post("/after", data = "<_body>")]
    fn after(_body: String, #[security(user, scopes("write"))] _user: User) -> &'static str {
        ran()
    }

    #[secured(role(Role::Admin))]
    #[put("/purge")]
    fn purge(#[security(user, scopes("write"))] _user: User) -> &'static str {
        ran()
    }

    #[secured(never)]
    #[get("/never")]
    fn never_called() -> &'static str {
        ran()
    }

    #[public(reason = "load balancers ask it")]
    #[get("/health")]
    fn health() -> &'static str {
        ran()
    }

    #[test]
    fn each_route_is_asked_and_no_handler_runs() {
        let document = document([
            ("list", operation!(list)),
            ("add", operation!(add)),
            ("after", operation!(after)),
            ("purge", operation!(purge)),
            ("never_called", operation!(never_called)),
            ("health", operation!(health)),
        ]);
        let routes = document.routes().unwrap();
        let app = || {
            let routes = routes![list, add, after, purge, never_called, health];
            empty().attach(Doorward).mount("/", routes)
        };
        let rewritten = AdHoc::on_response("rewritten", |_, response| {
            response.set_status(Status::Ok);
            Box::pin(core::future::ready(()))
        });
        block_on(async {
            for app in [app(), app().attach(rewritten)] {
                let client = Client::untracked(app).await.unwrap();
                let ask = async |ask| asked(&client, ask).dispatch().await;
                let who = super::callers(&routes).table(ask).await.unwrap();
                assert_eq!(words(&who.to_string()), expected());
            }
        });
        assert_no_handler_ran();
    }
}

mod on_salvo {
    use ::salvo::conn::{ConnCtrl, SocketAddr};
    use ::salvo::extract::Metadata;
    use ::salvo::http::{ParseError, StatusCode};
    use ::salvo::{
        Depot, Extractible, FlowCtrl, Request, Response, Router, Scribe, Service, Writer, handler,
    };
    use doorward::salvo1::asked;
    use doorward::{layer, operation, public, secured};

    use super::*;

    /// A body in JSON.
    struct Body;

    impl<'ex> Extractible<'ex> for Body {
        fn metadata() -> &'static Metadata {
            static METADATA: Metadata = Metadata::new("");
            &METADATA
        }

        #[expect(refining_impl_trait, reason = "the error is part of the interface")]
        async fn extract(request: &'ex mut Request, _: &'ex mut Depot) -> Result<Self, ParseError> {
            request.parse_json::<Value>().await.map(|_| Self)
        }
    }

    /// An error whose status salvo knows when it is written.
    struct Conflict;

    impl Scribe for Conflict {
        fn render(self, response: &mut Response) {
            response.status_code(StatusCode::CONFLICT);
        }
    }

    #[dependency]
    fn conflict(#[security(user)] _user: User) -> Result<(), Conflict> {
        Err(Conflict)
    }

    #[secured(user, scopes("read"))]
    #[handler]
    async fn list() -> &'static str {
        ran()
    }

    #[secured(user, scopes("write"))]
    #[handler]
    async fn add(_body: Body) -> &'static str {
        ran()
    }

    #[secured]
    #[handler]
    async fn after(_body: Body, #[security(user, scopes("write"))] _user: User) -> &'static str {
        ran()
    }

    #[secured(role(Role::Admin))]
    #[handler]
    async fn purge(#[security(user, scopes("write"))] _user: User) -> &'static str {
        ran()
    }

    #[secured(conflict)]
    #[handler]
    async fn never_called() -> &'static str {
        ran()
    }

    #[public(reason = "load balancers ask it")]
    #[handler]
    async fn health() -> &'static str {
        ran()
    }

    /// A secured hoop does not answer instead of the handler.
    #[secured(user)]
    #[handler]
    async fn admit() {}

    /// Does what `Service::handle` does, which salvo has with its feature `test`.
    async fn answer(service: &Service, request: Request) -> Response {
        let address = SocketAddr::Unknown;
        let scheme = request.scheme().clone();
        service
            .hyper_handler(address.clone(), address, scheme, None, ConnCtrl::new(), None)
            .handle(request)
            .await
    }

    #[handler]
    async fn rewrite(
        request: &mut Request,
        depot: &mut Depot,
        response: &mut Response,
        ctrl: &mut FlowCtrl,
    ) {
        ctrl.call_next(request, depot, response).await;
        response.status_code(StatusCode::OK);
    }

    #[test]
    fn each_route_is_asked_and_no_handler_runs() {
        let document = document([
            ("list", operation!(list)),
            ("add", operation!(add)),
            ("after", operation!(after)),
            ("purge", operation!(purge)),
            ("never_called", operation!(never_called)),
            ("health", operation!(health)),
        ]);
        let app = || {
            Router::new()
                .push(Router::with_path("notes").get(list).post(add))
                .push(Router::with_path("after").post(after))
                .push(Router::with_path("purge").put(purge))
                .push(Router::with_path("never").get(never_called))
                .push(Router::with_path("health").get(health))
        };
        let routes = document.routes().unwrap();
        block_on(async {
            let callers = || with_body(super::callers(&routes));
            for app in [
                app(),
                Router::new().hoop(admit).push(app()),
                Router::new().hoop(rewrite).push(app()),
            ] {
                let service = Service::new(app);
                let ask = async |ask| answer(&service, asked(ask)).await;
                let who = callers().table(ask).await.unwrap();
                assert_eq!(words(&who.to_string()), expected());
            }
            let service = Service::new(app());
            let ask = async |ask| answer(&service, asked(ask)).await;
            assert_answered_first(&super::callers(&routes).table(ask).await.unwrap_err());
            let layered = Service::new(Router::new().hoop(layer!(never)).push(app()));
            let ask = async |ask| answer(&layered, asked(ask)).await;
            let who = callers().table(ask).await.unwrap();
            let refused = expected().replace("in", "409").replace("403", "409");
            assert_eq!(words(&who.to_string()), refused);
        });
        assert_no_handler_ran();
    }
}
