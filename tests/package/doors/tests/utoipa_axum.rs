//! The plain doors of utoipa-axum. Clippy reports its `routes!` for the crate.

#![expect(clippy::disallowed_macros)]

use axum::routing::{any, get};
use utoipa_axum::router::OpenApiRouter;

#[utoipa::path(get, path = "/documented")]
async fn handler() {}

#[test]
fn of_utoipa_axum() {
    let router: OpenApiRouter = OpenApiRouter::new();
    let documented = utoipa_axum::routes!(handler);
    #[expect(clippy::disallowed_methods)]
    let router = router.routes(documented);
    #[expect(clippy::disallowed_methods)]
    let router = router.route("/", get(handler));
    #[expect(clippy::disallowed_methods)]
    let router = router.route_service("/any", any(handler));
    #[expect(clippy::disallowed_methods)]
    let router = router.nest_service("/nested", any(handler));
    #[expect(clippy::disallowed_methods)]
    let router = router.fallback(handler);
    #[expect(clippy::disallowed_methods)]
    let router = router.fallback_service(any(handler));
    assert_eq!(router.get_openapi().paths.paths.len(), 1);
}
