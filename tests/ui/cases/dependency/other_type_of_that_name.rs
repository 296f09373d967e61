use tollgate::dependency;

struct SecurityScopes;

#[dependency]
fn current_user(scopes: SecurityScopes) -> usize {
    let SecurityScopes = scopes;
    1
}

fn main() {}
