//! One dependency on every framework: a request goes in, and its answer comes out.

use ::actix_web::{App, HttpMessage, test as actix_test};
use ::axum::Router;
use ::poem::IntoEndpoint;
use ::rocket::fairing::AdHoc;
use ::rocket::local::blocking::Client;
use ::salvo::{Depot, handler};
use ::warp::Filter;
use ::warp::filters::BoxedFilter;
use doorward::rocket05::Doorward;
use doorward::testing::Overrides;
use doorward::verify::ClientCertificate;
use doorward_tests::client::send;
use http::{Extensions, HeaderName, HeaderValue, Request, Response};

use super::{rocket::empty, salvo::serve};
use crate::asking;
pub(crate) use crate::asking::block_on;

/// A verifier that a service shares.
type Tokens = doorward::Shared<crate::bound::Tokens>;
/// A request. Its extensions may have [`Overrides`], a [`ClientCertificate`] and a verifier, which
/// each framework gets where it looks for them.
pub(crate) type Asked = Request<&'static str>;
/// What a client sees.
pub(crate) type Answer = Response<String>;
/// A framework, and how it answers.
pub(crate) type Framework = (&'static str, fn(Asked) -> Answer);

/// Returns every framework with a handler that takes a dependency, for any method and path. The
/// handler returns the value, which is a `String`. The last two resolve a plan without a handler.
macro_rules! each_framework {
    ($($dependency:tt)*) => {{
        use ::salvo::Writer;
        use ::warp::Filter;
        use $crate::frameworks::each::{self, Framework};

        #[doorward::secured]
        async fn taken(#[security($($dependency)*)] found: String) -> String {
            found
        }
        #[doorward::secured]
        #[poem::handler]
        async fn taken_on_poem(#[security($($dependency)*)] found: String) -> String {
            found
        }
        #[doorward::secured]
        #[rocket::get("/<_..>")]
        async fn got_on_rocket(#[security($($dependency)*)] found: String) -> String {
            found
        }
        #[doorward::secured]
        #[rocket::post("/<_..>")]
        async fn posted_on_rocket(#[security($($dependency)*)] found: String) -> String {
            found
        }
        #[doorward::secured]
        #[salvo::handler]
        async fn taken_on_salvo(#[security($($dependency)*)] found: String) -> String {
            found
        }
        let frameworks: [Framework; 8] = [
            ("axum", |asked| each::axum(axum::Router::new().fallback(taken), asked)),
            ("actix-web", |asked| each::actix_web(actix_web::web::to(taken), asked)),
            ("poem", |asked| each::poem(taken_on_poem, asked)),
            ("rocket", |asked| {
                each::rocket(rocket::routes![got_on_rocket, posted_on_rocket], asked)
            }),
            ("salvo", |asked| {
                each::salvo(salvo::Router::with_path("{**rest}").goal(taken_on_salvo), asked)
            }),
            ("warp", |asked| {
                let plan = doorward::plan!($($dependency)*);
                let route = doorward::warp04::security_with(plan, each::shared(&asked));
                each::warp(route.boxed(), asked)
            }),
            ("http", |asked| {
                let (mut head, _) = asked.into_parts();
                let plan = doorward::plan!($($dependency)*);
                each::resolved(each::block_on(plan.resolve(&mut head)))
            }),
            ("http, on its thread", |asked| {
                let (mut head, _) = asked.into_parts();
                let plan = doorward::plan!($($dependency)*);
                each::resolved(each::block_on(plan.resolve_local(&mut head)))
            }),
        ];
        frameworks
    }};
}

/// Returns the frameworks whose guards and layers run before any handler, with a dependency there.
/// The handler answers `let in`.
macro_rules! each_layer {
    ($($dependency:tt)*) => {{
        use ::poem::EndpointExt as _;
        use $crate::frameworks::each::{self, Framework};

        #[salvo::handler]
        async fn let_in() -> &'static str {
            "let in"
        }
        let layers: [Framework; 5] = [
            ("axum", |asked| {
                let app = axum::Router::new().fallback(async || "let in");
                each::axum(app.layer(doorward::layer!($($dependency)*)), asked)
            }),
            ("axum, with its state", |asked| {
                let app = axum::Router::new().fallback(async || "let in");
                let layer = doorward::layer!($($dependency)*).with_state(());
                each::axum(app.layer(layer), asked)
            }),
            ("actix-web", |asked| {
                let route = actix_web::web::to(|| async { "let in" });
                each::actix_web(route.wrap(doorward::layer!($($dependency)*)), asked)
            }),
            ("poem", |asked| {
                let endpoint = poem::endpoint::make_sync(|_| "let in");
                each::poem(endpoint.with(doorward::layer!($($dependency)*)), asked)
            }),
            ("salvo", |asked| {
                let hoop = doorward::layer!($($dependency)*);
                each::salvo(salvo::Router::with_path("{**rest}").hoop(hoop).goal(let_in), asked)
            }),
        ];
        layers
    }};
}

pub(crate) use {each_framework, each_layer};

/// Creates an answer from what every framework has in types of its own.
fn answer<N: AsRef<[u8]>, V: AsRef<[u8]>>(
    status: u16,
    lines: impl IntoIterator<Item = (N, V)>,
    body: impl Into<Vec<u8>>,
) -> Answer {
    let mut answer = Response::new(String::from_utf8(body.into()).unwrap());
    *answer.status_mut() = status.try_into().unwrap();
    for (name, value) in lines {
        let name = HeaderName::from_bytes(name.as_ref()).unwrap();
        let value = HeaderValue::from_bytes(value.as_ref()).unwrap();
        answer.headers_mut().append(name, value);
    }
    answer
}

/// Returns the lines of a request's header.
fn lines(asked: &Asked) -> impl Iterator<Item = (&str, &[u8])> {
    let lines = asked.headers().iter();
    lines.map(|(name, value)| (name.as_str(), value.as_bytes()))
}

pub(crate) fn axum(app: Router, asked: Asked) -> Answer {
    block_on(asking::answer(app, asked.map(Into::into)))
}

pub(crate) fn actix_web(route: ::actix_web::Route, asked: Asked) -> Answer {
    ::actix_web::rt::System::new().block_on(async {
        let mut app = App::new().default_service(route);
        if let Some(overrides) = asked.extensions().get::<Overrides>() {
            app = app.app_data(overrides.clone());
        }
        if let Some(tokens) = asked.extensions().get::<Tokens>() {
            app = app.app_data(tokens.clone());
        }
        let app = actix_test::init_service(app).await;
        let mut request = actix_test::TestRequest::with_uri(&asked.uri().to_string())
            .method(asked.method().as_str().parse().unwrap());
        for line in lines(&asked) {
            request = request.append_header(line);
        }
        let request = request.to_request();
        if let Some(certificate) = asked.extensions().get::<ClientCertificate>() {
            request.extensions_mut().insert(certificate.clone());
        }
        let response = actix_test::call_service(&app, request).await;
        let (status, lines) = (response.status().as_u16(), response.headers().clone());
        let body = actix_test::read_body(response).await;
        answer(status, lines.iter(), body)
    })
}

pub(crate) fn poem(endpoint: impl IntoEndpoint, asked: Asked) -> Answer {
    let client = ::poem::test::TestClient::new(endpoint);
    let mut request = client.request(asked.method().clone(), asked.uri().to_string());
    for (name, value) in asked.headers() {
        request = request.header(name, value);
    }
    if let Some(overrides) = asked.extensions().get::<Overrides>() {
        request = request.data(overrides.clone());
    }
    if let Some(certificate) = asked.extensions().get::<ClientCertificate>() {
        request = request.data(certificate.clone());
    }
    if let Some(tokens) = asked.extensions().get::<Tokens>() {
        request = request.data(tokens.clone());
    }
    block_on(async {
        let (head, body) = request.send().await.0.into_parts();
        let body = body.into_vec().await.unwrap();
        answer(head.status.as_u16(), &head.headers, body)
    })
}

pub(crate) fn rocket(routes: Vec<::rocket::Route>, asked: Asked) -> Answer {
    let certificate = asked.extensions().get::<ClientCertificate>().cloned();
    let connected = AdHoc::on_request("certificate", move |request, _| {
        request.local_cache(|| certificate.clone());
        Box::pin(std::future::ready(()))
    });
    let mut app = empty().attach(connected).attach(Doorward);
    if let Some(overrides) = asked.extensions().get::<Overrides>() {
        app = app.manage(overrides.clone());
    }
    if let Some(tokens) = asked.extensions().get::<Tokens>() {
        app = app.manage(tokens.clone());
    }
    let client = Client::untracked(app.mount("/", routes)).unwrap();
    let method = asked.method().as_str().parse().unwrap();
    let mut request = client.req(method, asked.uri().to_string());
    for (name, value) in asked.headers() {
        let value = value.to_str().unwrap().to_owned();
        request.add_header(::rocket::http::Header::new(name.to_string(), value));
    }
    let response = request.dispatch();
    let lines = response.headers().iter();
    let lines = Vec::from_iter(lines.map(|line| (line.name.to_string(), line.value.to_string())));
    let status = response.status().code;
    answer(status, lines, response.into_bytes().unwrap_or_default())
}

/// Puts what a request had in its extensions where salvo looks for it.
struct Given(Extensions);

#[handler]
impl Given {
    async fn handle(&self, request: &mut ::salvo::Request, depot: &mut Depot) {
        request.extensions_mut().extend(self.0.clone());
        if let Some(overrides) = self.0.get::<Overrides>() {
            depot.insert_typed(overrides.clone());
        }
        if let Some(tokens) = self.0.get::<Tokens>() {
            depot.insert_typed(tokens.clone());
        }
    }
}

pub(crate) fn salvo(router: ::salvo::Router, asked: Asked) -> Answer {
    let given = Given(asked.extensions().clone());
    let service = ::salvo::Service::new(router).hoop(given);
    // The client sends the length of the body.
    let lines = lines(&asked).filter(|(name, _)| *name != "content-length");
    let lines = Vec::from_iter(lines);
    let (method, target) = (asked.method().as_str(), asked.uri().to_string());
    let body = asked.body().as_bytes();
    let response = send(serve(service), method, &target, &lines, body).unwrap();
    answer(response.status, response.lines(), response.body.clone())
}

/// Returns what warp shares with a plan.
pub(crate) fn shared(asked: &Asked) -> Extensions {
    let tokens = asked.extensions().get::<Tokens>().cloned();
    tokens.map_or_else(Extensions::new, Into::into)
}

/// Asks a filter in a box: the compiler takes long for each type of a filter.
pub(crate) fn warp(route: BoxedFilter<(String,)>, asked: Asked) -> Answer {
    let mut request =
        ::warp::test::request().method(asked.method().as_str()).path(&asked.uri().to_string());
    for (name, value) in asked.headers() {
        request = request.header(name, value);
    }
    if let Some(overrides) = asked.extensions().get::<Overrides>() {
        request = request.extension(overrides.clone());
    }
    if let Some(certificate) = asked.extensions().get::<ClientCertificate>() {
        request = request.extension(certificate.clone());
    }
    let route = route.recover(doorward::warp04::recover);
    let (head, body) = block_on(request.reply(&route)).into_parts();
    answer(head.status.as_u16(), &head.headers, body)
}

/// Returns the answer of a plan.
pub(crate) fn resolved(found: Result<String, Answer>) -> Answer {
    found.map_or_else(|refused| refused, Response::new)
}
