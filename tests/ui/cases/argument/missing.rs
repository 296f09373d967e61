include!("../../roles.rs");

#[secured(role)]
async fn guarded() {}

#[secured]
async fn handler(#[security(role)] role: ()) {
    role
}

#[dependency]
fn below(#[security(role)] role: ()) {
    role
}

// What requires it has no errors of its own.
#[secured(below)]
async fn above() {}

fn plans() {
    let _ = tollgate::plan!(role);
    let _ = tollgate::layer!(role);
}

fn main() {}
