use doorward::Rejection;

include!("../roles.rs");

#[dependency]
fn user() -> Result<(), Rejection> {
    Ok(())
}

// A list of alternatives is a `#[one_of]`.
#[secured(any(user, admin))]
async fn any_of_any_of() {}

#[secured(role(Role::Owner, LIMIT))]
async fn unknown_constant() {}

#[secured(rolle(Role::Admin, 4))]
async fn unknown_dependency() {}

#[dependency]
fn below(#[security(rolle(Role::Admin, 4))] role: ()) {
    role
}

fn main() {}
