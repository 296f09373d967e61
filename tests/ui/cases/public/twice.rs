use tollgate::public;

#[public(reason = "load balancers ask it")]
#[public(reason = "so does the deployment")]
async fn health() {}

fn main() {}
