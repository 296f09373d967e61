use tollgate::public;

#[public(raeson = "load balancers ask it")]
async fn health() {}

fn main() {}
