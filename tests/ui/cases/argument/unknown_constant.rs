include!("../../roles.rs");

#[secured(role(Role::Owner, LIMIT))]
async fn guarded() {}

fn main() {}
