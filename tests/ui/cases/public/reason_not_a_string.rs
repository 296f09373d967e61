use tollgate::public;

#[public(reason = 1)]
async fn health() {}

#[public(reason)]
async fn ready() {}

fn main() {}
