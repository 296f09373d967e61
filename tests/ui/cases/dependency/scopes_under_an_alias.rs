use tollgate::{SecurityScopes, dependency};

type Required = SecurityScopes;

#[dependency]
fn current_user(scopes: Required) -> usize {
    scopes.scopes().len()
}

fn main() {}
