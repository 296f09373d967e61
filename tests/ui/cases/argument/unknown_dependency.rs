include!("../../roles.rs");

#[secured(rolle(Role::Admin, 4))]
async fn guarded() {}

#[dependency]
fn below(#[security(rolle(Role::Admin, 4))] role: ()) {
    role
}

fn main() {}
