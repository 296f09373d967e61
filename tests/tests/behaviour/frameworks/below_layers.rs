//! Handlers that count on the layer around them.

use ::actix_web::web;
use ::axum::Router;
use ::axum::handler::HandlerWithoutStateExt as _;
use ::poem::EndpointExt as _;
use ::salvo::Writer;
use doorward::axum08::routing::{MethodRouter, get, get_service};
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

/// A closure says at its registration that it is below the layer, and so does a service.
#[test]
fn a_closure_of_axum() {
    below_layer(|| get(layer!(user, scopes("items")).already_around(async || "items")));
}

#[test]
fn a_service_of_axum() {
    let items = || (async || "items").into_service();
    below_layer(|| get_service(layer!(user, scopes("items")).already_around(items())));
}

fn below_layer(items: impl Fn() -> MethodRouter) {
    let app = || doorward::axum08::Router::new().route("/", items());
    let right = app().layer(layer!(user, scopes("me", "items")));
    assert_eq!(right.routes().to_string(), "GET  /  OAuth2(items)\n");
    check([
        each::axum(right.into_inner(), asked()),
        each::axum(app().layer(layer!(user, scopes("me"))).into_inner(), asked()),
        each::axum(app().into_inner(), asked()),
    ]);
    let request = Request::get("/").body("").unwrap();
    let refused = each::axum(app().layer(layer!(user, scopes("items"))).into_inner(), request);
    assert_eq!(refused.status(), 401);
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
