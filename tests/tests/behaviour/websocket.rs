//! Routes that upgrade to a WebSocket are secured like any other route.

use std::net::{SocketAddr, TcpListener, TcpStream};

use doorward::{BearerToken, oauth2_password_bearer, secured};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::header::{AUTHORIZATION, WWW_AUTHENTICATE};
use tungstenite::{Error, Message, client};

#[oauth2_password_bearer(token_url = "token")]
struct OAuth2;

mod on_axum {
    use super::*;
    use axum::extract::ws::{Message, WebSocketUpgrade};
    use axum::response::Response;

    #[secured]
    async fn echo(#[security(OAuth2)] token: BearerToken, upgrade: WebSocketUpgrade) -> Response {
        upgrade.on_upgrade(async move |mut socket| {
            let text = format!("hello {}", token.as_str());
            let _ = socket.send(Message::text(text)).await;
        })
    }

    pub(super) fn serve(listener: TcpListener) {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let app = axum::Router::new().route("/", axum::routing::get(echo));
        std::thread::spawn(move || {
            runtime.block_on(async {
                let listener = tokio::net::TcpListener::from_std(listener)?;
                axum::serve(listener, app).await
            })
        });
    }
}

mod on_actix_web {
    use super::*;
    use actix_web::web::{Payload, get};
    use actix_web::{App, Error, HttpRequest, HttpResponse, HttpServer};

    #[secured]
    async fn echo(
        #[security(OAuth2)] token: BearerToken,
        request: HttpRequest,
        body: Payload,
    ) -> Result<HttpResponse, Error> {
        let (response, mut session, _) = actix_ws::handle(&request, body)?;
        actix_web::rt::spawn(async move {
            let _ = session.text(format!("hello {}", token.as_str())).await;
            let _ = session.close(None).await;
        });
        Ok(response)
    }

    pub(super) fn serve(listener: TcpListener) {
        std::thread::spawn(move || {
            let app = || App::new().route("/", get().to(echo));
            let server = HttpServer::new(app).workers(1).disable_signals();
            actix_web::rt::System::new().block_on(server.listen(listener).unwrap().run())
        });
    }
}

/// Opens a WebSocket and returns its first message, or the status and the challenge of the refusal.
fn hello(address: SocketAddr, authorization: Option<&str>) -> Result<String, (u16, String)> {
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    if let Some(authorization) = authorization {
        let authorization = authorization.parse().unwrap();
        request.headers_mut().insert(AUTHORIZATION, authorization);
    }
    match client(request, TcpStream::connect(address).unwrap()) {
        Ok((mut socket, _)) => match socket.read().unwrap() {
            Message::Text(text) => Ok(text.to_string()),
            message => panic!("{message:?}"),
        },
        Err(HandshakeError::Failure(Error::Http(response))) => {
            let challenge = response.headers().get(WWW_AUTHENTICATE);
            let challenge = challenge.map_or("", |challenge| challenge.to_str().unwrap());
            Err((response.status().as_u16(), challenge.to_owned()))
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn an_upgrade_needs_a_token() {
    for serve in [on_axum::serve, on_actix_web::serve] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        serve(listener);
        assert_eq!(hello(address, Some("Bearer john")).unwrap(), "hello john");
        let refused = Err((401, "Bearer".to_owned()));
        assert_eq!(hello(address, None), refused);
        assert_eq!(hello(address, Some("Basic john")), refused);
    }
}
