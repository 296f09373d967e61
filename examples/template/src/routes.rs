//! The routes. A handler that is neither secured nor public does not compile in this router.

use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::{Shared, public, secured};

use crate::auth::{Claims, Role, User, Users, role, user};

#[public(reason = "load balancers ask it")]
async fn health() -> &'static str {
    "ok\n"
}

#[secured]
async fn me(#[security(user)] user: User) -> String {
    format!("{}\n", user.name)
}

#[secured]
async fn items(#[security(user, scopes("items"))] user: User) -> String {
    format!("the items of {}\n", user.name)
}

#[secured(role(Role::Admin), scopes("items:write"))]
async fn purge() -> &'static str {
    "no items are left\n"
}

pub fn app(tokens: TokenVerifier<Claims>, users: Users) -> Router {
    Router::new()
        .route("/health", get(health))
        .route("/me", get(me))
        .route("/items", get(items).delete(purge))
        .extension(Shared::new(tokens))
        .extension(Shared::new(users))
}
