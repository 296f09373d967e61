//! Tests of the whole service, with tokens that the test signs itself.
//! `UPDATE=1 cargo test` writes `routes.txt` and `who.txt`, so that a change of rights is reviewed.

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use axum::body::{Body, to_bytes};
use axum::http::Request;
use doorward::BearerToken;
use doorward::axum08::{Router, asked};
use doorward::testing::TestAuthority;
use serde_json::json;
use tower::ServiceExt;

use crate::auth::Users;
use crate::routes;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// The service, and its issuer.
async fn service() -> Result<(Router, TestAuthority)> {
    let authority = TestAuthority::new("items-api")?;
    let users = Users::default();
    users.close("alice");
    Ok((routes::app(authority.verifier().build().await?, users), authority))
}

async fn ask(app: &Router, path: &str, token: &BearerToken) -> Result<(u16, String)> {
    let bearer = format!("Bearer {}", token.as_str());
    let request = Request::get(path).header("authorization", bearer).body(Body::empty())?;
    let answer = app.clone().oneshot(request).await?;
    let status = answer.status().as_u16();
    let body = to_bytes(answer.into_body(), 1024).await?;
    Ok((status, String::from_utf8(body.to_vec())?))
}

/// Compares a table with the one that is checked in.
fn assert_as_reviewed(file: &str, table: &str) -> Result {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if env::var_os("UPDATE").is_some() {
        fs::write(&file, table)?;
    }
    let reviewed = fs::read_to_string(&file)?;
    assert!(
        reviewed == table,
        "it is not as in {}; if that is right, run `UPDATE=1 cargo test`:\n{table}",
        file.display()
    );
    Ok(())
}

#[tokio::test]
async fn routes_are_as_reviewed() -> Result {
    let (app, _) = service().await?;
    assert_as_reviewed("routes.txt", &app.routes().to_string())
}

#[tokio::test]
async fn rights_are_as_reviewed() -> Result {
    let (app, authority) = service().await?;
    let routes = app.routes();
    let token = |name: &str| authority.token(name).scopes(["items:write"]);
    let admin = token("rita").claim("realm_access", json!({ "roles": ["admin"] }));
    let who = routes
        .asked_by("nobody", None)
        .asked_by("no scope", authority.token("johndoe").sign()?)
        .asked_by("john", token("johndoe").sign()?)
        .asked_by("closed", token("alice").sign()?)
        .asked_by("admin", admin.sign()?)
        .table(|ask| app.clone().oneshot(asked(ask)))
        .await?;
    assert_as_reviewed("who.txt", &who.to_string())
}

#[tokio::test]
async fn an_account_is_added_with_its_first_request() -> Result {
    let (app, authority) = service().await?;
    let token = authority.token("9f1c").claim("preferred_username", "johndoe").sign()?;
    assert_eq!(ask(&app, "/me", &token).await?, (200, "johndoe\n".to_owned()));
    Ok(())
}

#[tokio::test]
async fn tokens_of_others_are_refused() -> Result {
    let (app, authority) = service().await?;
    let token = || authority.token("johndoe").scopes(["items"]);
    assert_eq!(ask(&app, "/items", &token().sign()?).await?.0, 200);
    for token in [token().expired(), token().for_another_audience()] {
        assert_eq!(ask(&app, "/items", &token.sign()?).await?.0, 401);
    }
    let other = TestAuthority::new("items-api")?;
    assert_eq!(ask(&app, "/items", &other.token("johndoe").sign()?).await?.0, 401);
    Ok(())
}
