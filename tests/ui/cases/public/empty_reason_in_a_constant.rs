use tollgate::public;

const REASON: &str = " ";

#[public(reason = REASON)]
async fn health() {}

#[public(reason = concat!("", ""))]
async fn ready() {}

fn main() {}
