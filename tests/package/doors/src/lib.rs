//! Clippy refuses the plain doors, with the lines of the guide in `clippy.toml`. Each `expect`
//! fails if its line is not refused, and everything else is warned about.

#[cfg(test)]
mod declared {
    use doorward::axum08::Router;
    use doorward::axum08::routing::{any, get};
    use doorward::public;

    #[public(reason = "load balancers ask it")]
    async fn health() {}

    #[public(reason = "load balancers ask it")]
    #[rocket::get("/health")]
    fn of_rocket() {}

    #[test]
    fn the_doors_are_open() {
        let app: Router = Router::new()
            .route("/health", get(health))
            .route_service("/any", public("everyone may", any(health)))
            .nest_service("/nested", public("everyone may", any(health)))
            .fallback(health)
            .method_not_allowed_fallback(health);
        assert_eq!(app.routes().iter().count(), 5);
        assert_eq!(doorward::rocket05::routes![of_rocket].len(), 1);
    }
}

#[cfg(test)]
mod plain {
    use axum::Router;
    use axum::routing::{any, get};

    async fn handler() {}

    #[rocket::get("/")]
    fn of_rocket() {}

    #[test]
    fn of_axum() {
        let router: Router = Router::new();
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
        #[expect(clippy::disallowed_methods)]
        let router = router.method_not_allowed_fallback(handler);
        assert!(router.has_routes());
    }

    #[test]
    fn in_rocket() {
        #[expect(clippy::disallowed_macros)]
        let routes = rocket::routes![of_rocket];
        assert_eq!(routes.len(), 1);
    }
}
