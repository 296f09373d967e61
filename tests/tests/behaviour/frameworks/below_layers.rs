//! Handlers that count on the layer around them.

use ::actix_web::web;
use ::axum::Router;
use ::poem::EndpointExt as _;
use ::salvo::Writer;
use doorward::{layer, operation, secured};
use http::Request;

use super::each::{self, Answer, Asked};
use super::user;
use crate::asking::seen;

#[secured(layer = user, scopes("items"))]
async fn items() -> &'static str {
    "items"
}

#[secured(layer = user, scopes("items", "me"))]
async fn both() -> &'static str {
    "both"
}

#[secured(layer = user, scopes("items"))]
#[poem::handler]
async fn items_on_poem() -> &'static str {
    "items"
}

#[secured(layer = user, scopes("items"))]
#[salvo::handler]
async fn items_on_salvo() -> &'static str {
    "items"
}

fn asked() -> Asked {
    let request = Request::get("/").header("authorization", "Bearer john");
    request.body("").unwrap()
}

/// What a request gets with the right layer, with one that requires less, and with none.
fn check(answers: [Answer; 3]) {
    let [right, less, none] = answers.map(seen);
    assert_eq!(right, (200, "items".to_owned()));
    assert_eq!(less.0, 500);
    assert_eq!(none.0, 500);
}

#[test]
fn on_axum() {
    let app = || Router::new().fallback(items);
    check([
        each::axum(app().layer(layer!(user, scopes("me", "items"))), asked()),
        each::axum(app().layer(layer!(user, scopes("me"))), asked()),
        each::axum(app(), asked()),
    ]);
    // A route beside the layer is not below it.
    let moved = Router::new().layer(layer!(user, scopes("items"))).fallback(items);
    assert_eq!(each::axum(moved, asked()).status(), 500);
}

#[test]
fn layers_add_up() {
    let app = Router::new()
        .fallback(both)
        .layer(layer!(user, scopes("me")).with_state(()))
        .layer(layer!(user, scopes("items")));
    assert_eq!(each::axum(app, asked()).status(), 200);
    let app = Router::new()
        .fallback(both)
        .layer(layer!(user, scopes("me")))
        .layer(layer!(user, scopes("me")));
    assert_eq!(each::axum(app, asked()).status(), 500);
}

#[test]
fn on_actix_web() {
    let route = || web::to(items);
    check([
        each::actix_web(route().wrap(layer!(user, scopes("items"))), asked()),
        each::actix_web(route().wrap(layer!(user)), asked()),
        each::actix_web(route(), asked()),
    ]);
}

#[test]
fn on_poem() {
    check([
        each::poem(items_on_poem.with(layer!(user, scopes("items"))), asked()),
        each::poem(items_on_poem.with(layer!(user)), asked()),
        each::poem(items_on_poem, asked()),
    ]);
}

#[test]
fn on_salvo() {
    let router = || salvo::Router::with_path("{**rest}");
    check([
        each::salvo(router().hoop(layer!(user, scopes("items"))).goal(items_on_salvo), asked()),
        each::salvo(router().hoop(layer!(user)).goal(items_on_salvo), asked()),
        each::salvo(router().goal(items_on_salvo), asked()),
    ]);
}

#[test]
fn the_description_is_that_of_the_layer() {
    let description = serde_json::json!(operation!(items));
    assert_eq!(description["security"], serde_json::json!([{ "OAuth2": ["items"] }]));
}
