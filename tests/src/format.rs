//! A scheme whose refusals are in the server's own format, on every framework.

use actix_web::HttpResponseBuilder;
use doorward::scheme::RefusedRequest;
use doorward::verify::{Presented, Verified, Verify, VerifyError};
use doorward::{SecurityScopes, http_bearer};
use http::{Response, StatusCode};
use rocket::Request;
use rocket::http::{ContentType, Status};
use rocket::response::Responder;
use serde::Serialize;
use serde_json::{Value, json};

use crate::shown::Shown;

/// Takes the token `good`.
#[http_bearer(verified = Known, by = OneToken, error = Problem)]
pub struct Format;

/// A token that is known.
#[derive(Debug)]
pub struct Known(String);

impl Shown for Verified<Known> {
    fn shown(&self) -> Value {
        json!({ "user": self.0 })
    }
}

/// Knows one token.
#[derive(Debug)]
pub struct OneToken;

impl Verify for OneToken {
    type Claims = Known;

    const READS_REQUEST: bool = false;

    async fn verify(
        &self,
        token: impl Into<Presented> + Send,
        scopes: SecurityScopes,
    ) -> Result<Verified<Known>, VerifyError> {
        match token.into().token().as_str() {
            "good" => Verified::new(Known("good".to_owned()), []).require(scopes),
            _ => Err(VerifyError::invalid_token(scopes)),
        }
    }
}

/// A refusal as the server's clients know it.
#[derive(Clone, Debug)]
pub struct Problem {
    status: StatusCode,
    body: String,
}

const CONTENT_TYPE: &str = "application/problem+json";

#[derive(Serialize)]
struct Body<'b> {
    status: u16,
    errors: [Error<'b>; 1],
}

#[derive(Serialize)]
struct Error<'b> {
    code: &'static str,
    trace: &'b str,
    target: &'b str,
}

impl Problem {
    /// The refusal of a dependency.
    pub(crate) fn new(status: StatusCode, code: &'static str) -> Self {
        Self::of(status, Error { code, trace: "", target: "" })
    }

    fn of(status: StatusCode, error: Error<'_>) -> Self {
        let body = Body { status: status.as_u16(), errors: [error] };
        Self { status, body: serde_json::to_string(&body).unwrap_or_default() }
    }
}

impl From<RefusedRequest> for Problem {
    fn from(refusal: RefusedRequest) -> Self {
        let trace = refusal.head().headers.get("x-trace");
        let trace = trace.and_then(|trace| trace.to_str().ok());
        let error = Error {
            code: refusal.reason().as_str(),
            trace: trace.unwrap_or_default(),
            target: refusal.head().uri.path(),
        };
        Self::of(refusal.status(), error)
    }
}

impl From<Problem> for Response<String> {
    fn from(problem: Problem) -> Self {
        let mut response = Self::new(problem.body);
        *response.status_mut() = problem.status;
        let content_type = http::HeaderValue::from_static(CONTENT_TYPE);
        response.headers_mut().insert("content-type", content_type);
        response
    }
}

impl axum::response::IntoResponse for Problem {
    fn into_response(self) -> axum::response::Response {
        Response::<String>::from(self).map(Into::into)
    }
}

impl From<Problem> for actix_web::Error {
    fn from(problem: Problem) -> Self {
        let status = actix_web::http::StatusCode::from_u16(problem.status.as_u16());
        let status = status.unwrap_or(actix_web::http::StatusCode::INTERNAL_SERVER_ERROR);
        let response =
            HttpResponseBuilder::new(status).content_type(CONTENT_TYPE).body(problem.body);
        actix_web::error::InternalError::from_response("", response).into()
    }
}

impl From<Problem> for poem::Error {
    fn from(problem: Problem) -> Self {
        let response = poem::Response::builder().status(problem.status).content_type(CONTENT_TYPE);
        Self::from_response(response.body(problem.body))
    }
}

impl<'r> Responder<'r, 'static> for Problem {
    fn respond_to(self, request: &'r Request<'_>) -> rocket::response::Result<'static> {
        let status = Status::new(self.status.as_u16());
        let content_type = ContentType::new("application", "problem+json");
        (status, (content_type, self.body)).respond_to(request)
    }
}

impl salvo::Scribe for Problem {
    fn render(self, response: &mut salvo::Response) {
        response.status_code(self.status);
        let _ = response.add_header("content-type", CONTENT_TYPE, true);
        let _ = response.write_body(self.body);
    }
}
