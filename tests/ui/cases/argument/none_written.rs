include!("../../roles.rs");

#[secured(role())]
async fn guarded() {}

fn main() {}
