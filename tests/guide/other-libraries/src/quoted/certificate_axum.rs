use std::io;
use std::net::TcpListener;
use std::sync::Arc;

use axum::extract::Request;
use axum::middleware::map_request;
use axum_server::tls::TlsInfo;
use axum_server::tls_rustls::RustlsConfig;
use doorward::axum08::{Router, routing::get};
use doorward::jwt::TokenVerifier;
use doorward::verify::{CertificateBound, ClientCertificate, Verified};
use doorward::{Shared, http_bearer, secured};

#[derive(serde::Deserialize)]
struct Claims {
    sub: String,
}

type Tokens = CertificateBound<TokenVerifier<Claims>>;

#[http_bearer(verified = Claims, by = Tokens)]
struct Api;

#[secured]
async fn me(#[security(Api)] caller: Verified<Claims>) -> String {
    caller.sub.clone()
}

/// Attaches the certificate of the connection to a request.
async fn attach_certificate(mut request: Request) -> Request {
    let connection = request.extensions().get::<Arc<TlsInfo>>();
    let shown = connection.and_then(|connection| connection.peer_certificates.first()).cloned();
    if let Some(der) = shown {
        request.extensions_mut().insert(ClientCertificate::from_der(der));
    }
    request
}

async fn serve(tls: RustlsConfig, listener: TcpListener, tokens: Tokens) -> io::Result<()> {
    let app = Router::new().route("/me", get(me)).extension(Shared::new(tokens));
    let app = app.into_inner().layer(map_request(attach_certificate));
    axum_server::from_tcp_rustls(listener, tls)?.serve(app.into_make_service()).await
}

#[tokio::test(flavor = "multi_thread")]
async fn tokens_are_bound_to_the_certificate_of_the_connection() {
    use super::certificates::{Authority, ask};

    let authority = Authority::new();
    let [alice, bob] = ["alice", "bob"].map(|name| authority.client(name));
    let issuer = doorward::testing::TestAuthority::new("https://localhost").unwrap();
    let bound = issuer.token("alice").bound_to_certificate(alice.der()).sign().unwrap();
    let plain = issuer.token("alice").sign().unwrap();
    // A handshake that needs a certificate fails without one.
    for (needs_certificate, without) in [(false, Some(401)), (true, None)] {
        let tokens = CertificateBound::new(issuer.verifier().build().await.unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let address = listener.local_addr().unwrap();
        let tls = RustlsConfig::from_config(authority.server(needs_certificate));
        tokio::spawn(serve(tls, listener, tokens));
        for (token, client, expected) in [
            (&bound, Some(&alice), Some(200)),
            (&bound, Some(&bob), Some(401)),
            (&plain, Some(&alice), Some(401)),
            (&bound, None, without),
        ] {
            let answer = ask(&authority, address, client, token.as_str()).await;
            assert_eq!(answer.as_ref().map(|(status, _)| *status), expected, "{answer:?}");
        }
    }
}
