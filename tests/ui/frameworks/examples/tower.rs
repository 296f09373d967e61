use std::convert::Infallible;

use doorward::http::{Request, Response};
use doorward::{BearerError, BearerToken, SecurityScopes, dependency, http_bearer, layer};
use tower::{Layer, Service, service_fn};

#[http_bearer]
struct Token;

#[dependency]
fn caller(#[security(Token)] _token: BearerToken, scopes: SecurityScopes) -> Result<(), BearerError> {
    Err(scopes.invalid_token())
}

#[derive(Default)]
struct Frames;

async fn answer(_: Request<()>) -> Result<Response<Frames>, Infallible> {
    Ok(Response::new(Frames))
}

fn serve(_: impl Service<Request<()>>) {}

fn body_that_is_not_made_from_text() {
    serve(layer!(caller).with_grpc_refusals().layer(service_fn(answer)));
    serve(layer!(caller).layer(service_fn(answer)));
}

fn main() {}
