use tollgate::{public as open, secured as guarded};

include!("../../callers.rs");

#[open(reason = "load balancers ask it")]
#[guarded(user)]
async fn health() {}

#[guarded(user)]
#[open(reason = "load balancers ask it")]
async fn ready() {}

fn main() {}
