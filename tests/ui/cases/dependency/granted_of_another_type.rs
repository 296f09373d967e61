use tollgate::{BearerError, SecurityScopes, dependency};

#[dependency]
fn user(scopes: SecurityScopes) -> Result<(), BearerError> {
    scopes.check(&7)?;
    Ok(())
}

fn main() {}
