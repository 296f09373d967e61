use tollgate::public;

#[public("load balancers ask it")]
async fn health() {}

fn main() {}
