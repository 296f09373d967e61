use tollgate::secured;

#[secured]
async fn handler() {}

fn main() {}
