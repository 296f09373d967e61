use doorward::axum08::Router;
use doorward::axum08::routing::{get, post};
use doorward::{http_bearer, layer, public, secured};
use tower_governor::{GovernorLayer, governor::GovernorConfigBuilder};

#[http_bearer(verified = serde_json::Value)]
struct Api;

#[public(reason = "users log in here")]
async fn token() {}

#[secured(layer = Api)]
async fn items() {}

fn app() -> Option<Router> {
    // 5 logins at once, and then one in 10 seconds.
    let logins = GovernorConfigBuilder::default().per_second(10).burst_size(5).finish()?;
    // 50 other requests at once, and then 20 in a second.
    let requests = GovernorConfigBuilder::default().per_millisecond(50).burst_size(50).finish()?;
    let login = Router::new().route("/token", post(token)).layer(GovernorLayer::new(logins));
    let api = Router::new()
        .route("/items", get(items))
        .route_layer(layer!(Api))
        .layer(GovernorLayer::new(requests)); // the last layer is the outermost
    Some(login.merge(api))
}

#[test]
fn it_builds() {
    assert!(app().is_some());
}
