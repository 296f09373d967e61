//! Random services of actix-web, by their documents.

use ::actix_web::dev::Service as _;
use ::actix_web::http::Method;
use ::actix_web::test as actix_test;
use ::actix_web::web::{self, ServiceConfig};
use ::actix_web::{App, Resource};
use doorward::actix_web4::asked;
use doorward::openapi::{Document, Operation};
use doorward::{declared, http_bearer, layer, operation};

use super::*;

#[dependency]
fn owner_of_path(#[security(user)] user: User, owner: web::Path<String>) -> Result<(), Rejection> {
    match *owner == user.name {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::NOT_FOUND)),
    }
}

#[dependency]
fn by_method(#[security(user)] user: User, method: Method) -> Result<(), Rejection> {
    match user.is_admin || method != Method::GET {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::FORBIDDEN)),
    }
}

#[http_bearer(auto_error = false)]
struct MaybeNotes;

#[dependency]
fn lenient(#[security(MaybeNotes)] token: Option<BearerToken>) -> Result<(), Rejection> {
    match token.is_none_or(|token| token.as_str() != "carol:read") {
        true => Ok(()),
        false => Err(Rejection::new(StatusCode::GONE)),
    }
}

macro_rules! handlers {
    ($(#[$declared:meta] $name:ident($($parameters:tt)*);)*) => {
        $(
            #[$declared]
            async fn $name($($parameters)*) -> &'static str {
                ran();
                "a handler ran"
            }
        )*

        const HANDLERS: usize = [$(stringify!($name)),*].len();

        /// Adds the handler with this number, and returns what it requires.
        fn with(resource: Resource, method: Method, number: usize) -> (Resource, Operation) {
            let mut left = number;
            $(
                if left == 0 {
                    let route = web::method(method).to(declared($name));
                    return (resource.route(route), operation!($name));
                }
                left -= 1;
            )*
            unreachable!("there are {HANDLERS} handlers, and {left} more are none")
        }
    };
}

handlers! {
    #[secured(user)] listed();
    #[secured(user, scopes("read"))] read();
    #[secured(user, scopes("write"))] written();
    #[secured(role(Role::Admin))] purged(#[security(user)] _user: User);
    #[secured(role(Role::User))] used(#[security(user, scopes("write"))] _user: User);
    #[secured(owner_of_path)] owned();
    #[secured(by_method)] methodical();
    #[secured(lenient)] leniently();
    #[doorward::public(reason = "load balancers ask it")] health();
}

/// A path with its methods, the numbers of their handlers, and that of the layer around them.
struct Path {
    path: String,
    methods: Vec<(&'static str, usize)>,
    layer: usize,
}

fn paths(random: &mut Random) -> Vec<Path> {
    let path = |number: usize, random: &mut Random| {
        let path = match random.below(2) {
            0 => format!("/{number}"),
            _ => format!("/{number}/{{owner}}"),
        };
        let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];
        let methods = Vec::from_iter(methods.into_iter().filter(|_| random.is_one_in(2)));
        let methods = methods.into_iter().map(|method| (method, random.below(HANDLERS)));
        Path { path, methods: methods.collect(), layer: random.below(8) }
    };
    (0..=random.below(5)).map(|number| path(number, random)).collect()
}

/// Adds the resources, and returns what each operation requires.
fn configure(paths: &[Path], app: &mut ServiceConfig) -> Vec<(String, Operation)> {
    let mut operations = Vec::new();
    for Path { path, methods, layer } in paths {
        let mut resource = web::resource(path.as_str());
        for (method, number) in methods {
            let filter = Method::from_bytes(method.as_bytes()).unwrap();
            let (with_handler, operation) = with(resource, filter, *number);
            resource = with_handler;
            operations.push((format!("{method} {path}"), operation));
        }
        match layer {
            0 => app.service(resource.wrap(layer!(user))),
            1 => app.service(resource.wrap(layer!(user, scopes("write")))),
            2 => app.service(resource.wrap(layer!(role(Role::Admin)))),
            _ => app.service(resource),
        };
    }
    operations
}

fn document(paths: &[Path], version: &str) -> Document {
    let mut items = json!({});
    for Path { path, methods, .. } in paths {
        for (method, _) in methods {
            let id = format!("{method} {path}");
            items[path][method.to_ascii_lowercase()] = json!({ "operationId": id });
        }
    }
    let mut document = Document::new(json!({ "openapi": version, "paths": items })).unwrap();
    let mut operations = Vec::new();
    let _ = App::new().configure(|app| operations = configure(paths, app));
    for (id, operation) in operations {
        document.operation(&id).unwrap().secure(&operation).unwrap();
    }
    document
}

async fn compare_with_document(seed: u64) -> usize {
    let mut random = Random::new(seed);
    let paths = paths(&mut random);
    let document = document(&paths, ["3.0.3", "3.1.0"][random.below(2)]);
    let routes = document.routes().unwrap();
    let app = App::new().configure(|app| drop(configure(&paths, app)));
    let service = actix_test::init_service(app).await;
    let [(name, sent), others @ ..] = CALLERS;
    let mut callers = routes.asked_by(name, sent.map(token));
    for (name, sent) in others {
        callers = callers.asked_by(name, sent.map(token));
    }
    let mut targets = BTreeMap::new();
    for path in paths.iter().filter(|path| !path.methods.is_empty()) {
        let target = path.path.replace("{owner}", ["alice", "root"][random.below(2)]);
        callers = callers.sample(&path.path, &target);
        targets.insert(&*path.path, target);
    }
    has_run();
    let who = callers.table(async |ask| service.call(asked(ask)).await).await;
    let who = who.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{routes}")).to_string();
    assert!(!has_run(), "seed {seed}: a handler ran");
    assert_eq!(who.lines().count(), routes.iter().count() + 1, "seed {seed}");
    let mut cells = 0;
    for line in who.lines().skip(1) {
        let words = Vec::from_iter(line.split_whitespace());
        let [method, path, row @ ..] = &*words else { unreachable!("{line}") };
        if row[0] == "public:" {
            continue;
        }
        for ((name, sent), cell) in CALLERS.iter().zip(row) {
            let method = Method::from_bytes(method.as_bytes()).unwrap();
            let mut request = actix_test::TestRequest::with_uri(&targets[path]).method(method);
            if let Some(sent) = sent {
                request = request.insert_header(("authorization", format!("Bearer {sent}")));
            }
            let status = match service.call(request.to_request()).await {
                Ok(response) => response.status(),
                Err(error) => error.as_response_error().status_code(),
            };
            let got = if has_run() { "in".to_owned() } else { status.as_u16().to_string() };
            assert_eq!(got, *cell, "seed {seed}: {line} as {name}\n{who}\n{routes}");
            cells += 1;
        }
    }
    cells
}

#[test]
fn each_cell_of_a_random_service_is_what_the_request_gets() {
    ::actix_web::rt::System::new().block_on(async {
        let (mut cells, mut services) = (0, 0);
        for seed in seeds() {
            cells += compare_with_document(seed).await;
            services += 1;
        }
        println!("{services} services, {cells} cells");
        assert!(cells > services * 10);
    });
}
