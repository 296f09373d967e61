use axum::extract::{Path, State};
use axum::http::Uri;
use doorward::public;
use doorward::axum08::Router;
use doorward::axum08::routing::{any, get};
use doorward::utoipa_axum03::{OpenApiRouter, routes};

include!("../callers.rs");

struct Missing;

#[public(reason = "load balancers ask it")]
#[utoipa::path(get, path = "/health", responses((status = 200)))]
async fn health(_: Missing) {}

fn described_but_not_a_handler() {
    let _app = OpenApiRouter::<()>::new().routes(routes!(health));
}

#[utoipa::path(get, path = "/health", responses((status = 200)))]
async fn described() {}

fn described_inside_public() {
    let reason = "load balancers ask it";
    let _app = OpenApiRouter::<()>::new().routes(routes!(doorward::public(reason, described)));
}

#[public(reason = "load balancers ask it")]
async fn health_not_a_handler(_: Missing) {}

fn not_a_handler() {
    let _app: Router = Router::new().route("/health", get(health_not_a_handler));
}

struct Caller(String);

#[dependency(extract)]
fn caller(#[security(user)] user: String) -> Caller {
    Caller(user)
}

async fn items(caller: Option<Caller>) -> String {
    caller.map_or(String::new(), |caller| caller.0)
}

fn optional_extracted_value() {
    let _app: Router = Router::new().route("/items", get(items));
}

fn plain_router() {
    let plain = axum::Router::<()>::new();
    let _app: Router = Router::new().merge(plain);
}

#[secured(service)]
async fn secured_items(caller: Caller) -> String {
    caller.0
}

fn secured_beside_an_extracted_value() {
    let _app: Router = Router::new().route("/items", get(secured_items));
}

struct Machine;

#[dependency(extract)]
fn machine(#[security(service)] _service: ()) -> Machine {
    Machine
}

async fn items_of_both(caller: Caller, _machine: Machine) -> String {
    caller.0
}

fn two_extracted_values() {
    let _app: Router = Router::new().route("/items", get(items_of_both));
}

fn undecided_closure() {
    let _app: Router = Router::new().route("/", any(async || "ok"));
}

#[public(reason = "everyone may read")]
#[utoipa::path(get, path = "/users", responses((status = 200)))]
async fn users() {}

#[utoipa::path(delete, path = "/users", responses((status = 200)))]
async fn remove(Path(id): Path<u32>, State(state): State<u8>) -> String {
    format!("{id} {state}")
}

mod probes {
    #[utoipa::path(get, path = "/health", responses((status = 200)))]
    pub async fn health() {}
}

fn undecided_described_handler() {
    let _app = OpenApiRouter::new()
        .routes(routes!(users, remove))
        .routes(routes!(probes::health))
        .with_state::<()>(1);
}

async fn not_found(uri: Uri) -> String {
    uri.to_string()
}

fn undecided_fallback() {
    let _app: Router = Router::new().fallback(not_found);
}

async fn user_undecided_handler(Path(id): Path<u32>, State(state): State<u8>) -> String {
    format!("{id} {state}")
}

fn undecided_handler() {
    let _app: Router = Router::new().route("/users/{id}", get(user_undecided_handler)).with_state(1);
}

#[public(reason = "everyone may read")]
async fn read() {}

async fn write() {}

fn undecided_method() {
    let _app: Router = Router::new().route("/", get(read).post(write));
}

fn undecided_service() {
    let files = axum::Router::<()>::new();
    let _app: Router = Router::new().nest_service("/files", files);
}

mod plain_route {
    use axum::routing::get;
    use doorward::public;
    use doorward::axum08::Router;

    #[public(reason = "load balancers ask it")]
    async fn health() {}

    fn used() {
        let _app: Router = Router::new().route("/health", get(health));
    }
}

struct Page;

#[dependency(extract)]
fn page() -> Page {
    Page
}

async fn pages(_: Page) {}

fn extracted_value_that_everyone_gets() {
    let _app: Router = Router::new().route("/pages", get(pages));
}

#[doorward::one_of(extract)]
enum Visitor {
    #[security(user)]
    User(String),
    Nobody,
}

async fn visit(_: Visitor) {}

fn extracted_enum_with_nobody() {
    let _app: Router = Router::new().route("/visit", get(visit));
}

fn main() {}
