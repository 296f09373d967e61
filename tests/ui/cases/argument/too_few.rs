include!("../../roles.rs");

#[secured(role(Role::Admin))]
async fn guarded() {}

#[dependency]
fn below(#[security(role(Role::Admin))] role: ()) {
    role
}

fn main() {}
