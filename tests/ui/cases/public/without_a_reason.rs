use tollgate::public;

#[public]
async fn health() {}

#[public()]
async fn ready() {}

fn main() {}
