use doorward::http::Uri;
use doorward::live::Live;
use doorward::{BearerError, BearerToken, Rejection, SecurityScopes, dependency, http_bearer, plan, secured};
use tonic::{Request, Response, Status};

#[http_bearer(scopes("notes:read" = "Read the notes."))]
struct Api;

#[dependency]
fn user(#[security(Api)] _token: BearerToken) -> Result<String, Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

#[dependency]
fn reader(#[security(Api)] _token: BearerToken, scopes: SecurityScopes) -> Result<String, BearerError> {
    Err(scopes.invalid_token())
}

type Answer = Result<Response<()>, Status>;

#[tonic::async_trait]
trait Notes: Send + Sync {
    async fn get(&self, request: Request<()>) -> Answer;
    async fn put(&self, request: Request<()>) -> Answer;
}

struct Undecided;

#[secured]
#[tonic::async_trait]
impl Notes for Undecided {
    async fn get(&self, _: Request<()>) -> Answer {
        Ok(Response::new(()))
    }

    #[public(reason = "it says nothing")]
    async fn put(&self, _: Request<()>) -> Answer {
        Ok(Response::new(()))
    }
}

struct Scopes;

#[secured(reader, scopes("notes:raed"))]
#[tonic::async_trait]
impl Notes for Scopes {
    async fn get(&self, _: Request<()>) -> Answer {
        Ok(Response::new(()))
    }

    async fn put(
        &self,
        _: Request<()>,
        #[security(reader, scopes("notes:wriet"))] _reader: String,
    ) -> Answer {
        Ok(Response::new(()))
    }
}

struct BelowAsyncTrait;

#[tonic::async_trait]
#[secured(user)]
impl Notes for BelowAsyncTrait {
    async fn get(&self, _: Request<()>) -> Answer {
        Ok(Response::new(()))
    }

    async fn put(&self, _: Request<()>, #[security(user)] user: String) -> Answer {
        drop(user);
        Ok(Response::new(()))
    }
}

#[dependency]
fn located(#[security(Api)] _token: BearerToken, _target: Uri) -> Result<(), Rejection> {
    Err(Rejection::NOT_AUTHENTICATED)
}

struct Target;

#[secured]
#[tonic::async_trait]
impl Notes for Target {
    #[security(located)]
    async fn get(&self, _: Request<()>) -> Answer {
        Ok(Response::new(()))
    }

    #[public(reason = "its plan asks")]
    async fn put(&self, request: Request<()>) -> Answer {
        plan!(located).resolve_call(&request).await?;
        Ok(Response::new(()))
    }
}

struct Attributes;

#[secured]
#[tonic::async_trait]
impl Notes for Attributes {
    #[security(user)]
    #[public(reason = "it says nothing")]
    async fn get(&self, _: Request<()>) -> Answer {
        Ok(Response::new(()))
    }

    #[security(user)]
    async fn put(&self, _: Request<()>, _first: Live, _second: Live) -> Answer {
        Ok(Response::new(()))
    }
}

fn main() {}
