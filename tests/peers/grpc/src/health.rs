//! The health service of tonic-health, with methods of our own.

pub mod watch;

use doorward::plan;
use http::request::Parts;
use tonic::{Request, Response, Status, async_trait};
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_server::Health;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

use crate::security::{Caller, caller};

/// The name of a service whose health takes another scope, which the method finds out.
pub const LATE: &str = "late";

/// The service. It answers with the caller, as the layer has left it.
#[derive(Clone, Copy, Debug)]
pub struct Service;

const SERVING: HealthCheckResponse = HealthCheckResponse { status: ServingStatus::Serving as i32 };

#[async_trait]
impl Health for Service {
    async fn check(
        &self,
        request: Request<HealthCheckRequest>,
    ) -> Result<Response<HealthCheckResponse>, Status> {
        if request.get_ref().service == LATE {
            let watcher = plan!(caller, scopes("watch"));
            // The layer sends the refusal in place of this one.
            watcher.resolve_late(&mut head(&request)).await.map_err(|_| Status::aborted("late"))?;
        }
        let Some(Caller(caller)) = request.extensions().get() else {
            return Err(Status::internal("there is no caller"));
        };
        let caller = caller.parse().map_err(|_| Status::internal("not a name"))?;
        let mut response = Response::new(SERVING);
        response.metadata_mut().insert("caller", caller);
        Ok(response)
    }

    type WatchStream = tokio_stream::Once<Result<HealthCheckResponse, Status>>;

    async fn watch(
        &self,
        _: Request<HealthCheckRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        Ok(Response::new(tokio_stream::once(Ok(SERVING))))
    }
}

/// The head of a call, as far as tonic keeps it.
fn head<T>(request: &Request<T>) -> Parts {
    let (mut head, ()) = http::Request::new(()).into_parts();
    head.headers = request.metadata().clone().into_headers();
    head.extensions = request.extensions().clone();
    head
}
