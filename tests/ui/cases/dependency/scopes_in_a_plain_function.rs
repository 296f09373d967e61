use tollgate::SecurityScopes;

#[axum::debug_handler]
async fn handler(scopes: SecurityScopes) -> &'static str {
    scopes.scope_str()
}

fn main() {}
