//! Routes that upgrade to a WebSocket are secured like any other route.

use std::net::{SocketAddr, TcpListener, TcpStream};

use doorward::websocket::protocol;
use doorward::{BearerToken, Scheme, oauth2_password_bearer, secured};
use http::{HeaderMap, Request, Version};
use tungstenite::client::IntoClientRequest;
use tungstenite::handshake::HandshakeError;
use tungstenite::http::HeaderName;
use tungstenite::http::header::{AUTHORIZATION, SEC_WEBSOCKET_PROTOCOL, WWW_AUTHENTICATE};
use tungstenite::{Error, Message, client};

#[oauth2_password_bearer(token_url = "token", websocket)]
struct OAuth2;

mod on_axum {
    use super::*;
    use axum::extract::ws::{Message, WebSocketUpgrade};
    use axum::response::Response;

    #[secured]
    async fn echo(
        #[security(OAuth2)] token: BearerToken,
        headers: HeaderMap,
        upgrade: WebSocketUpgrade,
    ) -> Response {
        let upgrade = upgrade.protocols(protocol(&headers).map(str::to_owned));
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
        let protocols = Vec::from_iter(protocol(&request));
        let (response, mut session, _) =
            actix_ws::handle_with_protocols(&request, body, &protocols)?;
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

/// Opens a WebSocket with a header, and returns its first message and the subprotocol, or the status
/// and the challenge of the refusal.
fn hello(
    address: SocketAddr,
    header: Option<(HeaderName, &str)>,
) -> Result<(String, Option<String>), (u16, String)> {
    let mut request = format!("ws://{address}/").into_client_request().unwrap();
    if let Some((name, value)) = header {
        request.headers_mut().insert(name, value.parse().unwrap());
    }
    match client(request, TcpStream::connect(address).unwrap()) {
        Ok((mut socket, response)) => {
            let protocol = response.headers().get(SEC_WEBSOCKET_PROTOCOL);
            let protocol = protocol.map(|protocol| protocol.to_str().unwrap().to_owned());
            match socket.read().unwrap() {
                Message::Text(text) => Ok((text.to_string(), protocol)),
                message => panic!("{message:?}"),
            }
        }
        Err(HandshakeError::Failure(Error::Http(response))) => {
            let challenge = response.headers().get(WWW_AUTHENTICATE);
            let challenge = challenge.map_or("", |challenge| challenge.to_str().unwrap());
            Err((response.status().as_u16(), challenge.to_owned()))
        }
        Err(error) => panic!("{error}"),
    }
}

/// Asks a server of each framework.
fn on_each(ask: impl Fn(SocketAddr)) {
    for serve in [on_axum::serve, on_actix_web::serve] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        serve(listener);
        ask(address);
    }
}

#[test]
fn an_upgrade_needs_a_token() {
    on_each(|address| {
        let john = Ok(("hello john".to_owned(), None));
        assert_eq!(hello(address, Some((AUTHORIZATION, "Bearer john"))), john);
        let refused = Err((401, "Bearer".to_owned()));
        assert_eq!(hello(address, None), refused);
        assert_eq!(hello(address, Some((AUTHORIZATION, "Basic john"))), refused);
    });
}

/// As `new WebSocket(url, ["bearer", "john"])` asks in a browser, which closes the socket if the
/// answer selects another subprotocol.
#[test]
fn a_page_sends_its_token_among_the_subprotocols() {
    on_each(|address| {
        let offer = |offered| hello(address, Some((SEC_WEBSOCKET_PROTOCOL, offered)));
        let selected = |protocol: &str| Ok(("hello john".to_owned(), Some(protocol.to_owned())));
        assert_eq!(offer("bearer, john"), selected("bearer"));
        assert_eq!(offer("Bearer, john"), selected("Bearer"));
        assert_eq!(offer("bearer.john, chat"), selected("chat"));
        assert_eq!(offer("base64url.bearer.authorization.k8s.io.am9obg, chat"), selected("chat"));
        let refused = Err((401, "Bearer".to_owned()));
        assert_eq!(offer("chat"), refused);
        assert_eq!(offer("bearer, john, bearer.john"), refused);
    });
}

#[test]
fn the_answer_never_names_a_token() {
    let selected = |offered: &[&str]| {
        let mut headers = HeaderMap::new();
        for line in offered {
            headers.append("sec-websocket-protocol", line.parse().unwrap());
        }
        protocol(&headers).map(str::to_owned)
    };
    for (offered, expected) in [
        (&[][..], None),
        (&["chat"], Some("chat")),
        (&["chat, v2.chat"], Some("chat")),
        (&["bearer, t0k3n"], Some("bearer")),
        (&["chat, bearer, t0k3n"], Some("bearer")),
        (&["bearer", "t0k3n"], Some("bearer")),
        (&["bearer.t0k3n"], None),
        (&["BEARER.t0k3n, chat"], Some("chat")),
        (
            &["base64url.bearer.authorization.k8s.io.dDBrM24, base64.binary.k8s.io"],
            Some("base64.binary.k8s.io"),
        ),
        (&["base64url.bearer.authorization.k8s.io.dDBrM24"], None),
        // A server would answer with what no header may have.
        (&["\"chat\""], None),
    ] {
        assert_eq!(selected(offered).as_deref(), expected, "{offered:?}");
    }
}

/// Over HTTP/2, a WebSocket is opened by an extended `CONNECT`
/// ([RFC 8441](https://www.rfc-editor.org/rfc/rfc8441)).
#[test]
fn a_token_is_read_over_http_2() {
    let found = |method: &str, target: &str, version, socket: bool| {
        let request = Request::builder().method(method).uri(target).version(version);
        let request = request.header("sec-websocket-protocol", "bearer, t0k3n");
        let request = if socket { request.header("sec-websocket-version", "13") } else { request };
        OAuth2::authenticate(&request.body(()).unwrap()).is_ok()
    };
    let target = "https://example.com/chat";
    assert!(found("CONNECT", target, Version::HTTP_2, true));
    assert!(found("CONNECT", target, Version::HTTP_3, true));
    for (method, target, version, socket) in [
        ("CONNECT", target, Version::HTTP_2, false),
        ("CONNECT", target, Version::HTTP_11, true),
        ("CONNECT", "example.com:443", Version::HTTP_2, true),
        ("GET", target, Version::HTTP_2, true),
        ("POST", target, Version::HTTP_2, true),
    ] {
        assert!(!found(method, target, version, socket), "{method} {target} {version:?} {socket}");
    }
}

/// What has to be decoded is refused where a token is borrowed from the request.
#[test]
fn a_decoded_token_is_not_borrowed() {
    let request = Request::builder()
        .header("upgrade", "websocket")
        .header("sec-websocket-protocol", "base64url.bearer.authorization.k8s.io.dDBrM24");
    let request = request.body(()).unwrap();
    assert_eq!(OAuth2::authenticate(&request).unwrap().as_str(), "t0k3n");
    assert_eq!(OAuth2::authenticate_ref(&request).unwrap_err().status(), 401);
}

/// The whole header value of a token is that of `Authorization`, wherever it was.
#[test]
fn a_token_of_a_socket_goes_on_as_authorization() {
    let request = Request::builder().header("upgrade", "websocket");
    let request = request.header("sec-websocket-protocol", "bearer, t0k3n, chat").body(()).unwrap();
    let token = OAuth2::authenticate(&request).unwrap();
    assert_eq!(http::HeaderValue::from(token), "Bearer t0k3n");
}
