include!("../../roles.rs");

#[secured]
async fn handler(#[security(role("admin", 4))] role: ()) {
    role
}

#[secured(role(Role::Admin, -4))]
async fn guarded() {}

fn main() {}
