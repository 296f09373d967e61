//! The tutorial's scheme and form without a framework: a login server on hyper, which uses the
//! request type of the `http` crate.

use std::convert::Infallible;
use std::error::Error;

use doorward::form::read_form;
use doorward::secret_eq;
use doorward::token_endpoint::{TokenError, TokenResponse};
use doorward::{
    BearerError, BearerToken, OAuth2PasswordRequestForm, dependency, oauth2_password_bearer, plan,
};
use http::{HeaderMap, Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

/// Log in with a user name and a password.
#[oauth2_password_bearer(token_url = "token")]
struct OAuth2PasswordBearer;

/// The token of this example. A real server issues a token that it can verify.
const TOKEN: &str = "johndoe";

#[dependency]
fn current_user(
    #[security(OAuth2PasswordBearer)] token: BearerToken,
) -> Result<&'static str, BearerError> {
    match token.as_str() {
        TOKEN => Ok("johndoe"),
        _ => Err(BearerError::invalid_token()),
    }
}

/// Exchanges a password for a token. A real server compares slow hashes of passwords.
async fn log_in(headers: &HeaderMap, body: Incoming) -> Result<TokenResponse, TokenError> {
    let form: OAuth2PasswordRequestForm = read_form(headers, body).await?;
    if form.username == "johndoe" && secret_eq(&form.password, "secret") {
        Ok(TokenResponse::bearer(TOKEN))
    } else {
        Err(TokenError::invalid_grant("wrong user name or password"))
    }
}

async fn answer(request: Request<Incoming>) -> Result<Response<String>, Infallible> {
    let (mut head, body) = request.into_parts();
    let response = match (&head.method, head.uri.path()) {
        (&Method::POST, "/token") => match log_in(&head.headers, body).await {
            Ok(token) => token.into(),
            Err(error) => error.into(),
        },
        (&Method::GET, "/users/me/") => match plan!(current_user).resolve(&mut head).await {
            Ok(user) => Response::new(format!("{{\"username\":\"{user}\"}}")),
            Err(refused) => refused,
        },
        _ => {
            let mut missing = Response::default();
            *missing.status_mut() = StatusCode::NOT_FOUND;
            missing
        }
    };
    Ok(response)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind(doorward_examples::listen_address()?).await?;
    println!("Listening on http://{}", listener.local_addr()?);
    loop {
        let (stream, _) = listener.accept().await?;
        tokio::spawn(
            http1::Builder::new().serve_connection(TokioIo::new(stream), service_fn(answer)),
        );
    }
}
