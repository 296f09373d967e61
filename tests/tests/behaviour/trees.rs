//! Random trees of dependencies yield what a model says. `build.rs` writes them.

use axum::Router;
use axum::body::Body;
use http::Request;
use tollgate::SecurityScopes;
use tower::ServiceExt;

/// What a dependency saw: its number and its scopes, and what those below it saw.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Seen {
    dependency: usize,
    scopes: Vec<&'static str>,
    scope_str: String,
    below: Vec<Self>,
}

impl Seen {
    fn new(dependency: usize, scopes: SecurityScopes, below: Vec<Self>) -> Self {
        Self {
            dependency,
            scopes: scopes.scopes.to_vec(),
            scope_str: scopes.scope_str.to_owned(),
            below,
        }
    }
}

fn shown(seen: &[Seen]) -> String {
    format!("{seen:?}")
}

mod generated {
    #![allow(
        dead_code,
        missing_docs,
        unreachable_pub,
        clippy::all,
        reason = "generated"
    )]

    use axum::Router;
    use axum::routing::get;
    use tollgate::{SecurityScopes, dependency, secured};

    use super::{Seen, shown};

    include!(concat!(env!("OUT_DIR"), "/trees.rs"));
}

/// What the model says of edges at the end of a way with these scopes.
fn model(edges: &[(usize, &[&'static str])], way: &[&'static str]) -> Vec<Seen> {
    let seen = edges.iter().map(|(dependency, required)| {
        let mut scopes = way.to_vec();
        for scope in *required {
            if !scopes.contains(scope) {
                scopes.push(scope);
            }
        }
        let below = model(generated::DEPENDENCIES[*dependency], &scopes);
        Seen {
            dependency: *dependency,
            scope_str: scopes.join(" "),
            scopes,
            below,
        }
    });
    seen.collect()
}

async fn answer(app: Router, path: &str) -> String {
    let response = app
        .oneshot(Request::get(path).body(Body::empty()).unwrap())
        .await
        .unwrap();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX)
        .await
        .unwrap();
    String::from_utf8(body.to_vec()).unwrap()
}

#[tokio::test]
async fn every_handler_sees_what_the_model_says() {
    for (number, edges) in generated::HANDLERS.iter().enumerate() {
        let answer = answer(generated::routes(), &format!("/{number}")).await;
        assert_eq!(answer, shown(&model(edges, &[])), "handler {number}");
    }
}

#[test]
fn the_trees_are_worth_a_look() {
    assert!(
        generated::HANDLERS.len() >= 40
            && generated::DEPENDENCIES.len() >= 30
            && generated::DEPTH >= 6
    );
}
