use tollgate::public;

#[public(reason = "")]
async fn health() {}

#[public(reason = " ")]
async fn ready() {}

fn main() {}
