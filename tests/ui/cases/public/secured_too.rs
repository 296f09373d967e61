use tollgate::public;

include!("../../callers.rs");

#[public(reason = "load balancers ask it")]
#[secured(user)]
async fn health() {}

#[secured(user)]
#[public(reason = "load balancers ask it")]
async fn ready() {}

fn main() {}
