include!("../../roles.rs");

#[secured]
async fn handler(limit: axum::extract::Path<u32>, #[security(role(Role::Admin, limit + 1))] role: ()) {
    let _ = (limit, role);
}

#[dependency]
fn below(#[argument] limit: u32, #[security(role(Role::Admin, limit))] _role: ()) -> u32 {
    limit
}

fn main() {}
