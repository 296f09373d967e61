use tollgate::{SecurityScopes, dependency};

#[dependency]
fn user(scopes: &SecurityScopes) -> String {
    scopes.scope_str().to_owned()
}

fn main() {}
