use tollgate::axum08::Router;
use tollgate::axum08::routing::get;

include!("../../callers.rs");

struct Caller(String);

#[dependency(extract)]
fn caller(#[security(user)] user: String) -> Caller {
    Caller(user)
}

struct Machine;

#[dependency(extract)]
fn machine(#[security(service)] _service: ()) -> Machine {
    Machine
}

async fn items(caller: Caller, _machine: Machine) -> String {
    caller.0
}

fn main() {
    let _app: Router = Router::new().route("/items", get(items));
}
