include!("../../roles.rs");

#[secured(role(Role::Admin, 4, "more"))]
async fn guarded() {}

fn main() {}
