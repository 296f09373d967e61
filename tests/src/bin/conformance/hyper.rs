//! hyper 1 without a framework: schemes, forms and plans on the parts of a request.

use std::convert::Infallible;

use ::http::request::Parts;
use ::http::{Method, Request, Response, StatusCode};
use doorward::form::read_form;
use doorward::plan;
use doorward::token_endpoint::read_client;
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::{Value, json};

use crate::prelude::*;

fn json_response(status: StatusCode, json: &impl ToString) -> Response<String> {
    let mut response = Response::new(json.to_string());
    *response.status_mut() = status;
    let content_type = ::http::HeaderValue::from_static("application/json");
    response.headers_mut().insert(::http::header::CONTENT_TYPE, content_type);
    response
}

#[expect(clippy::result_large_err, reason = "a response is what hyper sends")]
fn credential<S: Scheme<Credential: Shown>>(head: &Parts) -> Result<Value, Response<String>> {
    let found = S::authenticate(head)?;
    Ok(json!({ "credential": found.shown() }))
}

async fn form<T: Attributes>(head: &Parts, body: Incoming) -> Result<Value, FormError> {
    let form: T = read_form(&head.headers, body).await?;
    Ok(form.attributes())
}

own_user!(Method);

/// Reads a number in the path, the query and the body.
async fn first(rest: &str, head: &Parts, body: Incoming) -> Option<Value> {
    let (kind, number) = rest.split_once("/parameter/")?;
    number.parse::<u32>().ok()?;
    head.uri.query()?.strip_prefix("number=")?.parse::<u32>().ok()?;
    if kind == "password" {
        let form: OAuth2PasswordRequestForm = read_form(&head.headers, body).await.ok()?;
        return Some(form.attributes());
    }
    let body = Limited::new(body, 1 << 20).collect().await.ok()?.to_bytes();
    let number = match (kind, head.headers.get("content-type")?.to_str().ok()?) {
        ("json", "application/json") => serde_json::from_slice::<Number>(&body).ok()?.number,
        ("form", "application/x-www-form-urlencoded") => {
            core::str::from_utf8(&body).ok()?.strip_prefix("number=")?.parse().ok()?
        }
        _ => return None,
    };
    Some(json!(number))
}

/// Returns the JSON for a request, or another response.
async fn answer(
    request: Request<Incoming>,
    verifiers: opaque::Verifiers,
) -> Result<Value, Response<String>> {
    let (mut head, body) = request.into_parts();
    let path = head.uri.path().to_owned();
    let (verifies, introspects) = (verifiers.jwt.is_some(), verifiers.opaque.is_some());
    let takes_dpop = verifiers.dpop.is_some();
    if let Some(tokens) = verifiers.dpop {
        head.extensions.insert(tokens);
    }
    if let Some(tokens) = verifiers.jwt {
        head.extensions.insert(tokens);
    }
    if let Some(tokens) = verifiers.opaque {
        head.extensions.insert(tokens);
    }
    if let Ok(metadata) = rfc::metadata()
        && let Some(response) = metadata.respond(head.method.as_str(), &path)
    {
        return Err(response);
    }
    if let Some(rest) = path.strip_prefix("/first/") {
        plan!(waited).resolve(&mut head).await?;
        return first(rest, &head, body)
            .await
            .ok_or_else(|| json_response(StatusCode::BAD_REQUEST, &Value::Null));
    }
    if head.method == Method::POST && path == "/client" {
        let found = read_client(&head.headers, body).await?;
        return Ok(client(found.as_ref()));
    }
    if head.method == Method::POST && path == "/grant" {
        let form = TokenRequest::<Grant>::read(&head.headers, body).await?;
        return Ok(form.shown());
    }
    if head.method == Method::POST && path == "/grant-or-error" {
        let form = TokenRequest::<Grant>::read(&head.headers, body).await;
        return form.map(|form| form.shown()).map_err(|error| {
            json_response(StatusCode::UNPROCESSABLE_ENTITY, &shown_error(&error))
        });
    }
    if head.method == Method::POST && path == "/revoke" {
        let form = ClientForm::<RevocationForm>::read(&head.headers, body).await?;
        return Ok(form.shown());
    }
    macro_rules! route {
        ($path:literal, $name:ident, $scheme:ident) => {
            if path == $path {
                let found = plan!(credentials::$scheme).resolve(&mut head).await?;
                return Ok(json!({ "credential": found.shown() }));
            }
        };
    }
    for_each_credential!(route);
    macro_rules! route {
        ($path:literal, $name:ident, ($($plan:tt)*), $value:ty) => {
            if path == $path {
                return Ok(plan!($($plan)*).resolve(&mut head).await?.shown());
            }
        };
    }
    for_each_plan!(route);
    for_each_challenged!(route);
    if verifies {
        for_each_verified!(route);
    }
    if introspects {
        for_each_opaque!(route);
    }
    if takes_dpop {
        for_each_bound!(route);
    }
    if head.method == Method::POST {
        let form = match &*path {
            "/form" | "/form-faults" => form::<OAuth2PasswordRequestForm>(&head, body).await,
            "/form-strict" | "/form-strict-faults" => {
                form::<OAuth2PasswordRequestFormStrict>(&head, body).await
            }
            _ => return Err(json_response(StatusCode::NOT_FOUND, &Value::Null)),
        };
        return form.map_err(|error| {
            if path.ends_with("-faults") {
                let faults = json!({ "faults": faults(&error) });
                json_response(StatusCode::UNPROCESSABLE_ENTITY, &faults)
            } else {
                error.into()
            }
        });
    }
    match &*path {
        "/own" => {
            let user = plan!(own_user, scopes("items")).resolve(&mut head).await?;
            Ok(user.shown())
        }
        "/users/reports" => Ok(plan!(proof::proved).resolve(&mut head).await?.shown()),
        "/visit" => Ok(plan!(Visitor).resolve(&mut head).await?.shown()),
        "/format/me" => {
            head.extensions.insert(Shared::new(OneToken));
            let found = plan!(Format).resolve(&mut head).await?;
            Ok(found.shown())
        }
        "/guarded" => {
            plan!(Base).resolve(&mut head).await?;
            credential::<PasswordOptional>(&head)
        }
        "/by-hand" => Ok(match Password::authenticate(&head.headers) {
            Ok(token) => json!({ "credential": token.shown() }),
            Err(rejection) => json!({ "refused": rejection.status().as_u16() }),
        }),
        "/openapi.json" => Err(match conformance() {
            Ok(description) => json_response(StatusCode::OK, &description),
            Err(_) => json_response(StatusCode::INTERNAL_SERVER_ERROR, &Value::Null),
        }),
        _ => Err(json_response(StatusCode::NOT_FOUND, &Value::Null)),
    }
}

pub(crate) fn serve(
    listener: TcpListener,
    verifiers: opaque::Verifiers,
) -> Result<(), Box<dyn Error>> {
    super::announce(listener.local_addr()?);
    super::runtime()?.block_on(async {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        loop {
            let (stream, _) = listener.accept().await?;
            let verifiers = verifiers.clone();
            let service = service_fn(move |request| {
                let verifiers = verifiers.clone();
                async move {
                    let response = answer(request, verifiers).await;
                    Ok::<_, Infallible>(response.map_or_else(
                        |refusal| refusal,
                        |json| json_response(StatusCode::OK, &json),
                    ))
                }
            });
            tokio::spawn(async move {
                // A client may disconnect at any time.
                let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
            });
        }
    })
}
