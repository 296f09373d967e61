//! The tutorial's scheme and form without the feature of any framework: a login server on hyper, whose requests are those of the `http`
//! crate.

use std::convert::Infallible;
use std::error::Error;

use http::{HeaderMap, Method, Request, Response, StatusCode};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;
use tollgate::secrecy::ExposeSecret;
use tollgate::{
    FormError, OAuth2PasswordRequestForm, PasswordRequestForm, Rejection, Scheme,
    oauth2_password_bearer,
};

/// Log in with a user name and a password.
#[oauth2_password_bearer(
    token_url = "token",
    scopes("me" = "Read information about the current user.", "items" = "Read items.")
)]
struct OAuth2PasswordBearer;

async fn answer(request: Request<Incoming>) -> Result<Response<String>, Infallible> {
    let (parts, body) = request.into_parts();
    Ok(match (&parts.method, parts.uri.path()) {
        (&Method::POST, "/token") => login(&parts.headers, body)
            .await
            .unwrap_or_else(Response::from),
        (&Method::GET, "/users/me/") => read_me(&parts.headers).unwrap_or_else(Response::from),
        _ => status(StatusCode::NOT_FOUND),
    })
}

async fn login(headers: &HeaderMap, body: Incoming) -> Result<Response<String>, FormError> {
    let max_bytes = OAuth2PasswordRequestForm::CONFIG.max_bytes;
    if body.size_hint().lower() > max_bytes as u64 {
        return Err(FormError::too_large());
    }
    let body = Limited::new(body, max_bytes).collect().await;
    let body = body.map_err(|error| {
        if error.is::<LengthLimitError>() {
            FormError::too_large()
        } else {
            FormError::incomplete()
        }
    })?;
    let form = OAuth2PasswordRequestForm::decode_request(headers, &body.to_bytes())?;
    // A real server checks a hash, and makes a token that it can check.
    Ok(
        match (form.username.as_str(), form.password.expose_secret()) {
            ("johndoe", "secret") => {
                Response::new(r#"{"access_token":"johndoe","token_type":"bearer"}"#.to_owned())
            }
            _ => status(StatusCode::BAD_REQUEST),
        },
    )
}

fn read_me(headers: &HeaderMap) -> Result<Response<String>, Rejection> {
    Ok(match OAuth2PasswordBearer::authenticate_ref(headers)? {
        "johndoe" => Response::new(r#"{"username":"johndoe"}"#.to_owned()),
        _ => status(StatusCode::UNAUTHORIZED),
    })
}

fn status(status: StatusCode) -> Response<String> {
    let mut response = Response::default();
    *response.status_mut() = status;
    response
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(tollgate_examples::listen_address()?).await?;
    println!("Listening on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(
            http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer)),
        );
    }
}
