use tollgate::public;

#[public(reason = "load balancers ask it")]
struct Health;

fn main() {}
