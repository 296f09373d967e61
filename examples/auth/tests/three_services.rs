//! Three services, each on a framework of its own, with the scheme, the roles and the refusals of one
//! crate.

use std::error::Error;

use actix_web::{App, test, web};
use axum::body::{Body, to_bytes};
use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::testing::TestAuthority;
use doorward::{Shared, secured};
use doorward_example_auth::{Api, Caller, Claims, role};
use tonic::codegen::tokio_stream::{Once, once};
use tonic::{Code, Request, Response, Status};
use tonic_health::pb::health_server::Health;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};
use tower::ServiceExt;

/// On axum.
#[secured]
async fn orders(#[security(Api, scopes("orders"))] caller: Caller) -> String {
    format!("the orders of {}", caller.sub)
}

/// On actix-web.
#[secured]
async fn stock(#[security(role(&["clerk", "manager"]), scopes("stock"))] caller: Caller) -> String {
    format!("the stock, for {}", caller.sub)
}

/// On tonic.
struct Machines;

#[secured]
#[tonic::async_trait]
impl Health for Machines {
    #[security(role(&["manager"]))]
    async fn check(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        Ok(Response::new(HealthCheckResponse::default()))
    }

    type WatchStream = Once<Result<HealthCheckResponse, Status>>;

    #[security(Api)]
    async fn watch(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Ok(Response::new(once(Ok(HealthCheckResponse::default()))))
    }
}

/// An issuer of tokens for one service, and what verifies them.
async fn issuer_for(
    audience: &str,
) -> Result<(TestAuthority, Shared<TokenVerifier<Claims>>), Box<dyn Error>> {
    let authority = TestAuthority::new(audience)?;
    let tokens = authority.verifier::<Claims>().build().await?;
    Ok((authority, Shared::new(tokens)))
}

/// The `Authorization` line of a user.
fn line(
    issuer: &TestAuthority,
    role: &str,
    scopes: &'static [&'static str],
) -> Result<String, Box<dyn Error>> {
    let token = issuer.token("johndoe").scopes(scopes).claim("roles", vec![role]).sign()?;
    Ok(format!("Bearer {}", token.as_str()))
}

#[tokio::test]
async fn on_axum() -> Result<(), Box<dyn Error>> {
    let (issuer, tokens) = issuer_for("https://orders.example.com").await?;
    let (other, _) = issuer_for("https://stock.example.com").await?;
    let app: Router = Router::new().route("/", get(orders)).extension(tokens);
    assert_eq!(app.routes().to_string(), "GET  /  Api(orders)\n");
    for (line, expected) in [
        (line(&issuer, "clerk", &["orders"])?, (200, "the orders of johndoe")),
        (line(&issuer, "clerk", &["stock"])?, (403, "insufficient_scope")),
        (line(&other, "clerk", &["orders"])?, (401, "invalid")),
    ] {
        let request = axum::http::Request::get("/").header("authorization", line);
        let answer = app.clone().oneshot(request.body(Body::empty())?).await?;
        let status = answer.status().as_u16();
        let body = to_bytes(answer.into_body(), 1 << 10).await?;
        assert_eq!((status, &*body), (expected.0, expected.1.as_bytes()));
    }
    Ok(())
}

#[actix_web::test]
async fn on_actix_web() -> Result<(), Box<dyn Error>> {
    let (issuer, tokens) = issuer_for("https://stock.example.com").await?;
    let app = App::new().app_data(tokens).route("/", web::get().to(stock));
    let app = test::init_service(app).await;
    for (line, expected) in [
        (line(&issuer, "clerk", &["stock"])?, (200, "the stock, for johndoe")),
        (line(&issuer, "guest", &["stock"])?, (403, "role")),
        (line(&issuer, "clerk", &["orders"])?, (403, "insufficient_scope")),
    ] {
        let request = test::TestRequest::get().insert_header(("authorization", line));
        let answer = test::call_service(&app, request.to_request()).await;
        let status = answer.status().as_u16();
        assert_eq!((status, &*test::read_body(answer).await), (expected.0, expected.1.as_bytes()));
    }
    Ok(())
}

#[tokio::test]
async fn on_tonic() -> Result<(), Box<dyn Error>> {
    let (issuer, tokens) = issuer_for("https://machines.example.com").await?;
    for (role, expected) in [("manager", Ok(())), ("clerk", Err((Code::PermissionDenied, "role")))]
    {
        let mut request = Request::new(HealthCheckRequest::default());
        let line = line(&issuer, role, &[])?.parse()?;
        request.metadata_mut().insert("authorization", line);
        request.extensions_mut().insert(tokens.clone());
        let answer = Machines.check(request).await;
        let found = answer.as_ref().map(drop).map_err(|status| (status.code(), status.message()));
        assert_eq!(found, expected);
    }
    Ok(())
}
